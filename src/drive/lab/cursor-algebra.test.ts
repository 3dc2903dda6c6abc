import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seq } from '../../trace/event.ts';
import { cursorLaws, type CursorReplay, type CursorReplays, type Law } from './cursor-algebra.ts';
import type { ReplayedItem } from '../replayed-items.ts';
import { stripOf } from './cursor-strip.ts';

/** What an agent answers a cursor with; `asked`: how often it was asked before. */
type Agent = (
  history: readonly ReplayedItem[],
  from: number,
  asked: number,
) => ReplayedItem[] | 'rejects';

const ideal: Agent = (history, from) => history.slice(from);

const history = fc
  .array(
    fc.record({
      kind: fc.constantFrom('user', 'agent', 'tool'),
      words: fc.string({ maxLength: 5 }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((said) =>
    said.map(({ kind, words }, i): ReplayedItem => ({
      id: `m${i}`,
      kind,
      words,
      digest: words,
      seq: seq(i + 1),
    })),
  );

function replays(items: readonly ReplayedItem[], agent: Agent): CursorReplays {
  let asked = 0;
  const from = (place: number): CursorReplay => {
    const came = agent(items, place, asked++);
    const base = { trace: `t${asked}`, requestSeq: seq(1) };
    return came === 'rejects' ? { ...base, rejected: '-32602' } : { ...base, items: came };
  };
  const start = from(0);
  const cursors = items.map(({ id = '' }, place) => ({
    names: id,
    cursor: `{"type":"_message","messageId":"${id}"}`,
    first: from(place),
    again: from(place),
  }));
  return { start, cursors, end: from(0) };
}

const verdicts = (made: CursorReplays) =>
  Object.fromEntries(cursorLaws(made).map(({ law, verdict }) => [law, verdict])) as Record<
    Law,
    string
  >;

describe('an agent that does it right', () => {
  test('keeps every law, whatever its history', () => {
    fc.assert(
      fc.property(history, (items) => {
        expect(verdicts(replays(items, ideal))).toEqual({
          suffix: 'holds',
          inclusive: 'holds',
          stable: 'holds',
          monotone: items.length < 2 ? 'undecidable' : 'holds',
          'no-side-effect': 'holds',
        });
      }),
    );
  });

  test('fills exactly the cells that are due', () => {
    fc.assert(
      fc.property(history, (items) => {
        const { columns, rows } = stripOf(replays(items, ideal));
        expect(columns).toEqual(items);
        expect(rows).toHaveLength(items.length + 2);
        for (const { cells } of rows)
          for (const { mark, due } of cells) expect(mark).toBe(due ? 'present' : 'absent');
      }),
    );
  });
});

describe('an agent that does it wrong', () => {
  test('exclusive cursors are tails, but not inclusive', () => {
    const exclusive: Agent = (items, from, asked) =>
      asked === 0 || asked > 2 * items.length ? [...items] : items.slice(from + 1);
    fc.assert(
      fc.property(history, (items) => {
        const made = replays(items, exclusive);
        expect(verdicts(made)).toMatchObject({
          suffix: 'holds',
          inclusive: 'fails',
          stable: 'holds',
        });
        const missing = stripOf(made)
          .rows.flatMap(({ cells }) => cells)
          .filter(({ mark, due }) => due && mark === 'absent');
        expect(missing).toHaveLength(items.length);
      }),
    );
  });

  test('ids that change from replay to replay are not stable, and asking has an effect', () => {
    const renames: Agent = (items, from, asked) =>
      items.slice(from).map((item) => ({ ...item, id: `${item.id}-${asked}` }));
    fc.assert(
      fc.property(history, (items) => {
        const made = replays(items, renames);
        expect(verdicts(made)).toMatchObject({
          suffix: 'fails',
          inclusive: 'fails',
          stable: 'fails',
          'no-side-effect': 'fails',
        });
        // Told apart from what is missing: it came, under another id.
        expect(
          stripOf(made)
            .rows.at(-1)
            ?.cells.every(({ mark }) => mark === 'other'),
        ).toBe(true);
      }),
    );
  });

  test('rows merged with the one before make a tail that repeats text', () => {
    const merges: Agent = (items, from) => {
      const [first, second, ...rest] = items.slice(from);
      if (from === 0 || first === undefined || second === undefined) return items.slice(from);
      const both = first.words + second.words;
      return [{ ...first, words: both, digest: `${both}+` }, ...rest];
    };
    fc.assert(
      fc.property(
        history.filter((items) => items.length > 2),
        (items) => {
          expect(verdicts(replays(items, merges))).toMatchObject({
            suffix: 'fails',
            inclusive: 'holds',
            stable: 'holds',
          });
        },
      ),
    );
  });

  test('a cursor that is ignored brings as much as an earlier one', () => {
    const ignores: Agent = (items) => [...items];
    fc.assert(
      fc.property(
        history.filter((items) => items.length > 1),
        (items) => {
          const made = replays(items, ignores);
          expect(verdicts(made)).toMatchObject({
            inclusive: 'fails',
            monotone: 'fails',
            'no-side-effect': 'holds',
          });
          const tooMuch = stripOf(made).rows.flatMap(({ cells }) =>
            cells.filter(({ mark, due }) => mark === 'present' && !due),
          );
          expect(tooMuch.length).toBeGreaterThan(0);
        },
      ),
    );
  });

  test('a replay that destroys what it replays is a side effect', () => {
    const destroys: Agent = (items, from, asked) => items.slice(from, items.length - asked);
    const items = ['a', 'b', 'c'].map((words, i): ReplayedItem => ({
      id: words,
      kind: 'user',
      words,
      digest: words,
      seq: seq(i + 1),
    }));
    const laws = cursorLaws(replays(items, destroys));
    expect(laws.find(({ law }) => law === 'no-side-effect')).toMatchObject({
      verdict: 'fails',
      why: 'replayed from the start again, 0 items came instead of 3',
    });
  });

  test('what the start does not have is extra, where it came', () => {
    const item = (id: string): ReplayedItem => ({
      id,
      kind: 'agent',
      words: id,
      digest: id,
      seq: seq(1),
    });
    const trace = { trace: 't', requestSeq: seq(1) };
    const start = { ...trace, items: [item('a'), item('b')] };
    const first = { ...trace, items: [item('b'), item('x')] };
    const made = {
      start,
      cursors: [{ names: 'b', cursor: '{}', first, again: first }],
      end: start,
    };
    const { columns, rows } = stripOf(made);
    expect(columns.map(({ id }) => id)).toEqual(['a', 'b', 'x']);
    expect(rows[1]?.cells.map(({ mark }) => mark)).toEqual(['absent', 'present', 'extra']);
  });
});

test('cursors that are all rejected decide nothing but stability', () => {
  const rejects: Agent = (items, _from, asked) =>
    asked === 0 || asked > 2 * items.length ? [...items] : 'rejects';
  fc.assert(
    fc.property(history, (items) => {
      expect(verdicts(replays(items, rejects))).toEqual({
        suffix: 'undecidable',
        inclusive: 'undecidable',
        stable: 'holds',
        monotone: 'undecidable',
        'no-side-effect': 'holds',
      });
    }),
  );
});

test('laws and strip never throw, whatever comes', () => {
  const items = fc.array(
    fc.record({
      id: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
      kind: fc.constantFrom('user', 'agent'),
      words: fc.constantFrom('', 'x', 'y'),
      digest: fc.constantFrom('', 'x', 'y'),
      seq: fc.constant(seq(1)),
    }),
    { maxLength: 5 },
  );
  const replay = fc.oneof(
    items.map((items): CursorReplay => ({ trace: 't', requestSeq: undefined, items })),
    fc.constant<CursorReplay>({ trace: 't', requestSeq: undefined, rejected: 'no' }),
  );
  const asked = fc.record({
    names: fc.constantFrom('a', 'z'),
    cursor: fc.constant('{}'),
    first: replay,
    again: replay,
  });
  fc.assert(
    fc.property(
      fc.record({ start: replay, cursors: fc.array(asked, { maxLength: 3 }), end: replay }),
      (made) => {
        expect(cursorLaws(made)).toHaveLength(5);
        const { columns, rows } = stripOf(made);
        for (const { cells, rejected } of rows)
          expect(cells).toHaveLength(rejected === undefined ? columns.length : 0);
      },
    ),
  );
});
