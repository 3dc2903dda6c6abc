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
