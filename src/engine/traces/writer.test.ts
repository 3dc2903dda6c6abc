import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { millis } from '../../lib/time.ts';
import { decodeUtf8, encodeUtf8 } from '../../lib/utf8.ts';
import { blockBytes } from '../../storage/block-bytes.ts';
import { MemoryStore } from '../../storage/memory-store.ts';
import { problemOf, storageProblem, type StorageProblem } from '../../storage/problem.ts';
import { connectionId, seq, type TraceEvent } from '../../trace/event.ts';
import { LineStore } from './line-store.ts';
import { Writer } from './writer.ts';

const CONNECTION = connectionId('c');
const TRACE = {
  connection: CONNECTION,
  name: 'agent',
  mode: 'drive',
  startedAt: '2026-11-21T10:00:00.000Z',
  header: encodeUtf8('{}'),
} as const;

/** A store that can be told to refuse, or to lose what it has. */
class Moody extends MemoryStore {
  refuses: StorageProblem | undefined;
  appends = 0;
  override append(batches: Parameters<MemoryStore['append']>[0]) {
    this.appends++;
    if (this.refuses) return Promise.resolve({ ok: false as const, problem: this.refuses });
    return super.append(batches);
  }
}

function grow(lines: LineStore, count: number): void {
  const text = Array.from({ length: count }, (_, i) => `#${lines.length + i + 1}\n`);
  const chunk = encodeUtf8(text.join(''));
  let start = 0;
  for (const line of text) {
    const end = start + line.length - 1;
    const event: TraceEvent = {
      type: 'frame',
      seq: seq(lines.length + 1),
      at: millis(0),
      from: 'agent',
      line: { text: '' },
      origin: 'peer',
    };
    lines.add(chunk, start, end, event, line);
    start = end + 1;
  }
}
async function content(store: MemoryStore): Promise<string> {
  const blocks = await store.blocks(CONNECTION, seq(0));
  return (await Promise.all((blocks.ok ? blocks.value : []).map(blockBytes)))
    .map(decodeUtf8)
    .join('');
}
const all = (count: number) => Array.from({ length: count }, (_, i) => `#${i + 1}\n`).join('');

async function made() {
  const store = new Moody(undefined);
  await store.addTrace(TRACE);
  const lines = new LineStore();
  const acked: number[] = [];
  const problems: (StorageProblem | undefined)[] = [];
  const writer = new Writer(store, {
    stored: ({ last }) => acked.push(last),
    missing: async () => (await store.addTrace(TRACE)).ok,
    problem: (problem) => problems.push(problem),
  });
  writer.enable(true);
  writer.add({ connection: CONNECTION, lines }, seq(0));
  return { store, lines, acked, problems, writer };
}

