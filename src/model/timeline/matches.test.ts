import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draw } from '../../test/traces/draw.ts';
import { indexed, type Indexed } from '../../test/traces/indexed.ts';
import { recordings } from '../../test/traces/recordings.ts';
import { seq, type Seq } from '../../trace/event.ts';
import { eventsAt, indexedTrace } from '../indexed-trace.ts';
import { TimelineView } from './timeline-view.ts';

/** A load that replays so many messages of a line each; the middle of a long one is folded. */
function load(count: number, inside = ''): string {
  const lines = Array.from(
    { length: count },
    (_, i) => `agent update s1 agent_message_chunk m${i} "t${i}"${i === 40 ? `\n${inside}` : ''}`,
  );
  return `client →1 session/load s1\n${lines.join('\n')}\nagent ←1 result {}`;
}

/** Seqs of the matches from nothing selected until the first comes again. */
function walk(view: TimelineView, direction: 1 | -1): Seq[] {
  const found: Seq[] = [];
  let next = view.nextMatch(undefined, direction);
  while (next !== undefined && next.seq !== found[0]) {
    found.push(next.seq);
    next = view.nextMatch(next.seq, direction);
  }
  return found;
}

/** The rows without the heads of turns, which are no frames. */
const inTurns = (rows: Indexed['rows']) => rows().filter(({ type }) => type !== 'turn');

/** What the rows say of their matches: `+` yes, `-` no, `.` nothing. */
function flags({ rows }: Indexed): string {
  return inTurns(rows)
    .map(({ isMatch }) => (isMatch === undefined ? '.' : isMatch ? '+' : '-'))
    .join('');
}

const SHORT = `
  client →0 initialize {}
  agent  ←0 result {}
  client →1 session/prompt s1 "a"
  agent  update s1 agent_message_chunk "b" "needle" "d"
  stderr noise
  agent  ←1 result {}
`;

test('the next match is one after the other, and after the last the first again; so is the one before', () => {
  const { view } = indexed(SHORT);
  view.setQuery('type:req,res');
  const next = (from: number | undefined, direction: 1 | -1) =>
    view.nextMatch(from === undefined ? undefined : seq(from), direction);
  expect(next(undefined, 1)).toEqual({ seq: 1, place: 1, of: 4 });
  expect(next(1, 1)).toEqual({ seq: 2, place: 2, of: 4 });
  expect(next(3, 1)).toEqual({ seq: 8, place: 4, of: 4 });
  expect(next(8, 1)).toEqual({ seq: 1, place: 1, of: 4 });
  expect(next(undefined, -1)).toEqual({ seq: 8, place: 4, of: 4 });
  expect(next(8, -1)).toEqual({ seq: 3, place: 3, of: 4 });
  expect(next(1, -1)).toEqual({ seq: 8, place: 4, of: 4 });
});

test('the next match of a frame that is none is the one nearest that way', () => {
  const { view } = indexed(SHORT);
  view.setQuery('type:req,res');
  expect(view.nextMatch(seq(5), 1)).toMatchObject({ seq: 8 });
  expect(view.nextMatch(seq(5), -1)).toMatchObject({ seq: 3 });
  expect(view.nextMatch(seq(99), 1)).toMatchObject({ seq: 1 });
  expect(view.nextMatch(seq(99), -1)).toMatchObject({ seq: 8 });
});

test('a single match is next to itself, and of none there is no next', () => {
  const { view } = indexed(SHORT);
  view.setQuery('type:std');
  expect(view.nextMatch(seq(7), 1)).toEqual({ seq: 7, place: 1, of: 1 });
  expect(view.nextMatch(seq(7), -1)).toEqual({ seq: 7, place: 1, of: 1 });
  view.setQuery('type:bad');
  expect(view.nextMatch(seq(7), 1)).toBeUndefined();
  expect(view.nextMatch(undefined, -1)).toBeUndefined();
});

test('each frame of a collapsed run is a match of its own', () => {
  const { view, rows } = indexed(SHORT);
  view.setQuery('type:ntf');
  expect(inTurns(rows)).toHaveLength(1);
  expect(walk(view, 1)).toEqual([4, 5, 6]);
  expect(walk(view, -1)).toEqual([6, 5, 4]);
});

test('matches in a closed window are stepped through, and looked at where they are', () => {
  const trace = indexed(load(3));
  trace.view.toggle('w0');
  trace.view.setQuery('type:ntf');
  trace.view.light(true);
  expect(flags(trace)).toBe('+');
  expect(walk(trace.view, 1)).toEqual([2, 3, 4]);
  expect(trace.view.locate(seq(3))).toEqual({ row: 3, hiddenBy: [] });
  expect(flags(trace)).toBe('.-+++-');
});

