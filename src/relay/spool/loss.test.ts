// No event is ever missing without being in a gap, whatever a disk does.
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { encodeUtf8 } from '../../lib/utf8.ts';
import { connectionId, seq, type TraceEvent } from '../../trace/event.ts';
import { TraceReader } from '../../trace/read.ts';
import type { Disk } from './disk.ts';
import { Recorder, type RecorderOptions } from './recorder.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const GiB = 1024 ** 3;

interface Stored {
  bytes: Buffer;
}

/** One file in memory, on a disk that does as it is told. */
class TestDisk implements Disk {
  /** What stands under the name; undefined: nothing. */
  named: Stored | undefined;
  /** The disk takes so many bytes. */
  takes = Infinity;
  /** What it says that is left of it. */
  free = 100 * GiB;
  size = 200 * GiB;
  /** Steps from now on that fail, by how. */
  faults: ('ok' | 'fails' | 'partly')[] = [];
  hangs = false;
  get bytes(): Buffer {
    return this.named?.bytes ?? Buffer.alloc(0);
  }

  readonly #open = new Map<number, Stored>();
  #next = 3;

  async open(_: string, replace: boolean): Promise<number> {
    await this.#step();
    if (this.named && !replace) throw fault('EEXIST');
    this.named = { bytes: Buffer.alloc(0) };
    this.#open.set(++this.#next, this.named);
    return this.#next;
  }

  async write(file: number, bytes: Uint8Array, from: number): Promise<number> {
    const how = await this.#step();
    const stored = this.#stored(file);
    const wish = how === 'partly' ? Math.ceil((bytes.length - from) / 2) : bytes.length - from;
    const took = Math.min(wish, this.takes - stored.bytes.length);
    if (took <= 0) throw fault('ENOSPC');
    stored.bytes = Buffer.concat([stored.bytes, bytes.subarray(from, from + took)]);
    return took;
  }

  async truncate(file: number, size: number): Promise<void> {
    await this.#step();
    const stored = this.#stored(file);
    stored.bytes = stored.bytes.subarray(0, size);
  }

  async identity(file: number | string): Promise<string> {
    await Promise.resolve();
    const stored = typeof file === 'number' ? this.#stored(file) : this.named;
    if (!stored) throw fault('ENOENT');
    const ids = [...this.#open].filter(([, other]) => other === stored);
    return String(ids[0]?.[0]);
  }

  /** Bytes of recordings in its folder, this one not counted. */
  others = 0;
  recorded = () => Promise.resolve(this.others + this.bytes.length);
  room = () => Promise.resolve({ free: this.free, size: this.size });
  sync = () => Promise.resolve();
  close = () => Promise.resolve();

  async #step(): Promise<'ok' | 'partly'> {
    await (this.hangs ? new Promise(() => undefined) : Promise.resolve());
    const how = this.faults.shift() ?? 'ok';
    if (how === 'fails') throw fault('EIO');
    return how;
  }

  #stored(file: number): Stored {
    const stored = this.#open.get(file);
    if (!stored) throw fault('EBADF');
    return stored;
  }
}

function fault(code: string): Error {
  return Object.assign(new Error(code), { code });
}

function recorder(disk: Disk, more: Partial<RecorderOptions> = {}): Recorder {
  return new Recorder({
    ...{ path: '/trace', connection: connectionId('c'), tool: 'test', name: 'agent' },
    ...{ mode: 'drive', argv: ['agent'], cwd: '/', disk, ...more },
  });
}

function eventsIn(bytes: Uint8Array): TraceEvent[] {
  const reader = new TraceReader();
  const items = [...reader.push(bytes), ...reader.end()];
  return items.flatMap((item) => ('event' in item ? [item.event] : []));
}

/** The seqs that events stand for, one after the other; a gap for those it counts. */
const told = (events: readonly TraceEvent[]) =>
  events.flatMap((event) =>
    Array.from({ length: event.type === 'gap' ? event.count : 1 }, (_, i) => event.seq + i),
  );
const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);

const line = (size: number) => encodeUtf8('x'.repeat(size));
const MB = 1024 * 1024;

async function close(rec: Recorder): Promise<void> {
  const closed = rec.close();
  await vi.advanceTimersByTimeAsync(6000);
  await closed;
}

