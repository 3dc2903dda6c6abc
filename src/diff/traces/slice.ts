// Which events of a trace take part in a comparison.
import { REQ, FLAG } from '../../model/columns.ts';
import { parseQuery } from '../../model/query/parse.ts';
import { mustMatch } from '../../model/query/query.ts';
import { searchedBy, type EventTest } from '../../model/query/match.ts';
import { IN_PLACE, type Finder } from '../../model/query/find.ts';
import { hasReplay } from '../../model/restore/restore-shapes.ts';
import { Search } from '../../model/query/search.ts';
import type { IndexedTrace } from '../../model/indexed-trace.ts';
import type { Slice } from './report/report.ts';

/** Why a slice cannot be taken, as a sentence. */
export class SliceError extends Error {}

/**
 * The side that replays a session which the other lived; a trace that does both is on no side. Most of
 * what differs then is that a replay is no turn.
 */
export function replayingSide(a: IndexedTrace, b: IndexedTrace): 'a' | 'b' | undefined {
  const [left, right] = [replayedIn(a), replayedIn(b)];
  const lived = ({ index }: IndexedTrace, restored: ReadonlyMap<string, boolean>) => {
    const { sessions } = index.facts();
    const own = sessions.filter((one) => !one.listedOnly && !one.askedOnly && !one.parent);
    return own.map(({ sessionId }) => sessionId).filter((id) => !restored.has(id));
  };
  if (lived(a, left).some((id) => right.get(id) === true)) return 'b';
  if (lived(b, right).some((id) => left.get(id) === true)) return 'a';
  return undefined;
}

/** Of each session that the trace restores: whether a history came, or had to. */
function replayedIn({ index }: IndexedTrace): Map<string, boolean> {
  const found = new Map<string, boolean>();
  for (const window of index.windows())
    found.set(window.sessionId, hasReplay(window) || found.get(window.sessionId) === true);
  return found;
}

/** Whether the event at a place takes part. Throws SliceError. */
export async function sliceTest(
  source: IndexedTrace,
  slice: Slice = {},
  finder: Finder = IN_PLACE,
): Promise<EventTest> {
  const { index, eventAt } = source;
  const tests: EventTest[] = [];
  const { query, turn, from, to } = slice;
  if (query !== undefined) {
    const parsed = parseQuery(query);
    if (!parsed.ok) throw new SliceError(parsed.problem.message);
    const searched = searchedBy(eventAt, () => index.length);
    const search = new Search(parsed.query, index, searched, finder);
    const problem = await search.ask();
    if (problem) throw new SliceError(problem.message);
    tests.push((at) => search.test(at));
  }
  if (turn !== undefined) tests.push(turnTest(source, turn));
  if (from !== undefined) tests.push((at) => index.columns.seq.get(at) >= from);
  if (to !== undefined) tests.push((at) => index.columns.seq.get(at) <= to);
  return (at) => tests.every((test) => test(at));
}

/** Throws SliceError where a slice leaves nothing of a side: that is no comparison, and not equal. */
export function mustLeave(size: number, side: 'left' | 'right', slice: Slice = {}): void {
  if (size > 0) return;
  const { query, turn, from, to } = slice;
  const words = [
    ...(query === undefined ? [] : [query]),
    ...(turn === undefined ? [] : [`turn ${turn}`]),
    ...(from === undefined ? [] : [`from #${from} on`]),
    ...(to === undefined ? [] : [`up to #${to}`]),
  ];
  if (words.length > 0)
    throw new SliceError(
      `Of the ${side} trace ${words.join(', ')} finds nothing to compare in this view.`,
    );
}

/** Whether what was said live is held against what was replayed. */
export function isAgainstReplay(a: Slice | undefined, b: Slice | undefined): boolean {
  const says = (slice: Slice | undefined, word: string) => {
    const parsed = slice?.query === undefined ? undefined : parseQuery(slice.query);
    return (
      parsed?.ok === true &&
      mustMatch(parsed.query, 'is').some(({ values }) =>
        values.some((value) => 'text' in value && value.text === word),
      )
    );
  };
  return (says(a, 'live') && says(b, 'replay')) || (says(a, 'replay') && says(b, 'live'));
}

/** Whether a history replay can hold the event at a place: an update, or the prompt that v1 replays as one. */
export function historyTest({ index: { columns } }: IndexedTrace): EventTest {
  return (at) => {
    const name = columns.nameOf(at);
    if (columns.has(at, FLAG.update)) return name !== 'state_update';
    return columns.kind.get(at) === REQ && name === 'session/prompt';
  };
}

/** The frames of the nth turn. */
function turnTest({ index }: IndexedTrace, turn: number): EventTest {
  const { turns } = index;
  if (turn < 1 || turn > turns)
    throw new SliceError(
      turns === 0
        ? 'The trace has no turns.'
        : `The trace has no turn ${turn}: its turns are 1 to ${turns}.`,
    );
  return (at) => index.columns.turn.get(at) === turn;
}
