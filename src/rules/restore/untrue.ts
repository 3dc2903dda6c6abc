// What a replay says of one session of its tree, and was never so: item by item, as the fidelity report
// judges it.
import { mayBeLive } from '../../model/facts/activity.ts';
import { wantsAllHistory } from '../../model/facts/restore.ts';
import { isCorrupt, whyWords, type FieldDifference } from '../../model/replay/compare-fields.ts';
import {
  EXTRA,
  JUDGED,
  judgeExtra,
  type ChildrenBack,
  UNTOLD,
  whyMore,
} from '../../model/replay/judge.ts';
import type { FieldValue } from '../../model/replay/normal-form.ts';
import { extraOf, isFurtherPiece } from '../../model/replay/pair-items.ts';
import type { Seq } from '../../trace/event.ts';
import type { Connection, RestoreWindow, Session } from '../connection.ts';
import { wasCut } from '../children/child-facts.ts';
import { fail, quote, undecidable, type RuleFault, type Undecided } from '../rule.ts';
import { historyItemWords, lossesIn, short } from './replay-compare.ts';
import {
  differencesIn,
  endingOf,
  joinedPieces,
  sidesOf,
  COMPARED_WORDS,
  type Replayed,
  type Sides,
} from './sides.ts';

type Branch = RestoreWindow['root'];

/** What would tell whether something was said before. */
const LIVE = 'a recording of all that was said before the restore, checked together with this one';

/** Why not all that was said live where a replayed item stands is known; undefined: it is. */
function unknownAfter(
  { history, known }: Sides,
  at: number,
  kind: string,
  connection: Connection,
): string | undefined {
  if (history.hasGap || connection.gaps > 0) return 'events are missing from the record';
  const [item, next] = [known[at], known[at + 1]];
  if (item === undefined) return history.isWhole ? undefined : 'the beginning is not known';
  const there = item.of.where.connection;
  if (there !== (next?.of.where.connection ?? connection.id))
    return 'it may have been said on a connection between those that are known';
  const isLastOfTurn = next === undefined || next.turn !== item.turn;
  return isLastOfTurn ? whyMore(kind, endingOf(item)) : undefined;
}

/**
 * Whether the children of the session that was asked for came back whole, as far as is known of them; of
 * those of a child nothing is asked, as in Fidelity: what one tells of a gap would ask it of itself.
 */
export function childrenOf(
  branch: Branch | undefined,
  window: RestoreWindow,
  connection: Connection,
): ChildrenBack {
  if (branch !== window.root) return 'unknown';
  const all = connection.windows.children
    .below(window.session, true)
    .map(({ session }) => backOf(session, window, connection));
  return all.includes('short') ? 'short' : all.includes('unknown') ? 'unknown' : 'whole';
}

/** Whether a child came back as it was. */
function backOf(session: Session, window: RestoreWindow, connection: Connection): ChildrenBack {
  const sides = sidesOf(window, session, connection);
  const { known, replayed, pairings, twofold } = sides;
  const isLost = pairings.some(({ a, b }) => {
    const before = a.flatMap((at) => known[at] ?? []);
    const now = b.flatMap((at) => replayed[at] ?? []);
    if (now.length === 0) return before.some(({ of }) => !twofold.isToldElsewhere(of));
    return before.length > 0 && lossesIn(before, now, sides, connection).length > 0;
  });
  if (isLost) return 'short';
  const branch = window.branches.get(session);
  const faults = branch && faultsIn(sides, branch, window, connection);
  if (faults?.some(({ verdict }) => verdict === 'fail')) return 'short';
  const isUnseen = known.length === 0 && replayed.length > 0;
  return isUnseen || wasCut(session.stored) || faults?.length ? 'unknown' : 'whole';
}