test('attack row 5 (N1, N5, R-07): what follows a line of 120 MB is recorded, and the line whole', async () => {
  const disk = new TestDisk();
  let written = 0;
  disk.write = async (_, bytes, from) => {
    // A slow disk: now and then a write takes a moment.
    if (bytes.length % 8 === 0) await new Promise((resolve) => setImmediate(resolve));
    written += bytes.length - from;
    return bytes.length - from;
  };
  const rec = recorder(disk);
  const pieces = Array.from({ length: 120 }, () => line(MB));
  rec.framed('agent', { kind: 'whole', pieces });
  expect(rec.full).toBe(true);
  for (let i = 0; i < 22; i++) rec.frame('agent', line(100), 'peer');
  await close(rec);
  expect(rec.trouble).toBeUndefined();
  expect(rec.shortfall).toBeUndefined();
  expect(written).toBeGreaterThan(120 * MB + 22 * 100);
});

test('attack row 5 (R-08): events are lost only beside the longest line, and the cause is the disk’s', async () => {
  const disk = new TestDisk();
  const rec = recorder(disk);
  disk.hangs = true;
  await vi.advanceTimersByTimeAsync(1500);
  const pieces = Array.from({ length: 70 }, () => line(MB));
  for (let i = 0; i < 3; i++) rec.framed('agent', { kind: 'whole', pieces });
  expect(rec.trouble).toMatchObject({ code: 'HANGS', lost: 1 });
  await close(rec);
  expect(rec.shortfall).toMatch(/^3 of 3 events are not in \/trace \(3: the disk hangs/);
});

test('attack row 6 (R-21): an agent that ends while the disk is full leaves a gap with its cause, and its exit', async () => {
  const disk = new TestDisk();
  disk.takes = 20_000;
  let troubled = 0;
  const rec = recorder(disk, { onTrouble: () => troubled++ });
  for (let i = 0; i < 200; i++) rec.frame('agent', line(200), 'peer');
  await vi.advanceTimersByTimeAsync(1000);
  expect(rec.trouble).toMatchObject({ code: 'ENOSPC', lost: 0 });
  expect(troubled).toBeGreaterThan(0);
  rec.exit({ code: 3 });
  await close(rec);
  const events = eventsIn(disk.bytes);
  expect(told(events)).toEqual(upTo(201));
  expect(events.slice(-2)).toMatchObject([
    { type: 'gap', reason: 'the disk is full (ENOSPC)' },
    { type: 'exit', seq: 201, code: 3 },
  ]);
  expect(disk.bytes.length).toBeLessThanOrEqual(20_000);
  const { count = 0 } = events.find((event) => event.type === 'gap') ?? {};
  expect(rec.shortfall).toBe(
    `${count} of 201 events are not in /trace (${count}: the disk is full (ENOSPC)).`,
  );
});

test('N15: when the power fails, what came a good second before is there, and of the rest no more is torn than one line', async () => {
  const step = fc.record({ frames: fc.integer({ min: 0, max: 20 }), ms: fc.integer({ min: 1, max: 900 }) }); // prettier-ignore
  const part = fc.double({ min: 0, max: 1, noNaN: true });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), part, async (steps, ofTheRest) => {
      const disk = new TestDisk();
      let safe = 0;
      disk.sync = () => Promise.resolve(void (safe = disk.bytes.length));
      const rec = recorder(disk);
      const said: { at: number; last: number }[] = [];
      for (const { frames, ms } of steps) {
        for (let i = 0; i < frames; i++) rec.frame('agent', line(50), 'peer');
        said.push({ at: Date.now(), last: rec.last });
        await vi.advanceTimersByTimeAsync(ms);
      }
      // Of what the disk was not told to keep, a part may be there all the same.
      const left = disk.bytes.subarray(
        0,
        safe + Math.floor((disk.bytes.length - safe) * ofTheRest),
      );
      const seqs = told(eventsIn(left));
      const due = said.findLast(({ at }) => Date.now() - at > 1100)?.last ?? 0;
      expect(seqs).toEqual(upTo(seqs.length));
      expect(seqs.length).toBeGreaterThanOrEqual(due);
      await close(rec);
    }),
    { numRuns: 60 },
  );
});

