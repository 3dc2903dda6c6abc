// One connection of an editor over WebSocket: the bytes of both directions go on as they come, and the
// messages in them are read from a copy and recorded.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { millis } from '../../lib/time.ts';
import type { Side } from '../../trace/event.ts';
import type { Recorder } from '../spool/recorder.ts';
import { passThrough, roomIn } from '../tap.ts';
import { networkFault, statusFault } from '../transports/fault.ts';
import { maskedHeaders } from '../transports/headers.ts';
import { cappedLine } from '../transports/transport.ts';
import { SocketReader, type SocketSaid } from './socket-reader.ts';
import { backHead, goOn, type Way } from './way.ts';

const UPGRADE = ['Connection', 'Upgrade', 'Upgrade', 'websocket'];

/** `head`: what came behind the request already. Returns what drops it. */
export function tapSocket(
  request: IncomingMessage,
  editor: Duplex,
  head: Uint8Array,
  way: Way,
): () => void {
  const { url, shown } = way.address;
  const began = performance.now();
  const { asked, head: sent } = goOn(request, way.address, UPGRADE);
  editor.once('close', () => asked.destroy());
  const meet = ({ statusCode: status = 0, rawHeaders }: IncomingMessage): Recorder => {
    const recorder = way.begin();
    recorder.transport({
      ...{ step: 'answered', stream: 'socket', method: 'GET', status },
      request: maskedHeaders(sent, url),
      response: maskedHeaders(rawHeaders, url),
      ms: millis(performance.now() - began),
    });
    return recorder;
  };
  const end = (recorder: Recorder, problem: string | undefined) => {
    recorder.exit(problem === undefined ? {} : { problem });
    void recorder.close().then(() => way.ended(recorder));
  };
  asked.once('error', (error) => {
    const problem = networkFault(error, way.address);
    editor.end(`HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n${problem}`);
  });
  asked.once('response', (message: IncomingMessage) => {
    const { statusCode = 0 } = message;
    end(meet(message), statusFault({ status: statusCode, shown }));
    const kept = backHead(message).filter((_, at, all) => !/^transfer-/i.test(all[at & ~1] ?? ''));
    editor.write(headText(message, [...kept, 'Connection', 'close']));
    message.pipe(editor);
  });
  asked.once('upgrade', (message: IncomingMessage, agent: Duplex, rest: Uint8Array) => {
    agent.on('error', () => agent.destroy());
    const recorder = meet(message);
    editor.write(headText(message, [...UPGRADE, ...backHead(message)]));
    const copy = new Copy(recorder);
    const room = roomIn(recorder);
    const lanes = [
      ['client', editor, agent, head],
      ['agent', agent, editor, rest],
    ] as const;
    let open = lanes.length;
    for (const [from, source, sink, first] of lanes) {
      const take = (chunk: Uint8Array) => {
        const hasRoom = sink.write(chunk);
        copy.push(from, chunk);
        return hasRoom;
      };
      if (first.length > 0) take(first);
      passThrough(source, sink, take, room);
      source.once('end', () => sink.end());
      source.once('close', () => {
        sink.destroy();
        if (--open === 0) end(recorder, copy.end());
      });
    }
  });
  asked.end();
  return () => editor.destroy();
}

/** What both sides said, as it is recorded. */
class Copy {
  readonly #recorder: Recorder;
  readonly #readers = { client: new SocketReader(), agent: new SocketReader() };
  readonly #faults = new Set<string>();
  #closed: Extract<SocketSaid, { readonly kind: 'close' }> | undefined;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  push(from: Side, chunk: Uint8Array): void {
    const reader = this.#readers[from];
    for (const said of reader.push(chunk)) this.#tell(from, said);
    const { fault } = reader;
    if (fault === undefined || this.#faults.has(from)) return;
    this.#faults.add(from);
    const problem = `${fault}: what this side says passes, and is recorded no more.`;
    this.#recorder.transport({ step: 'failed', stream: 'socket', problem });
  }

  /** Why it ended, where nobody took leave. */
  end(): string | undefined {
    for (const from of ['client', 'agent'] as const) {
      const rest = this.#readers[from].end();
      if (rest) this.#tell(from, rest);
    }
    const { code, reason } = this.#closed ?? { reason: '' };
    const why = { ...(code !== undefined && { code }), ...(reason !== '' && { reason }) };
    this.#recorder.transport({ step: 'closed', stream: 'socket', ...why });
    return this.#closed ? undefined : 'The connection broke: its WebSocket was not closed.';
  }

  #tell(from: Side, said: SocketSaid): void {
    if (said.kind === 'close') return void (this.#closed ??= said);
    const { pieces, binary, cut } = said;
    const via = { stream: 'socket', ...(binary && { binary }) } as const;
    this.#recorder.framed(from, cappedLine(pieces), { via, ...(cut && { cut }) });
  }
}

function headText(
  { statusCode = 0, statusMessage = '' }: IncomingMessage,
  head: readonly string[],
) {
  const lines = head.flatMap((name, at) =>
    at % 2 === 0 ? [`${name}: ${head[at + 1] ?? ''}`] : [],
  );
  return Buffer.from(
    [`HTTP/1.1 ${statusCode} ${statusMessage}`, ...lines, '', ''].join('\r\n'),
    'latin1',
  );
}
