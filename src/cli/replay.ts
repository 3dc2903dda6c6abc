// `acp-scope replay`: a recording in the place of the agent, or of the client, of a live peer.
import { parseSpeed, type Speed } from '../drive/replay/manner.ts';
import { noteUse } from '../relay/lent-traces.ts';
import { stateFolder } from '../relay/state-folder.ts';
import { command, UsageError } from './command.ts';
import { compareTerms } from './parts/compare-options.ts';
import { formatOf } from './parts/print-report.ts';
import { keepApart, readTrace } from './parts/trace-files.ts';

const PATIENCE_S = 120;
const QUIET_MS = 400;

export const replay = command({
  usage: 'acp-scope replay FILE --as agent | --as client [options] -- CMD ARGS…',
  summary: 'Play a recorded agent to a live client, or a recorded client to a live agent.',
  details: [
    '--as agent       an agent on stdio, made from the recording',
    '  --loose        a request that fits nothing takes the next recorded one of its method',
    '  --strict       every value as recorded, each request once, and all of them',
    '  --report FILE  what was not as recorded, as JSON; as text it goes to stderr',
    '--as client      the recorded client, sent to CMD; ends in a report of the divergence',
    '  --cwd DIR      the folder in place of the recorded one; default: where you are',
    '  --session A=B  the recorded session A is B now; for recordings that restore one',
    '  --format F     text, json or junit, on stdout',
    '  --ignore RULE  leave out of the divergence, as in acp-scope diff',
    '  --strict       compare usage and _meta too, as in acp-scope diff',
    '  --raw KINDS    names compared as they stand, as in acp-scope diff',
    '  --out FILE     the trace of the rerun',
    '  --patience S   seconds an answer or a turn may take; default: 120',
    '  --quiet MS     silence after which nothing more is waited for; default: 400',
    '--speed S        max (default), real, or how many times as fast: 4',
    'Exit 1 if something was not as recorded. docs/replay.md says how frames are matched.',
  ],
  takes: ['files', 'agent'],
  options: {
    as: { type: 'string' },
    loose: { type: 'boolean' },
    strict: { type: 'boolean' },
    speed: { type: 'string', default: 'max' },
    report: { type: 'string' },
    format: { type: 'string' },
    ignore: { type: 'string', multiple: true },
    raw: { type: 'string', multiple: true },
    out: { type: 'string' },
    cwd: { type: 'string' },
    session: { type: 'string', multiple: true },
    patience: { type: 'string' },
    quiet: { type: 'string' },
  },
  async run({ values, files: [file, ...more], agent }) {
    if (file === undefined || more.length > 0)
      throw new UsageError('replay takes one trace file, the recording.');
    const speed = speedOf(values.speed);
    const refuse = (names: readonly (keyof typeof values)[], role: string) => {
      const wrong = names.find((name) => values[name] !== undefined);
      if (wrong !== undefined) throw new UsageError(`--${wrong} belongs to --as ${role}.`);
    };
    const { loose, strict, report, out, cwd, ignore = [], raw = [] } = values;
    switch (values.as) {
      case 'agent': {
        refuse(['format', 'ignore', 'raw', 'out', 'cwd', 'session', 'patience', 'quiet'], 'client');
        if (agent)
          throw new UsageError(
            'As the agent, replay starts no command; leave out what follows --.',
          );
        if (loose === true && strict === true)
          throw new UsageError('replay takes --loose or --strict, not both.');
        const manner = strict ? 'strict' : loose ? 'loose' : 'plain';
        const events = await recordingAt(file, '--report', report);
        const { replayAsAgent } = await import('./replay/replay-agent.ts');
        return replayAsAgent(events, { file, manner, speed, report });
      }
      case 'client': {
        refuse(['loose', 'report'], 'agent');
        if (!agent?.length)
          throw new UsageError('As the client, replay needs the agent’s command after --.');
        const order = {
          ...{ file, speed, format: formatOf(values.format), out, cwd, command: agent },
          ...compareTerms({ ignore, strict, raw }),
          sessions: (values.session ?? []).map(sessionPair),
          patience: numberOf('patience', values.patience, PATIENCE_S) * 1000,
          quiet: numberOf('quiet', values.quiet, QUIET_MS),
        };
        const events = await recordingAt(file, '--out', out);
        const { replayAsClient } = await import('./replay/replay-client.ts');
        return replayAsClient(events, order);
      }
      default:
        throw new UsageError('replay needs to know who it is: give --as agent or --as client.');
    }
  },
});

/** `option`, `written`: what must not be the file that is read. */
async function recordingAt(file: string, option: string, written: string | undefined) {
  await keepApart(option, written, [file]);
  // One that a page lent the relay is kept for as long as it is used.
  noteUse(file, stateFolder());
  return (await readTrace(file)).events;
}

function speedOf(text: string): Speed {
  const speed = parseSpeed(text);
  if (speed !== undefined) return speed;
  throw new UsageError(`--speed ${text} is none. Give max, real, or how many times as fast: 4.`);
}

function sessionPair(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at <= 0 || at === text.length - 1)
    throw new UsageError(`--session ${text} is none. Give RECORDED=LIVE, two session ids.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function numberOf(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^\d+(?:\.\d+)?$/.test(text))
    throw new UsageError(`--${name} ${text} is no number. Give one that is not negative.`);
  return Number(text);
}