test('a match inside a fold is next in its turn, and looking at it opens the fold there', async () => {
  const trace = indexed(load(100));
  const { view } = trace;
  await view.setQuery('"t50"');
  view.light(true);
  expect(trace.rows()[21]).toMatchObject({ type: 'fold', isMatch: true });
  const match = view.nextMatch(undefined, 1);
  expect(match).toEqual({ seq: 52, place: 1, of: 1 });
  const { version } = view;
  const { row } = view.locate(seq(52));
  expect(trace.rows()[row]).toMatchObject({ type: 'frame', seq: 52, isMatch: true });
  expect(view.version).not.toBe(version);
  expect(trace.rows().filter(({ isMatch }) => isMatch)).toHaveLength(1);
});

test('a fold is no match for a frame that has a row of its own within it', () => {
  const live = 'agent update s2 tool_call {"toolCallId":"t"}';
  const run = 'agent update s1 agent_message_chunk m40 "more"';
  const trace = indexed(load(100, `${live}\n${run}\n${run}`));
  trace.view.setQuery('update:tool_call');
  trace.view.light(true);
  const lit = trace.rows().filter(({ isMatch }) => isMatch);
  expect(lit).toMatchObject([{ type: 'frame', method: 'tool_call' }]);
});

test('lit, every row is shown and says whether it matches, and the counts stay those of the query', () => {
  const trace = indexed(SHORT);
  const { view } = trace;
  const all = trace.rows().map(({ key }) => key);
  view.setQuery('type:ntf,std');
  const { counts, parts, sessionless } = view.state();
  expect(inTurns(trace.rows)).toHaveLength(2);
  expect(flags(trace)).toBe('..');
  view.light(true);
  expect(trace.rows().map(({ key }) => key)).toEqual(all);
  expect(flags(trace)).toBe('---++-');
  expect(view.state()).toMatchObject({ lights: true, counts, parts, sessionless });
  view.light(false);
  expect(inTurns(trace.rows)).toHaveLength(2);
  expect(view.state().lights).toBe(false);
});

test('lit, a collapsed run is a match if one of its frames is', async () => {
  const trace = indexed(SHORT);
  await trace.view.setQuery('"needle"');
  trace.view.light(true);
  expect(flags(trace)).toBe('---+--');
  trace.view.toggle('f4');
  expect(flags(trace)).toBe('----+---');
});

test('without a query nothing is lit', () => {
  const trace = indexed(SHORT);
  trace.view.light(true);
  expect(flags(trace)).toBe('......');
});

test('lit, what comes is shown at once, and a request that is answered is a match no longer', () => {
  const events = draw(SHORT);
  const { index } = indexedTrace(events.slice(0, 3), 'c1');
  const view = new TimelineView(index, eventsAt(events));
  const matches = () => inTurns(() => view.rows(0, 99)).map(({ seq, isMatch }) => [seq, isMatch]);
  view.setQuery('is:open');
  view.light(true);
  expect(matches()).toEqual([
    [1, false],
    [2, false],
    [3, true],
  ]);
  const { version } = view;
  for (const event of events.slice(3)) index.append(event);
  view.grow();
  expect(view.version).not.toBe(version);
  expect(matches()).toEqual([1, 2, 3, 4, 7, 8].map((at) => [at, false]));
  expect(view.state().counts).toMatchObject({ shown: 0, all: 7 });
  expect(view.nextMatch(undefined, 1)).toBeUndefined();
});

test('steps visit what the query shows, each once and in order, whatever is open, closed or lit', async () => {
  const traces = recordings().map(({ events }) => events.slice(0, 200));
  const query = fc.constantFrom(
    ...['', 'type:req', 'is:replay', '-update:agent_message_chunk', 'session:S1', 'type:std,evt'],
    ...['"text"', 'is:late | type:err', '$.params.update.status exists'],
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...traces),
      query,
      fc.array(fc.nat(300), { maxLength: 4 }),
      fc.boolean(),
      async (events, text, toggles, lights) => {
        const { view, rows } = indexed(events);
        await view.setQuery(text);
        const shown = view.framesIn(0, 1e6);
        expect(shown.length).toBeGreaterThanOrEqual(view.state().counts.shown);
        for (const at of toggles) view.toggle(rows()[at % rows().length]?.key ?? '');
        view.light(lights);
        expect(walk(view, 1)).toEqual(shown);
        expect(walk(view, -1)).toEqual(shown.toReversed());
        shown.forEach((at, i) => {
          const before = shown.at(i - 1) ?? at;
          expect(view.nextMatch(before, 1)).toEqual({ seq: at, place: i + 1, of: shown.length });
        });
      },
    ),
    { numRuns: 40 },
  );
});
