// One restore, tree by tree: the session that was asked for and each child session that it had or
// brought, each judged alone. A message between two of them stands in both transcripts and is one.
import { childrenAre } from './children-back.ts';
import { compareFacts } from './compare-facts.ts';
import { compareItems, type ComparedWindow, type Tree } from './compare-items.ts';
import { decidingRestore } from './decided-by.ts';
import { historyDue, wantsNone } from './due.ts';
import { differencesIn, type EarlierReplay, type SessionFaults } from './fault-book.ts';
import { replayFaults } from './faults.ts';
import { ComparedTurns } from './turns.ts';
import { TurnsApart } from './turns-apart.ts';
import { takesChildren, type Kin, type LiveParts, type SaidOf } from './live-part.ts';
import { Ledger, worstFidelity } from './ledger.ts';
import { asidesOf, rowGroups } from './row-groups.ts';
import { FRAMES_MISSING, type LivePart } from './live-fold.ts';
import { mayBeLive } from '../facts/activity.ts';
import { takenApart, replayedPart, type ReplayedPart } from './replayed-part.ts';
import type { NormalItem } from '../replay/normal-form.ts';
import { announcedFacts, itemsOf, settingFacts, type Numbered } from './normalize.ts';
import { type Numbering, historyAt } from './numbering.ts';
import { pairItems } from '../replay/pair-items.ts';
import { ToldIds } from '../replay/told-ids.ts';
import type { ChildFidelity, FidelityWindow } from './report/report.ts';
import { absentAnswer, historyAnswer } from './report/answer-of.ts';
import { NONE_ASKED, notesOf, sentenceOf } from './report/sentence.ts';
import { scoresOf } from './shortfall.ts';
import { hasGap, type IndexedTrace } from '../indexed-trace.ts';
import { variantOf } from '../restore/restore-shapes.ts';
import type { SessionRecord } from '../facts/sessions.ts';
import type { SessionState } from '../fold/state.ts';
import type { Branch } from '../facts/window.ts';
import type { WindowRecord } from '../timeline/replay-windows.ts';
import type { ReplayWindowView } from '../timeline/row-view.ts';
import type { ConnectionId } from '../../trace/event.ts';

interface Wanted {
  readonly sources: readonly IndexedTrace[];
  readonly source: IndexedTrace;
  readonly window: WindowRecord;
  readonly view: ReplayWindowView;
  readonly kin: Kin;
  readonly lives: LiveParts;
  readonly numbering: Numbering;
  readonly said: SaidOf;
}

/** Frames may be missing in the restore, of whichever session. */
interface Compared extends Wanted {
  readonly isLost: boolean;
}

/** What was said live of one session, and what came of it again. */
interface Sides {
  readonly session: string;
  /** Its part in the restore; undefined: it has none. */
  readonly branch: Branch<SessionRecord> | undefined;
  readonly part: LivePart | undefined;
  readonly live: readonly Numbered[];
  readonly replay: ReplayedPart;
  readonly replayed: readonly Numbered[];
  /** Of a child session: its parent, which announces it. */
  readonly above?: Sides | undefined;
}

type Judged = Pick<
  FidelityWindow,
  | 'session'
  | 'verdict'
  | 'sentence'
  | 'notes'
  | 'unjudged'
  | 'refused'
  | 'unasked'
  | 'kinds'
  | 'differences'
  | 'groups'
  | 'live'
  | 'partly'
>;

export function* compareTree(
  wanted: Wanted,
): Generator<
  undefined,
  Judged & Pick<FidelityWindow, 'children' | 'faults' | 'judged' | 'decidedBy'>