/** What the fidelity of one session calls corrupt, or cannot decide. Undefined: nothing was there to compare. */
export function faultsIn(
  sides: Sides,
  branch: Branch,
  window: RestoreWindow,
  connection: Connection,
): (RuleFault | Undecided)[] | undefined {
  const { known: live, replayed, pairings } = sides;
  if (live.length === 0) return undefined;
  const isGuessed = window.wish !== 'whole' && window.wish !== 'retained';
  const isStrict = wantsAllHistory(window) && connection.version === 1;
  let before = -1;
  const faults: (RuleFault | Undecided)[] = [];
  const at = { session: branch.session.id, method: 'session/update' };
  const leave = (what: string, why: string, seq: Seq) =>
    faults.push(undecidable(`${what}: ${why}`, LIVE, { seqs: [seq], ...at }));
  const add = (seen: string, { seq, ...more }: Partial<RuleFault> & { readonly seq: Seq }) =>
    faults.push(fail(seen, { ...more, seqs: [seq], ...at }));
  for (const { a, b } of pairings) {
    const mine = joinedPieces(a.flatMap((at) => live[at] ?? []));
    const theirs = joinedPieces(b.flatMap((at) => replayed[at] ?? []));
    before = a[0] ?? before;
    if (theirs === undefined) continue;
    if (mine === undefined) {
      if (sides.twofold.isSaidElsewhere(theirs)) continue;
      const said = extraOf(theirs, replayed, sides.history.asked);
      const { kind, seq } = theirs;
      const children = () => childrenOf(branch, window, connection);
      const isLive = kind !== 'user' && mayBeLive(branch, seq);
      const unknown = isLive
        ? UNTOLD.atWork
        : isFurtherPiece(theirs, replayed)
          ? undefined
          : isGuessed
            ? 'what the cursor names is not known'
            : unknownAfter(sides, before, kind, connection);
      const code = judgeExtra(said, endingOf(live[before]), children, unknown === undefined);
      const { verdict, why } = EXTRA[code];
      const what = `the ${COMPARED_WORDS[kind]} ${quote(short(said.text))}`;
      const isOpen = code === 'refused' && (sides.history.hasGap || connection.gaps > 0);
      if (code === 'refused' && !isOpen)
        add(`${what} is completed, though it ${why}`, {
          ...placeOf(theirs, 'status'),
          ...(isStrict ? { severity: 'error' as const } : {}),
        });
      else if (verdict === 'corrupt' && !isOpen) add(`${what}: ${why}`, { seq });
      if (verdict === 'undecidable' || isOpen)
        leave(what, (code === 'unknown' && unknown) || why, seq);
    } else {
      for (const found of differencesIn(theirs, mine, sides, connection)) {
        if (JUDGED[found.code] === 'undecidable')
          leave(historyItemWords(mine.of, connection), wordsOf(found), theirs.seq);
        if (!isCorrupt(found)) continue;
        const isError = isStrict && GRAVE.has(found.field);
        const severity = isError && mine.id !== undefined ? { severity: 'error' as const } : {};
        const seen = `${historyItemWords(mine.of, connection)}: ${wordsOf(found)}`;
        add(seen, { ...placeOf(theirs, found.field), ...severity });
      }
    }
  }
  return faults;
}

/** The update that said a field of a replayed item last, and where in it. */
function placeOf({ seq, told }: Replayed, field: string): { seq: Seq; pointer?: string } {
  const [name = ''] = field.split('.');
  const key = NAMED.has(name) ? name : 'content';
  const last = told.findLast(({ update }) => update[key] !== undefined);
  return last ? { seq: last.seq, pointer: `/params/update/${key}` } : { seq };
}
/** Fields of a tool call that stand under their own name; all others are of its content. */
const NAMED: ReadonlySet<string> = new Set([
  'status',
  'title',
  'kind',
  'rawInput',
  'rawOutput',
  'locations',
]);

const GRAVE: ReadonlySet<string> = new Set(['status', 'title', 'text']);

/** `the status, failed live and now completed, was never so live` */
function wordsOf(found: FieldDifference): string {
  const { field, before, after } = found;
  const [was, is] = [before, after].map(nameIn);
  const isNamed = was !== undefined && is !== undefined && !field.startsWith('text');
  return `the ${field}${isNamed ? `, ${was} live and now ${is},` : ''} ${whyWords(found)}`;
}

/** A value that a sentence can name. */
function nameIn(value: FieldValue | undefined): string | undefined {
  if (value?.type === 'word') return value.word;
  return value?.type === 'text' ? quote(short(value.text)) : undefined;
}
