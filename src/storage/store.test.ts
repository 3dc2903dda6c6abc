import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeUtf8, encodeUtf8 } from '../lib/utf8.ts';
import { connectionId, seq, type Seq } from '../trace/event.ts';
import { blockBytes } from './block-bytes.ts';
import type { EventBatch } from './blocks.ts';
import { MemoryStore } from './memory-store.ts';
import { problemOf } from './problem.ts';
import type { Stored } from './problem.ts';
import { SENT_KEPT, type NewTrace } from './store.ts';

const CONNECTION = connectionId('c');
const TRACE: NewTrace = {
  connection: CONNECTION,
  name: 'agent',
  mode: 'drive',
  startedAt: '2026-11-21T10:00:00.000Z',
  header: encodeUtf8('{}'),
};

function batch(from: number, to: number, after: number = from - 1): EventBatch {
  const lines = Array.from({ length: to - from + 1 }, (_, i) => `#${from + i}\n`);
  let end = 0;
  return {
    connection: CONNECTION,
    after: seq(after),
    bytes: encodeUtf8(lines.join('')),
    seqs: lines.map((_, i) => seq(from + i)),
    ends: lines.map((line) => (end += line.length)),
    frames: lines.length,
  };
}
async function value<T>(stored: Promise<Stored<T>>): Promise<T> {
  const result = await stored;
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
}
async function text(store: MemoryStore): Promise<string> {
  let all = '';
  let after = seq(0);
  for (;;) {
    const blocks = await value(store.blocks(CONNECTION, after));
    if (blocks.length === 0) return all;
    all += (await Promise.all(blocks.map(blockBytes))).map(decodeUtf8).join('');
    after = blocks.at(-1)?.last ?? after;
  }
}

describe('the store', () => {
  test('gives each trace its own number, and the same one when added twice', async () => {
    const store = new MemoryStore(undefined);
    await store.addTrace(TRACE);
    const other = await value(store.addTrace({ ...TRACE, connection: connectionId('d') }));
    const again = await value(store.addTrace({ ...TRACE, name: 'other name' }));
    expect([other.number, again.number, again.name]).toEqual([2, 1, 'agent']);
  });

  test('a batch that does not continue what is stored is not written, and the answer says what is', async () => {
    const store = new MemoryStore(undefined);
    expect(await value(store.append([batch(1, 2)]))).toEqual([
      { connection: CONNECTION, missing: true },
    ]);
    await store.addTrace(TRACE);
    await store.append([batch(1, 2)]);
    expect(await value(store.append([batch(1, 2)]))).toMatchObject([{ trace: { last: 2 } }]);
    expect(await value(store.append([batch(9, 9)]))).toMatchObject([{ trace: { last: 2 } }]);
    expect(await text(store)).toBe('#1\n#2\n');
  });

  test('N1 N2 repeats, lost answers and rewinds leave every event stored once, in order', async () => {
    const step = fc.record({ size: fc.integer({ min: 1, max: 40 }), forget: fc.nat(3) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const store = new MemoryStore(undefined);
        await store.addTrace(TRACE);
        let known = seq(0);
        for (const { size, forget } of steps) {
          // A writer that forgot the last answers tries from an older place.
          const after = Math.max(0, known - forget) as Seq;
          const [answer] = await value(store.append([batch(after + 1, known + size, after)]));
          if (answer && 'trace' in answer) known = answer.trace.last;
        }
        expect(await text(store)).toBe(
          Array.from({ length: known }, (_, i) => `#${i + 1}\n`).join(''),
        );
        const [trace] = await value(store.traces());
        expect(trace).toMatchObject({ events: known, last: known });
      }),
    );
  });

  test('a hole of the recorder stays a hole', async () => {
    const store = new MemoryStore(undefined);
    await store.addTrace(TRACE);
    await store.append([batch(1, 2)]);
    await store.append([batch(7, 8, 2)]);
    expect(await text(store)).toBe('#1\n#2\n#7\n#8\n');
  });

  test('a patch may take a field away', async () => {
    const store = new MemoryStore(undefined);
    await store.addTrace(TRACE);
    await store.patchTrace(CONNECTION, { deletedAt: 5 });
    await store.patchTrace(CONNECTION, { deletedAt: undefined, name: 'new' });
    const [trace] = await value(store.traces());
    expect(trace).toMatchObject({ name: 'new' });
    expect(trace).not.toHaveProperty('deletedAt');
  });

  test('an empty draft is none, and the history of what was sent has an end', async () => {
    const store = new MemoryStore(undefined);
    await store.putDraft({ key: 'k', text: 'x' });
    await store.putDraft({ key: 'k', text: '' });
    expect(await value(store.draft('k'))).toBeUndefined();
    for (let at = 0; at < SENT_KEPT + 5; at++)
      await store.addSent({ at, connection: CONNECTION, text: '' });
    const sent = await value(store.sent());
    expect([sent.length, sent[0]?.at]).toEqual([SENT_KEPT, 5]);
  });
});

test('R-33 R-38 trouble of the database is a sentence that says what to do', () => {
  const thrown = (name: string) => problemOf(new DOMException('why', name));
  expect(thrown('QuotaExceededError')).toMatchObject({ kind: 'quota' });
  expect(thrown('QuotaExceededError').message).toContain('Delete or export old traces');
  expect(thrown('VersionError')).toMatchObject({ kind: 'newer' });
  expect(thrown('UnknownError').message).toContain('(why)');
});