> {
  const { source, window, kin, lives } = wanted;
  const of = { ...wanted, isLost: hasGap(source, window) };
  const { sessionId } = window.session;
  const root = yield* sidesOf(of, sessionId, yield* lives.before(source, window));
  const below: Sides[] = [];
  for (const child of window.method === 'session/fork' ? [] : kin.below(sessionId)) {
    const part = yield* lives.before(source, window, child);
    const sides = yield* sidesOf(of, child, part);
    if (sides.live.length > 0 || sides.replayed.length > 0) below.push(sides);
  }
  const apart =
    window.method === 'session/fork'
      ? undefined
      : new TurnsApart(of.sources, source, of.numbering, root, below);
  const first = yield* firstReplay(of, root.part);
  const all = familyOf([root, ...below]);
  const isOther = (child: Sides) => tookOther(of, child, root);
  const judged = below.map((one) => childOf(of, one, all, isOther(one), first?.get(one.session)));
  const children = judged.map(({ child }) => child);
  const isCut = below.some(({ session }) => kin.wasCut(session));
  const tree = treeOf(
    all,
    sessionId,
    childrenAre(
      children,
      isCut,
      below.flatMap(({ replayed }) => replayed),
    ),
  );
  const hasApart = apart?.isEmpty === false || below.some(isOther);
  const turns = hasApart ? apart : undefined;
  const { faults: own, ...whole } = judge(of, root, tree, turns, first?.get(sessionId));
  const found = [own, ...judged.map(({ faults }) => faults)];
  return {
    ...whole,
    children,
    decidedBy: hasApart ? decidedBy(of, [root, ...below]) : undefined,
    faults: found.flatMap(({ faults }) => faults),
    judged: new Set(found.flatMap((one) => [...one.judged])),
  };
}

/**
 * Returns the items of each session in the first replay of all, by session, if that came before this
 * restore and the traces do not hold the beginning of the session.
 */
function* firstReplay(
  of: Compared,
  part: LivePart | undefined,
): Generator<undefined, ReadonlyMap<string, readonly Numbered[]> | undefined> {
  const { source, window, lives, kin, numbering } = of;
  if (part?.whole === true || window.method === 'session/fork') return undefined;
  const { sessionId } = window.session;
  for (const earlier of [...lives.earlier(source, sessionId), source])
    for (const one of lives.windowsOf(earlier, sessionId)) {
      if (one === window) return undefined;
      if (one.outcome !== 'answered' || one.method === 'session/fork') continue;
      const isOther = takesChildren(earlier) !== takesChildren(source);
      if (isOther && kin.below(sessionId).length > 0) continue;
      const before = yield* lives.before(earlier, one);
      // Behind a live part, a replay repeats what is known already.
      if (before !== undefined && before.state.items.length > 0) return undefined;
      const found = new Map<string, readonly Numbered[]>();
      for (const session of [sessionId, ...kin.below(sessionId)]) {
        const replay = yield* replayedPart(earlier, one, numbering, session);
        const items = itemsOf(replay.state, numbering, replay.baselines);
        if (items.length > 0) found.set(session, items);
      }
      if (found.size > 0) return found;
    }
  return undefined;
}

/** True if a child was live for a client that takes child sessions and restored by one that does not, or the reverse. */
function tookOther({ sources, source }: Wanted, { live, replayed }: Sides, root: Sides): boolean {
  const takes = takesChildren(source);
  const told = live.length > 0 ? live : replayed.length > 0 ? root.live : [];
  const lived = new Set(told.map(({ first }) => first.connection));
  return sources.some((one) => lived.has(one.connection) && takesChildren(one) !== takes);
}

function decidedBy({ sources, source, window }: Wanted, tree: readonly Sides[]) {
  const lived = new Set(tree.flatMap(({ live }) => live.map(({ first }) => first.connection)));
  const takes = takesChildren(source);
  const other = sources.find((one) => lived.has(one.connection) && takesChildren(one) !== takes);
  return other && decidingRestore(other, source, window);
}

