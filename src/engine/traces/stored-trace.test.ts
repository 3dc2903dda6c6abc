import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { decodeUtf8, encodeUtf8 } from '../../lib/utf8.ts';
import { INDEX_VERSION, keepIndex } from '../../model/kept-index.ts';
import { blockBytes } from '../../storage/block-bytes.ts';
import { crc32 } from '../../storage/crc32.ts';
import { MemoryStore } from '../../storage/memory-store.ts';
import { TimelineView } from '../../model/timeline/timeline-view.ts';
import { problemOf } from '../../storage/problem.ts';
import type { StoredBlock, StoredTrace } from '../../storage/schema.ts';
import type { TraceParts } from '../../storage/store.ts';
import {
  handshake,
  live,
  madeUp,
  replay,
  Script,
} from '../../test/traces/arbitrary-conversation.ts';
import { connectionId, seq, type Seq, type TraceEvent } from '../../trace/event.ts';
import { eventLine } from '../../trace/format.ts';
import { Intake } from './intake.ts';
import { OpenTrace } from './open-trace.ts';
import { firstLook, keepTrace, loadTrace } from './stored-trace.ts';

const CONNECTION = connectionId('c');

/** As the browser's database: full blocks are Blobs, which a worker reads without waiting. */
class BlobStore extends MemoryStore {
  readonly held = new Map<Blob, Uint8Array<ArrayBuffer>>();
  /** Which of its coming writes of an index fails. */
  failing = 0;
  /** Which block's bytes are gone. */
  lost = 0;

  override async blocks(connection: typeof CONNECTION, after: Seq) {
    const stored = await super.blocks(connection, after);
    if (!stored.ok) return stored;
    const value: StoredBlock[] = [];
    for (const block of stored.value) {
      const bytes = Uint8Array.from(await blockBytes(block));
      const blob = new Blob([bytes]);
      if (--this.lost === 0)
        blob.arrayBuffer = () =>
          Promise.reject(new DOMException('it could not be read', 'NotReadableError'));
      this.held.set(blob, bytes);
      value.push({ ...block, bytes: blob, sum: crc32(bytes) });
    }
    return { ok: true as const, value };
  }
  override async putIndex(connection: typeof CONNECTION, made: TraceParts) {
    if (--this.failing === 0) return FAILED;
    return super.putIndex(connection, structuredClone(made));
  }
}

const FAILED = { ok: false, problem: problemOf(new DOMException('why', 'UnknownError')) } as const;

/** One of the operations that keeping and opening take fails, as a database that is lost does. */
class FailingStore extends BlobStore {
  left = Infinity;

  /** As if nothing had been kept. */
  forget() {
    return super.putIndex(CONNECTION, {
      head: { version: 0, last: seq(0), bytes: 0, blocks: 0 },
      parts: new Map(),
    });
  }
  readonly #or = async <T>(work: () => Promise<T>) => (--this.left === 0 ? FAILED : work());

  override blocks(connection: typeof CONNECTION, after: Seq) {
    return this.#or(() => super.blocks(connection, after)) as ReturnType<BlobStore['blocks']>;
  }
  override index(connection: typeof CONNECTION, version: number) {
    return this.#or(() => super.index(connection, version)) as ReturnType<BlobStore['index']>;
  }
  override first(connection: typeof CONNECTION) {
    return this.#or(() => super.first(connection)) as ReturnType<BlobStore['first']>;
  }
  override putIndex(connection: typeof CONNECTION, made: TraceParts) {
    return this.#or(() => super.putIndex(connection, made)) as ReturnType<BlobStore['putIndex']>;
  }
}

class Page {
  readonly store: BlobStore;
  stored: StoredTrace | undefined;
  /** The bytes whose lines were read. */
  read: string[] = [];
  readonly intake = new Intake<OpenTrace>(() => undefined);
  readonly catalog = { get: () => this.stored, isRunning: () => false, live: () => undefined };