test.each([
  ['a disk of which under 1 GiB is free', { free: GiB - 1 }],
  ['a small disk of which under a tenth is free', { free: 9_999, size: 100_000 }],
])('N14: %s takes no recording, until there is room again', async (_, left) => {
  const disk = Object.assign(new TestDisk(), left);
  const rec = recorder(disk);
  for (let i = 0; i < 10; i++) rec.frame('agent', line(200), 'peer');
  await vi.advanceTimersByTimeAsync(1000);
  expect(rec.trouble).toMatchObject({ code: 'LOW', lost: 0 });
  expect(disk.bytes.length).toBe(0);
  disk.free = 10 * GiB;
  await vi.advanceTimersByTimeAsync(1000);
  expect(rec.trouble).toBeUndefined();
  await close(rec);
  expect(told(eventsIn(disk.bytes))).toEqual(upTo(10));
});

test('N14: a disk that gets full under a recording stops it with a gap, and leaves the rest free', async () => {
  const disk = new TestDisk();
  const rec = recorder(disk);
  rec.frame('agent', line(200), 'peer');
  await vi.advanceTimersByTimeAsync(1000);
  disk.free = 1000;
  await vi.advanceTimersByTimeAsync(1000);
  for (let i = 0; i < 100; i++) rec.frame('agent', line(200), 'peer');
  await vi.advanceTimersByTimeAsync(1000);
  rec.exit({ code: 0 });
  await close(rec);
  const events = eventsIn(disk.bytes);
  const times = events.map(({ at }) => at ?? NaN);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(events.slice(-2)).toMatchObject([
    { type: 'gap', count: 100, reason: 'under 1 GiB, or a tenth, of the disk is free' },
    { type: 'exit', seq: 102, code: 0 },
  ]);
});

test('N14: a recording in our own folder stops at its limit, between two lines, with a gap', async () => {
  const disk = new TestDisk();
  const rec = recorder(disk, { limits: { one: 20_000, all: Infinity } });
  for (let i = 0; i < 200; i++) {
    rec.frame('agent', line(200), 'peer');
    if (i % 10 === 0) await vi.advanceTimersByTimeAsync(10);
  }
  await vi.advanceTimersByTimeAsync(1000);
  expect(rec.trouble?.code).toBe('LIMIT');
  rec.exit({ code: 0 });
  await close(rec);
  const events = eventsIn(disk.bytes);
  expect(told(events)).toEqual(upTo(201));
  expect(events.at(-2)).toMatchObject({
    type: 'gap',
    reason: 'the recording has the most that it may have, 2 GiB',
  });
  expect(disk.bytes.length).toBeLessThan(24_000);
});