function* sidesOf(
  { source, window, numbering }: Wanted,
  session: string,
  part: LivePart | undefined,
): Generator<undefined, Sides> {
  const replay = yield* replayedPart(source, window, numbering, session);
  const live = part ? itemsOf(part.state, numbering) : [];
  const isLate = (number: number) => historyAt(source, numbering.at(number).place)?.late === true;
  const came = itemsOf(replay.state, numbering, replay.baselines, isLate);
  const replayed = takenApart(came, live, replay.chunks, numbering);
  const record = source.index.sessionNamed(session);
  return { session, branch: record && window.branches.get(record), part, live, replay, replayed };
}

/** All sessions of one restore, and the messages between sessions that each of them told. */
interface Family {
  readonly sides: ReadonlyMap<string, Sides>;
  readonly live: ToldIds<string>;
  readonly replayed: ToldIds<string>;
}

function familyOf(all: readonly Sides[]): Family {
  return {
    sides: new Map(all.map((sides) => [sides.session, sides])),
    live: new ToldIds(all.map(({ session, live }) => [session, live])),
    replayed: new ToldIds(all.map(({ session, replayed }) => [session, replayed])),
  };
}

/** As one of them sees the others. */
function treeOf({ live, replayed }: Family, session: string, children: Tree['children']): Tree {
  return {
    live: (id) => live.byOthers(session, id),
    replayed: (id) => replayed.byOthers(session, id),
    children,
  };
}

function childOf(
  of: Compared,
  sides: Sides,
  all: Family,
  isOther: boolean,
  first: readonly Numbered[] | undefined,
): { readonly child: ChildFidelity; readonly faults: SessionFaults } {
  const { kin, window } = of;
  const parent = kin.parentOf(sides.session) ?? window.session.sessionId;
  const above = all.sides.get(parent);
  // What its parent's transcript has, counts there.
  const isOwn = ({ views = [] }: Numbered) =>
    !views.some((id) => all.live.by(parent, id) || all.replayed.by(parent, id));
  const own = {
    ...sides,
    above,
    live: sides.live.filter(isOwn),
    // Behind its end it stands alone, wherever it stood before.
    replayed: sides.replayed.filter((item) => isOwn(item) || item.late),
  };
  const tree = treeOf(all, sides.session, 'unknown');
  const { groups, faults, ...judged } = judge(of, own, tree, isOther ? 'all' : undefined, first);
  const isGone = window.outcome === 'answered' && judged.verdict === 'lossy';
  const notKept = isGone && sides.replayed.length === 0;
  const isUnasked = wantsNone(of.view);
  const answer = historyAnswer({ ...judged, groups });
  const child = {
    ...judged,
    parent,
    answer: notKept ? absentAnswer(answer, !isUnasked) : answer,
    historyComplete: sides.branch?.complete !== undefined,
    ...(notKept && (isUnasked ? NOT_ASKED : NOT_KEPT)),
  };
  return { child, faults };
}

type ChildWord = Pick<ChildFidelity, 'verdict' | 'sentence'>;

const NOT_KEPT: ChildWord = {
  verdict: 'not kept',
  sentence: 'No message or tool call of this child session was replayed.',
};

/** A restore without replay: what the child was set to is told once it goes on. */
const NOT_ASKED: ChildWord & Pick<ChildFidelity, 'kinds' | 'differences'> = {
  verdict: 'nothing due',
  sentence: NONE_ASKED,
  kinds: {},
  differences: [],
};