  constructor(store = new BlobStore(undefined)) {
    this.store = store;
  }
  async begin(): Promise<this> {
    vi.stubGlobal('FileReaderSync', this.#reader());
    const add = this.intake.add.bind(this.intake);
    this.intake.add = (trace, bytes) => {
      if (bytes.length > 0) this.read.push(Buffer.from(bytes).toString());
      return add(trace, bytes);
    };
    const added = await this.store.addTrace({
      ...{
        connection: CONNECTION,
        name: 'a',
        mode: 'file',
        startedAt: '',
        header: encodeUtf8('{}'),
      },
    });
    this.stored = added.ok ? added.value : undefined;
    return this;
  }
  #reader() {
    const { held } = this.store;
    return class {
      readAsArrayBuffer = (blob: Blob) => held.get(blob)?.slice().buffer;
    };
  }
  /** `junk`: behind the first of them stands a line that is none. */
  async append(events: readonly TraceEvent[], junk = false): Promise<void> {
    const lines = events.map(
      (event, at) => `${eventLine(event)}\n${junk && at === 0 ? 'no\n' : ''}`,
    );
    let end = 0;
    const batch = {
      ...{ connection: CONNECTION, after: this.stored?.last ?? seq(0) },
      ...{ bytes: encodeUtf8(lines.join('')), seqs: events.map((event) => event.seq) },
      ...{ ends: lines.map((line) => (end += encodeUtf8(line).length)), frames: events.length },
    };
    const appended = await this.store.append([batch]);
    const [one] = appended.ok ? appended.value : [];
    if (one && 'trace' in one) this.stored = one.trace;
  }
  async open(): Promise<OpenTrace> {
    const trace = new OpenTrace(CONNECTION, (id) => `S ${id}`, 'gone');
    expect(await loadTrace(trace, this)).toMatchObject({ ok: true });
    return trace;
  }
  keep = (trace: OpenTrace) => keepTrace(trace, this, 1);
}
const page = () => new Page().begin();
/** All that can be known of a trace. */
const known = (trace: OpenTrace) => ({
  events: trace.lines.all(),
  texts: trace.lines.texts(0),
  index: keepIndex(trace.index),
  facts: trace.index.facts(),
  last: trace.last,
});
const frames = (from: number, to: number): TraceEvent[] => {
  const script = new Script();
  handshake(script, 1);
  for (let at = 0; at < to; at++) script.update({ sessionUpdate: 'agent_message_chunk', at });
  return script.frames.slice(from - 1, to);
};

afterEach(() => vi.unstubAllGlobals());

