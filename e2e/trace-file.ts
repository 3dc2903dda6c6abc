// Reads a trace file without the help of the code under test: what is in it, and which bytes
// crossed in each direction.
import { createHash } from 'node:crypto';

export interface FileEvent {
  readonly seq: number;
  readonly type: string;
  readonly from?: 'client' | 'agent';
  readonly line?: { readonly text?: string; readonly base64?: string };
  readonly cut?: true;
  readonly origin?: string;
  readonly [field: string]: unknown;
}

export function readEvents(file: Buffer): readonly FileEvent[] {
  const [, ...lines] = file.toString('utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as FileEvent);
}

/** Every byte that crossed from this side, as the file has it. */
export function bytesFrom(side: 'client' | 'agent', file: Buffer): Buffer {
  const newline = Buffer.from('\n');
  const parts = readEvents(file)
    .filter(({ type, from }) => type === 'frame' && from === side)
    .flatMap(({ line, cut }) => {
      const bytes =
        line?.base64 === undefined
          ? Buffer.from(line?.text ?? '', 'utf8')
          : Buffer.from(line.base64, 'base64');
      return cut ? [bytes] : [bytes, newline];
    });
  return Buffer.concat(parts);
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The numbers of the events: each once, without holes, in order. */
export function isWhole(file: Buffer): boolean {
  return readEvents(file).every(({ seq, type }, i) => seq === i + 1 && type !== 'gap');
}

/** A message of the client or of the agent, without its `jsonrpc`. */
export type Message = readonly ['c' | 'a', object];
/** A file of another recorder that has these messages. */
export function recorded(messages: readonly Message[]): Buffer {
  const lines = messages.map(([from, message], t) => {
    const raw = JSON.stringify({ jsonrpc: '2.0', ...message });
    return `${JSON.stringify({ t, dir: from === 'c' ? 'client-to-agent' : 'agent-to-client', raw })}\n`;
  });
  return Buffer.from(lines.join(''));
}
export const HANDSHAKE: readonly Message[] = [
  ['c', { id: 0, method: 'initialize', params: { protocolVersion: 1 } }],
  ['a', { id: 0, result: { protocolVersion: 1, agentCapabilities: { sessionCapabilities: {} } } }],
];
