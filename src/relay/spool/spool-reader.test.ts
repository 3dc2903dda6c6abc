import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seq, type TraceEvent } from '../../trace/event.ts';
import { eventLine, headerLine } from '../../trace/format.ts';
import { millis } from '../../lib/time.ts';
import {
  BATCH_BYTES,
  PART_BYTES,
  locateLine,
  readBatch,
  readHeader,
  readTail,
  type SpoolBatch,
} from './spool-reader.ts';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'acp-scope-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HEADER = headerLine({
  format: 'acptrace',
  version: 1,
  created: '2026-01-01T00:00:00.000Z',
  tool: 'acp-scope 0',
  clock: 'monotonic',
});

function event(number: number, length: number): TraceEvent {
  const line = { text: 'x'.repeat(length) };
  return { type: 'frame', seq: seq(number), at: millis(0), from: 'agent', line, origin: 'peer' };
}

async function startOf(handle: FileHandle): Promise<number> {
  const facts = await readHeader(handle);
  return typeof facts === 'string' ? -1 : facts.start;
}

/** A file of these events, and where each line starts. */
function file(events: readonly TraceEvent[], torn = '') {
  const lines = events.map((event) => eventLine(event) + '\n');
  const path = join(folder, 'trace');
  writeFileSync(path, `${HEADER}\n${lines.join('')}${torn}`);
  let at = HEADER.length + 1;
  const starts = lines.map((line) => (at += line.length) - line.length);
  return { path, starts, size: at };
}

const lengths = fc.array(
  fc.oneof({ weight: 20, arbitrary: fc.nat(300) }, { weight: 1, arbitrary: fc.nat(200_000) }),
  { maxLength: 400, size: 'max' },
);

test('an event is found wherever it stands, in files of short and of huge lines, over gaps', async () => {
  await fc.assert(
    fc.asyncProperty(lengths, fc.nat(400), fc.nat(400), async (sizes, after, gapAt) => {
      const events = sizes.map((size, i) => event(i + 1 + (i >= gapAt ? 50 : 0), size));
      const { path, starts, size } = file(events);
      const handle = await open(path);
      const found = await locateLine(handle, seq(after), await startOf(handle), size);
      const due = events.findIndex((event) => event.seq > after);
      expect(found).toBe(due < 0 ? size : starts[due]);
      await handle.close();
    }),
    { numRuns: 150 },
  );
});

async function bytesOf({ parts, size }: SpoolBatch): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const part of parts) {
    expect(part.length).toBeLessThanOrEqual(PART_BYTES);
    all.push(part);
  }
  const bytes = Buffer.concat(all);
  expect(bytes.length).toBe(size);
  return bytes;
}

test('N5: a line longer than a batch is one of its own, also where it ends with a part, and read a part at a time', async () => {
  const beside = eventLine(event(1, 0)).length + 1;
  const edges = [BATCH_BYTES, 2 * BATCH_BYTES, PART_BYTES, PART_BYTES + BATCH_BYTES];
  const long = [...edges.flatMap((edge) => [edge - 1, edge, edge + 1]), 3_000_000];
  const sizes = long.flatMap((size) => [size - beside, 10]);
  const events = [10, ...sizes].map((size, i) => event(1 + (i % 9), size));
  const { path, starts, size } = file(events);
  const handle = await open(path);
  for (const [i, due] of events.entries()) {
    const [start = 0, stop = size] = starts.slice(i, i + 2);
    const batch = await readBatch(handle, start, stop - start > BATCH_BYTES ? size : stop);
    expect(batch).toMatchObject({ first: due.seq, last: due.seq });
    expect(batch && (await bytesOf(batch)).equals(Buffer.from(`${eventLine(due)}\n`))).toBe(true);
    // Until it is whole, there is nothing to send.
    if (stop - start > 1) expect(await readBatch(handle, start, stop - 1)).toBeUndefined();
  }
  await handle.close();
});

test('batches read one after another are the file, each within its limits', async () => {
  await fc.assert(
    fc.asyncProperty(lengths, async (sizes) => {
      const events = sizes.map((size, i) => event(i + 1, size));
      const { path, size } = file(events, '{"type":"frame","seq":9999,"a');
      const handle = await open(path);
      const start = await startOf(handle);
      const whole = (await handle.stat()).size;
      let text = '';
      let next = 1;
      for (let at = start; ;) {
        const batch = await readBatch(handle, at, whole);
        if (!batch) break;
        const bytes = await bytesOf(batch);
        const lines = bytes.toString().split('\n').length - 1;
        expect(batch.first).toBe(next);
        expect(batch.last).toBe(next + lines - 1);
        expect(lines).toBeLessThanOrEqual(1000);
        if (lines > 1) expect(batch.size).toBeLessThanOrEqual(BATCH_BYTES);
        next += lines;
        at += batch.size;
        text += bytes.toString('latin1');
      }
      expect(text).toBe(events.map((event) => eventLine(event) + '\n').join(''));
      expect(await readTail(handle, start, whole)).toEqual({
        last: events.length,
        exited: false,
        end: size,
        at: 0,
        next: events.length + 1,
      });
      await handle.close();
    }),
    { numRuns: 60 },
  );
});

test('R-44: a torn last line is cut off, and an exit is seen', async () => {
  const exit: TraceEvent = { type: 'exit', seq: seq(2), at: millis(1), code: 0 };
  const { path, size } = file([event(1, 10), exit], '{"type":"fra');
  const handle = await open(path);
  const start = await startOf(handle);
  expect(await readTail(handle, start, (await handle.stat()).size)).toEqual({
    last: 2,
    exited: true,
    end: size,
    at: 1,
    next: 3,
  });
  await handle.close();
});

test('attack row 18 (R-46): what ends in lines that cannot be read has a next number after them, or none', async () => {
  const gap: TraceEvent = { type: 'gap', seq: seq(3), at: millis(1), count: 4, reason: 'r' };
  const other = '{"seq":1,"type":"frame"}\n\0\0\0\n';
  const long = '{"type":"frame","seq":99999999999999999999,"at":1,"from"\n';
  for (const [events, rest, last, next] of [
    [[event(1, 10), event(2, 10)], other, 2, 5],
    [[event(2, 10), gap], long, 3, 8],
    [[], other, 0, undefined],
    [[event(1, 10)], 'x\n'.repeat(500), 0, undefined],
  ] as const) {
    const { path } = file(events, `${rest}{"type":"exit","se`);
    const handle = await open(path);
    const { size } = await handle.stat();
    const tail = await readTail(handle, await startOf(handle), size);
    expect(tail).toMatchObject({ last, exited: false, end: size - 18 });
    expect(tail.next).toBe(next);
    await handle.close();
  }
});

test('a file that is no trace is told from one whose header is not whole yet', async () => {
  for (const [text, is] of [
    ['', 'not_whole'],
    [HEADER.slice(0, 20), 'not_whole'],
    [HEADER, 'not_whole'],
    ['hello\n', 'foreign'],
    ['{"format":"other"}\n', 'foreign'],
    ['x'.repeat(16 * 1024 * 1024), 'foreign'],
  ] as const) {
    writeFileSync(join(folder, 'other'), text);
    const handle = await open(join(folder, 'other'));
    expect(await readHeader(handle)).toBe(is);
    await handle.close();
  }
});