describe('the writer', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const settle = (time = 200) => vi.advanceTimersByTimeAsync(time);

  test('acknowledges only what is stored', async () => {
    const { store, lines, acked, writer } = await made();
    grow(lines, 3);
    writer.wake();
    expect(acked).toEqual([]);
    await settle();
    expect(acked).toEqual([3]);
    expect(writer.behind).toBe(0);
    expect(await content(store)).toBe(all(3));
  });

  test('a slow stream is written in few transactions', async () => {
    const { store, lines, writer } = await made();
    for (let i = 0; i < 50; i++) {
      grow(lines, 1);
      writer.wake();
      await settle(5);
    }
    await settle();
    expect(store.appends).toBeLessThan(6);
    expect(await content(store)).toBe(all(50));
  });

  test('N11 of a flood each transaction stores hundreds of frames, however slow it is', async () => {
    const { store, lines, writer } = await made();
    const append = store.append.bind(store);
    store.append = async (batches) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return append(batches);
    };
    for (let at = 0; at < 1000; at++) {
      grow(lines, 10);
      writer.wake();
      await settle(1);
    }
    await settle();
    expect(writer.behind).toBe(0);
    expect(lines.length / store.appends).toBeGreaterThanOrEqual(100);
  });

  test('R-33 a full disk: nothing acknowledged, no storm of retries, all written when there is room', async () => {
    const { store, lines, acked, problems, writer } = await made();
    store.refuses = storageProblem('quota');
    for (let i = 0; i < 10; i++) {
      grow(lines, 5);
      writer.wake();
      await settle(500);
    }
    expect(acked).toEqual([]);
    expect(store.appends).toBe(1);
    expect(problems.at(-1)?.kind).toBe('quota');
    expect(writer.behind).toBe(50);
    store.refuses = undefined;
    await settle(10_000);
    expect(problems.at(-1)).toBeUndefined();
    expect(acked.at(-1)).toBe(50);
    expect(await content(store)).toBe(all(50));
  });

  test('what a person freed is used at once', async () => {
    const { store, lines, acked, writer } = await made();
    store.refuses = storageProblem('quota');
    grow(lines, 2);
    writer.wake();
    await settle();
    store.refuses = undefined;
    writer.retry();
    await settle(0);
    expect(acked).toEqual([2]);
  });

  test('R-34 what the browser took away is written again from memory', async () => {
    const { store, lines, acked, writer } = await made();
    grow(lines, 4);
    writer.wake();
    await settle();
    await store.purge(CONNECTION);
    grow(lines, 1);
    writer.wake();
    await settle(500);
    expect(await content(store)).toBe(all(5));
    expect(acked.at(-1)).toBe(5);
  });

  test('a deleted trace is not written any more', async () => {
    const store = new Moody(undefined);
    const lines = new LineStore();
    const writer = new Writer(store, {
      stored: () => undefined,
      missing: () => Promise.resolve(false),
      problem: () => undefined,
    });
    writer.enable(true);
    writer.add({ connection: CONNECTION, lines }, seq(0));
    grow(lines, 1);
    writer.wake();
    await settle();
    expect([store.appends, writer.behind]).toEqual([1, 0]);
  });

  test('R-32 in a tab that only looks nothing is written, and it takes over without loss', async () => {
    const { store, lines, acked, writer } = await made();
    const other = new Writer(store, {
      stored: () => undefined,
      missing: () => Promise.resolve(false),
      problem: () => undefined,
    });
    const seen = new LineStore();
    other.add({ connection: CONNECTION, lines: seen }, seq(0));
    grow(lines, 10);
    grow(seen, 10);
    writer.wake();
    other.wake();
    await settle();
    other.storedElsewhere(CONNECTION, seq(acked.at(-1) ?? 0));
    expect([store.appends, other.behind]).toEqual([1, 0]);
    grow(lines, 5);
    grow(seen, 5);
    writer.enable(false);
    other.enable(true);
    await settle();
    expect(await content(store)).toBe(all(15));
  });

  test('every write can fail (N1, N2): whichever transaction is the one that fails, nothing is acknowledged that is not stored', async () => {
    for (let nth = 1; nth <= 6; nth++) {
      const { store, lines, acked, problems, writer } = await made();
      for (let i = 0; i < 6; i++) {
        store.refuses =
          i + 1 === nth ? problemOf(new DOMException('why', 'UnknownError')) : undefined;
        grow(lines, 2);
        writer.wake();
        await settle(300);
        const stored = (await content(store)).split('\n').length - 1;
        expect(acked.at(-1) ?? 0).toBeLessThanOrEqual(stored);
      }
      expect(problems.some((problem) => problem?.kind === 'failed')).toBe(true);
      store.refuses = undefined;
      await settle(30_000);
      expect(await content(store)).toBe(all(12));
      expect([acked.at(-1), problems.at(-1)]).toEqual([12, undefined]);
    }
  });

  test('N1 N2 whatever fails in between, every event is stored once, in order', async () => {
    const step = fc.record({
      grow: fc.nat(30),
      mood: fc.constantFrom('fine', 'refuses', 'purged', 'other tab'),
      wait: fc.nat(12_000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
        const { store, lines, writer } = await made();
        for (const { grow: count, mood, wait } of steps) {
          store.refuses = mood === 'refuses' ? storageProblem('quota') : undefined;
          if (mood === 'purged') await store.purge(CONNECTION);
          const ahead = lines.batch(CONNECTION, seq(0), 0, 50);
          if (mood === 'other tab' && ahead) await store.append([ahead]);
          grow(lines, count);
          writer.wake();
          await settle(wait);
        }
        store.refuses = undefined;
        grow(lines, 1);
        writer.retry();
        await settle(30_000);
        expect(await content(store)).toBe(all(lines.length));
        expect(writer.behind).toBe(0);
      }),
      { numRuns: 60 },
    );
  });
});