test('N14: where all recordings together have their most, none grows, until some of them are gone', async () => {
  const disk = new TestDisk();
  const rec = recorder(disk, { limits: { one: Infinity, all: 20_000 } });
  rec.frame('agent', line(200), 'peer');
  await vi.advanceTimersByTimeAsync(1000);
  disk.others = 20_000;
  for (let i = 0; i < 12; i++) {
    rec.frame('agent', line(200), 'peer');
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(rec.trouble?.code).toBe('FOLDER');
  for (let i = 0; i < 30; i++) rec.frame('agent', line(MB), 'peer');
  disk.others = 0;
  await vi.advanceTimersByTimeAsync(1000);
  rec.exit({ code: 0 });
  await close(rec);
  const events = eventsIn(disk.bytes);
  expect(told(events)).toEqual(upTo(44));
  expect(events.filter(({ type }) => type === 'gap')).toMatchObject([
    { reason: 'all recordings together have 8 GiB' },
  ]);
});

test('attack row 6 (R-21): what waits for a disk is given to who asks, exit and all, and no more than once', async () => {
  const disk = new TestDisk();
  disk.takes = 0;
  const rec = recorder(disk, { patience: Infinity });
  rec.frame('agent', line(10), 'peer');
  await vi.advanceTimersByTimeAsync(300);
  for (let i = 0; i < 9; i++) rec.frame('agent', line(MB), 'peer');
  expect(rec.newest).toBeLessThan(rec.last);
  rec.exit({ code: 0 });
  void rec.close();
  await vi.advanceTimersByTimeAsync(60_000);
  const given: TraceEvent[] = [];
  for (let after = seq(0); ;) {
    const batch = rec.held(after);
    if (!batch) break;
    after = batch.last;
    const parts: Uint8Array[] = [Buffer.from('{"format":"acptrace","version":1}\n')];
    for await (const part of batch.parts) parts.push(part);
    given.push(...eventsIn(Buffer.concat(parts)));
  }
  expect(told(given)).toEqual(upTo(11));
  expect(given.at(-1)).toMatchObject({ type: 'exit', seq: rec.newest });
  // There is room again: the file gets the same.
  disk.takes = Infinity;
  await vi.advanceTimersByTimeAsync(300);
  expect(rec.held(seq(0))).toBeUndefined();
  expect(eventsIn(disk.bytes)).toEqual(given);
});

test('attack row 6 (R-21): a file that is removed is begun anew, and says what was in the other', async () => {
  const disk = new TestDisk();
  let removed = 0;
  const rec = recorder(disk, { onRemoved: () => removed++ });
  for (let i = 0; i < 5; i++) rec.frame('agent', line(10), 'peer');
  await vi.advanceTimersByTimeAsync(100);
  disk.named = undefined;
  await vi.advanceTimersByTimeAsync(1000);
  expect(removed).toBe(1);
  rec.frame('agent', line(10), 'peer');
  rec.exit({ signal: 'SIGTERM' });
  await vi.advanceTimersByTimeAsync(100);
  // And once more, with all of it.
  disk.named = undefined;
  await close(rec);
  expect(eventsIn(disk.bytes)).toMatchObject([
    { type: 'gap', seq: 1, count: 6, reason: 'the file of the recording was removed' },
    { type: 'exit', seq: 7, signal: 'SIGTERM' },
  ]);
  expect(rec.shortfall).toContain('6 of 7 events are not in /trace');
});

test('attack row 6 (N1, R-21): whichever step of the disk fails, no event is missing without a gap', async () => {
  const faults = fc.array(fc.constantFrom('ok', 'fails', 'partly', 'removed'), { maxLength: 30 });
  const size = fc.oneof({ weight: 6, arbitrary: fc.nat(3000) }, fc.constantFrom(MB, 1.5 * MB));
  const sizes = fc.array(size, { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(faults, sizes), { minLength: 1, maxLength: 4 }),
      fc.option(fc.nat(3 * MB)),
      fc.boolean(),
      async (steps, room, mends) => {
        const disk = new TestDisk();
        const rec = recorder(disk);
        disk.takes = room ?? Infinity;
        for (const [faults, sizes] of steps) {
          if (faults.includes('removed')) disk.named = undefined;
          disk.faults.push(...faults.filter((how) => how !== 'removed'));
          for (const size of sizes) rec.frame('agent', line(size), 'peer');
          await vi.advanceTimersByTimeAsync(600);
        }
        rec.exit({ code: 0 });
        if (mends) {
          disk.takes = Infinity;
          disk.faults = [];
        }
        const closed = rec.close();
        await vi.advanceTimersByTimeAsync(6000);
        await closed;
        const events = eventsIn(disk.bytes);
        const seqs = told(events);
        const lacks = events.reduce((sum, it) => sum + (it.type === 'gap' ? it.count : 0), 0);
        expect(seqs).toEqual(upTo(seqs.length));
        // What the file does not say, who ends the recording is told.
        const missing = rec.last - seqs.length + lacks;
        const said = Number(/^([\d,]+) of/.exec(rec.shortfall ?? '0 of')?.[1]?.replaceAll(',', ''));
        expect(said).toBe(missing);
        if (mends) expect(seqs.length).toBe(rec.last);
      },
    ),
    { numRuns: 40 },
  );
});

test('every write can fail (N1, R-21): whichever step of the disk is the one that fails, a short session is there, or said', async () => {
  for (const how of ['fails', 'partly'] as const)
    for (let nth = 0; nth < 12; nth++) {
      const disk = new TestDisk();
      disk.faults.push(...Array.from({ length: nth }, () => 'ok' as const), how);
      const rec = recorder(disk);
      for (let i = 0; i < 6; i++) {
        rec.frame('agent', line(10), 'peer');
        await vi.advanceTimersByTimeAsync(100);
      }
      rec.exit({ code: 0 });
      await close(rec);
      const seqs = told(eventsIn(disk.bytes));
      expect([how, nth, seqs, rec.shortfall]).toEqual([how, nth, upTo(7), undefined]);
    }
});
