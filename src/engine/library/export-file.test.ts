import { expect, test } from 'vitest';
import { millis } from '../../lib/time.ts';
import { encodeUtf8 } from '../../lib/utf8.ts';
import type { RoomFor, StoredBytes } from '../../storage/block-bytes.ts';
import { MemoryStore } from '../../storage/memory-store.ts';
import { problemOf } from '../../storage/problem.ts';
import type { StoredTrace } from '../../storage/schema.ts';
import { connectionId, seq, type TraceEvent } from '../../trace/event.ts';
import { eventLine } from '../../trace/format.ts';
import { LineStore } from '../traces/line-store.ts';
import { exportFile } from './export-file.ts';

const failed = { ok: false, problem: problemOf(new DOMException('why', 'UnknownError')) } as const;

/** The database is gone, but what an opened trace lies in is not. */
class GoneStore extends MemoryStore {
  override blocks() {
    return Promise.resolve(failed);
  }
}

/** Of a line and its 0x0A; made where there is room. */
function lyingIn(line: Uint8Array): StoredBytes {
  const size = line.length + 1;
  return {
    size,
    read(room?: RoomFor) {
      const bytes = new Uint8Array(room?.(size) ?? new ArrayBuffer(size), 0, size);
      bytes.set(line);
      bytes[line.length] = 0x0a;
      return bytes;
    },
  };
}

function frameOf(at: number): TraceEvent {
  const line = { text: `${at} `.repeat(60_000 + at) };
  const stamp = { seq: seq(at + 1), at: millis(at) };
  return { type: 'frame', ...stamp, from: 'agent', line, origin: 'peer' };
}

test('a trace larger than what is kept of it is saved byte for byte, also where its database is gone', async () => {
  const lines = Array.from({ length: 250 }, (_, at) => encodeUtf8(eventLine(frameOf(at))));
  const sizes = Uint32Array.from(lines, ({ length }) => length);
  let end = 0;
  const starts = Float64Array.from(sizes, (size) => (end += size + 1) - size - 1);
  const store = new LineStore();
  store.recall(
    {
      ...{ starts, sizes, seqs: Uint32Array.from(lines, (_, at) => at + 1) },
      ...{ areFrames: new Uint8Array(250).fill(1), looks: new Uint8Array(250), made: new Map() },
    },
    lines.map(lyingIn),
    end,
  );
  const trace: StoredTrace = {
    ...{ connection: connectionId('c'), number: 1, name: 'long', mode: 'file' },
    ...{ startedAt: '2026-01-01T00:00:00.000Z', header: encodeUtf8('{}') },
    ...{ events: 250, frames: 250, bytes: end, last: seq(250) },
  };
  const { blob, problem } = await exportFile(trace, store, new GoneStore(undefined), []);
  expect(problem).toEqual(failed.problem);
  const saved = Buffer.from(await blob.arrayBuffer());
  const due = Buffer.concat([
    encodeUtf8('{}\n'),
    ...lines.flatMap((one) => [one, encodeUtf8('\n')]),
  ]);
  expect(saved.length).toBe(due.length);
  expect(saved.equals(due)).toBe(true);
});