/** `apart`: the turns that cannot be compared, or all. `first`: the items of the session in the first replay of all, if this one is compared with them. */
function judge(
  of: Compared,
  { session, branch, part, live, replay, replayed, above }: Sides,
  tree: Tree,
  apart: TurnsApart | 'all' | undefined,
  first: readonly Numbered[] | undefined,
): Judged & { readonly faults: SessionFaults } {
  const { source, window, view, numbering, said, isLost } = of;
  const pairings = pairItems(live, replayed);
  const start = pairings.find(({ a, b }) => a.length > 0 && b[0] === 0)?.a[0];
  const isMarked = branch?.complete !== undefined;
  const due = historyDue(view, live, start, isMarked);
  const ledger = new Ledger(isLost);
  const isLive = ({ first }: NormalItem) =>
    branch !== undefined && mayBeLive(branch, source.index.indexOf(first.seq));
  const compared = {
    ...{ window, live, part, replayed, replay, pairings, due, isMarked, saidOf: said, tree },
    ...(apart !== 'all' && { apart }),
    mayBeLive: isLive,
  };
  if (apart !== 'all') {
    compareItems(compared, ledger);
    const factsOf = (own: SessionState | undefined, parent: SessionState | undefined) => [
      ...(own ? settingFacts(own, numbering) : []),
      ...(parent ? announcedFacts(parent, session, numbering) : []),
    ];
    if (view.outcome === 'answered')
      compareFacts(
        factsOf(part?.state, above?.part?.state),
        factsOf(replay.state, above?.replay.state),
        part,
        replay,
        ledger,
      );
  }
  const { differences, rows } = ledger;
  const isRefused = view.outcome === 'rejected';
  const isOver = isRefused && !isMarked;
  const nothingDue = due.from === undefined || due.isRefused === true;
  const nothingKnown = live.length === 0 && !part?.whole && (!nothingDue || replayed.length > 0);
  const unjudged = nothingKnown
    ? 'nothing known'
    : apart !== undefined
      ? 'other children'
      : isLost
        ? 'frames missing'
        : undefined;
  const { version, name } = variantOf(view);
  const isFork = name === 'fork' && !isRefused;
  const verdict = worstFidelity([
    ...differences.map((one) => one.verdict),
    ...(isOver || unjudged ? ['undecidable' as const] : []),
  ]);
  const refused = isRefused ? (view.problem ?? 'it was refused') : undefined;
  const facts: Parameters<typeof sentenceOf>[0] = {
    ...{ verdict, differences, nothingDue, unjudged, version, isFork },
    ...{ refused, isMarked, came: replayed.length > 0 },
  };
  return {
    session,
    verdict: isFork ? 'nothing due' : verdict,
    sentence: sentenceOf(facts),
    notes: notesOf(facts),
    unjudged,
    kinds: scoresOf(rows),
    differences,
    groups: rowGroups(rows, asidesOf(part, live, numbering)),
    live: part?.sources ?? [],
    refused: isOver,
    unasked: nothingDue && !isRefused && !isFork && replayed.length === 0,
    partly: isOver ? [] : partlyOf(part, live),
    faults:
      apart === 'all'
        ? { faults: [], judged: new Set() }
        : replayFaults({
            ...{
              connection: source.connection,
              nameOf: namesIn(of.sources),
              session,
              window,
              branch,
              numbering,
              part,
              live,
            },
            ...{ replayed, pairings, due, isLost },
            differences: differencesIn(ledger),
            baseless: replay.baseless,
            turns: new ComparedTurns(live, part),
            earlier: first && withEarlier(compared, first, isLost),
          }),
  };
}

function namesIn(sources: readonly IndexedTrace[]): (connection: ConnectionId) => string {
  return (connection) => sources.find((one) => one.connection === connection)?.name ?? connection;
}

function withEarlier(
  compared: ComparedWindow,
  items: readonly Numbered[],
  isLost: boolean,
): EarlierReplay {
  const ledger = new Ledger(isLost);
  const pairings = pairItems(items, compared.replayed);
  const due = { from: 0, guessed: false };
  compareItems({ ...compared, live: items, part: undefined, pairings, due }, ledger);
  return { items, pairings, differences: differencesIn(ledger) };
}

function partlyOf(part: LivePart | undefined, live: readonly Numbered[]): string[] {
  if (!part || (live.length === 0 && !part.whole))
    return [
      'no live part of this session is in these traces; open a trace in which it was prompted',
    ];
  const why: string[] = [];
  if (!part.whole)
    why.push('these traces do not begin with the session; a trace of its session/new would');
  if (part.gap) why.push(FRAMES_MISSING);
  if (part.cuts.length > 0) why.push('a connection ended in the middle of a turn');
  return why;
}