describe('a stored trace', () => {
  test('that was kept is opened without reading its lines, and is the same', async () => {
    const at = await page();
    await at.append(frames(1, 50));
    const first = await at.open();
    await at.keep(first);
    const same = known(first);
    at.read = [];
    const again = await at.open();
    expect(at.read).toEqual([]);
    expect(known(again)).toEqual(same);
    expect(again.kept).toBe(again.lines.bytes);
  });

  test('goes on from what was kept, reading only what came behind it', async () => {
    const at = await page();
    await at.append(frames(1, 50));
    await at.keep(await at.open());
    await at.append(frames(51, 60));
    at.read = [];
    const again = await at.open();
    expect(at.read.join('').split('\n')[0]).toBe(eventLine(frames(51, 51)[0] as TraceEvent));
    expect(again.lines.all()).toEqual(frames(1, 60));
  });

  test('tells who listens already of what was kept', async () => {
    const at = await page();
    await at.append(frames(1, 5));
    await at.keep(await at.open());
    const trace = new OpenTrace(CONNECTION, () => 'S1', 'gone');
    const heard: number[] = [];
    trace.listen((event) => heard.push(event.seq));
    await loadTrace(trace, at);
    expect(heard).toEqual([1, 2, 3, 4, 5]);
  });

  test('is read from its bytes where what was kept is of another version', async () => {
    const at = await page();
    await at.append(frames(1, 50));
    await at.keep(await at.open());
    const made = await at.store.index(CONNECTION, INDEX_VERSION);
    if (!made.ok || !made.value) throw new Error('not kept');
    const { head, parts } = made.value;
    await at.store.putIndex(CONNECTION, { head: { ...head, version: 0 }, parts });
    at.read = [];
    expect((await at.open()).lines.all()).toEqual(frames(1, 50));
    expect(at.read.length).toBeGreaterThan(0);
  });

  test('is read from its bytes where what was kept says something else than they, or is broken', async () => {
    const at = await page();
    await at.append(frames(1, 50));
    const first = await at.open();
    await at.keep(first);
    const same = known(first);
    const made = await at.store.index(CONNECTION, INDEX_VERSION);
    if (!made.ok || !made.value) throw new Error('not kept');
    const { head, parts } = made.value;
    const heads = [
      { ...head, last: seq(head.last - 1) },
      { ...head, bytes: head.bytes - 1 },
      { ...head, bytes: 0 },
    ];
    for (const other of heads) {
      await at.store.putIndex(CONNECTION, { head: other, parts });
      expect(known(await at.open())).toEqual(same);
    }
    for (const part of parts.keys()) {
      await at.store.putIndex(CONNECTION, {
        head,
        parts: new Map([...parts].filter(([one]) => one !== part)),
      });
      expect(known(await at.open()), part).toEqual(same);
    }
  });

  test('shows its first rows and its counts before it is read, and then what was read', async () => {
    const at = await page();
    await at.append(frames(1, 500));
    await at.keep(await at.open());
    const trace = new OpenTrace(CONNECTION, (id) => `S ${id}`, 'gone');
    await firstLook(trace, at);
    const whole = new TimelineView((await at.open()).index, (place) => trace.lines.event(place));
    expect(trace.first?.facts).toEqual(whole.state());
    expect(trace.first?.rows.length).toBeGreaterThan(2);
    const opened = await at.open();
    const rows = new TimelineView(opened.index, (place) => opened.lines.event(place));
    expect(trace.first?.rows).toEqual(rows.rows(0, 160));
    await loadTrace(trace, at);
    expect(trace.first).toBe(undefined);
  });

  test('shows no first rows of other bytes, of another version or form, or where events came since', async () => {
    const at = await page();
    await at.append(frames(1, 50));
    await at.keep(await at.open());
    const made = await at.store.index(CONNECTION, INDEX_VERSION);
    if (!made.ok || !made.value) throw new Error('not kept');
    const { head, parts } = made.value;
    const shown = async () => {
      const trace = new OpenTrace(CONNECTION, () => 'S1', 'gone');
      await firstLook(trace, at);
      return trace.first !== undefined;
    };
    expect(await shown()).toBe(true);
    const heads = [
      { ...head, last: seq(head.last - 1) },
      { ...head, bytes: head.bytes - 1 },
      { ...head, blocks: head.blocks + 1 },
      { ...head, version: head.version + 1 },
    ];
    for (const other of heads) {
      await at.store.putIndex(CONNECTION, { head: other, parts });
      expect(await shown()).toBe(false);
    }
    const first = { ...(parts.get('first') as object), version: 0 };
    await at.store.putIndex(CONNECTION, { head, parts: new Map([...parts, ['first', first]]) });
    expect(await shown()).toBe(false);
    await at.store.putIndex(CONNECTION, { head, parts });
    expect(await shown()).toBe(true);
    await at.append(frames(51, 52));
    expect(await shown()).toBe(false);
  });

  test('R-33 is what its bytes say, or says that it cannot be read, whichever operation of keeping and opening fails', async () => {
    const store = new FailingStore(undefined);
    const at = await new Page(store).begin();
    await at.append(frames(1, 60));
    const same = known(await at.open());
    for (let nth = 1, last = 0; last === 0; nth++) {
      await store.forget();
      const trace = new OpenTrace(CONNECTION, (id) => `S ${id}`, 'gone');
      await loadTrace(trace, at);
      store.left = nth;
      await at.keep(trace);
      const again = new OpenTrace(CONNECTION, (id) => `S ${id}`, 'gone');
      await firstLook(again, at);
      const loaded = await loadTrace(again, at);
      if (store.left > 0) last = nth;
      store.left = Infinity;
      expect(known(trace), `the ${nth}th fails`).toEqual(same);
      if (loaded.ok) expect(known(again), `the ${nth}th fails`).toEqual(same);
      else expect(loaded.problem.message).toContain('why');
      expect(again.first).toBe(undefined);
    }
  });

  test('R-33 that could not be kept is as it was, and is kept at another time', async () => {
    const at = await page();
    await at.append(frames(1, 50));
    const first = await at.open();
    at.store.failing = 1;
    await at.keep(first);
    expect(await at.store.index(CONNECTION, INDEX_VERSION)).toEqual({ ok: true, value: undefined });
    expect(first.lines.all()).toEqual(frames(1, 50));
    await at.keep(await at.open());
    expect(await at.store.index(CONNECTION, INDEX_VERSION)).toMatchObject({
      value: { head: { last: 50 } },
    });
  });

  test.each([1, 2, 3])(
    'R-39 of which the disk has block %d no more is opened with a gap in its place, and it is said',
    async (nth) => {
      const at = await page();
      const blocks = [frames(1, 1000), frames(1001, 2000), frames(2001, 2100)];
      for (const block of blocks) await at.append(block);
      at.store.lost = nth;
      const trace = new OpenTrace(CONNECTION, () => 'S1', 'gone');
      const loaded = await loadTrace(trace, at);
      expect(!loaded.ok && loaded.problem.message).toContain('(it could not be read)');
      const [gone = []] = blocks.splice(nth - 1, 1);
      const ofType = (type: string) => trace.lines.all().filter((event) => event.type === type);
      expect(ofType('gap')).toMatchObject([{ seq: gone[0]?.seq, count: gone.length }]);
      expect(ofType('frame')).toEqual(blocks.flat());
    },
  );

  test('R-39 of which a letter became another, in a block that its opening did not read, tells it where it is read', async () => {
    const at = await page();
    for (const first of [1, 1001]) await at.append(frames(first, first + 999));
    await at.keep(await at.open());
    const trace = await at.open();
    for (const { buffer } of at.store.held.values())
      Buffer.from(buffer).write('q', Buffer.from(buffer).lastIndexOf('peer'));
    expect(trace.lines.read(999)).toMatchObject({ type: 'gap', seq: 1000 });
    expect(decodeUtf8(trace.lines.texts(0).bytes)?.trim()).toBe('');
    expect(() => trace.lines.batch(CONNECTION, seq(0), 0, 10)).toThrow('other bytes');
  });

  test('is not kept before all of it is stored, nor while it is read', async () => {
    const at = await page();
    await at.append(frames(1, 50));
    const trace = await at.open();
    const stored = at.stored;
    at.stored = stored && { ...stored, reading: true };
    await at.keep(trace);
    at.stored = stored;
    trace.take(encodeUtf8(`${eventLine(frames(51, 51)[0] as TraceEvent)}\n`), 0, () => false);
    await at.keep(trace);
    expect(await at.store.index(CONNECTION, INDEX_VERSION)).toEqual({ ok: true, value: undefined });
    await at.store.purge(CONNECTION);
    at.stored = stored && { ...stored, bytes: trace.lines.bytes };
    await at.keep(trace);
    expect(await at.store.index(CONNECTION, INDEX_VERSION)).toEqual({ ok: true, value: undefined });
  });

  test('N1 N2 however it grows, is kept and opened: the same as read from its bytes, each event once', async () => {
    const step = fc.record({ size: fc.integer({ min: 1, max: 30 }), keep: fc.boolean(), junk: fc.boolean(), fails: fc.boolean() }); // prettier-ignore
    await fc.assert(
      fc.asyncProperty(
        madeUp,
        fc.constantFrom(1, 2),
        fc.array(step),
        async (made, version, steps) => {
          const script = new Script();
          handshake(script, version);
          live(script, made, version);
          replay(script, made, version);
          const at = await page();
          let next = 0;
          for (const { size, keep, junk, fails } of steps) {
            const events = script.frames.slice(next, next + size);
            next += events.length;
            if (events.length > 0) await at.append(events, junk);
            at.store.failing = fails ? 1 : 0;
            if (keep) await at.keep(await at.open());
          }
          const opened = await at.open();
          vi.spyOn(at.store, 'index').mockResolvedValue({ ok: true, value: undefined });
          const plain = await at.open();
          expect(known(opened)).toEqual(known(plain));
          expect(opened.lines.all()).toEqual(script.frames.slice(0, next));
        },
      ),
      { numRuns: 40 },
    );
  });
});
