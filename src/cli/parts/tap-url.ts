// `acp-scope tap --listen`: stands in the place of an agent that is reached by URL, until it is ended.
import { isUrl, programName } from '../../lib/program-name.ts';
import { isLoopbackHost } from '../../lib/net/own-request.ts';
import type { Recorder } from '../../relay/spool/recorder.ts';
import { tapUrl, type TapPlace } from '../../relay/tap-url/tap-url.ts';
import { EXIT, FileError, UsageError } from '../command.ts';
import { agentWordsOf } from './agent-words.ts';
import { onInterrupt } from './interrupt.ts';
import { FRONT, type tapRecorders } from './tap-recorder.ts';

interface Wish {
  readonly agent: readonly string[] | undefined;
  readonly headers: readonly string[];
  readonly name: string | undefined;
  readonly place: TapPlace;
  readonly record: ReturnType<typeof tapRecorders>;
}

/** Throws UsageError, and FileError where it cannot listen. */
export async function runUrlTap(wish: Wish): Promise<number> {
  const { agent, headers, name, place, record } = wish;
  const { argv, address } = agentWordsOf('tap', agent, headers);
  if (!address || !isUrl(argv))
    throw new UsageError('--listen is for an agent with a URL: give it after --.');
  if (headers.length > 0 && !isLoopbackHost(place.host))
    throw new UsageError(
      `--header would lend what it says to every machine that reaches ${place.host}. Let the editor send it, or listen on 127.0.0.1.`,
    );
  const cwd = process.cwd();
  const { stop, off } = onInterrupt();
  const way = {
    address,
    begin() {
      const recorder = record({ name: name ?? programName(argv), argv, cwd });
      const names = headers.map((header) => header.split(':')[0] ?? '');
      recorder.start({ argv, cwd, ...(names.length > 0 && { headers: names }) });
      return recorder;
    },
    ended(recorder: Recorder) {
      if (recorder.shortfall !== undefined) console.error(FRONT + recorder.shortfall);
    },
  };
  const served = await tapUrl(way, place, stop, {
    listening(url) {
      const socket = url.replace('http', 'ws');
      console.error(`${FRONT}stands at ${url} and ${socket} for ${address.shown}`);
    },
    refused(words, count) {
      // The first, the tenth, the hundredth: who tries all day fills no log.
      if (/^10*$/.test(String(count)))
        console.error(`${FRONT}refused, and not recorded (${count} so far): ${words}`);
    },
  });
  off();
  if (!served.ok) throw new FileError(served.message);
  return EXIT.ok;
}
