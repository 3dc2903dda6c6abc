// Items of the live part against those of a replay: for each pairing, what a client that trusts the
// replay would get wrong.
import { type HistoryDue, inV1, unsaidLive, unsaidReplayed } from './due.ts';
import { extra, untoldOf, type Compared } from './extras.ts';
import { fieldNote, type LedgerEntry, type Ledger, type LedgerNote } from './ledger.ts';
import type { Numbered } from './normalize.ts';
import type { ReplayedPart } from './replayed-part.ts';
import { rowSide, shownChange, shownValue } from './report/sentence.ts';
import type { ItemDifference } from './report/report.ts';
import { ComparedTurns } from './turns.ts';
import { meltedNote, meltedPieces } from './melted.ts';
import { APART, type TurnsApart } from './turns-apart.ts';
import { isFinal } from '../../acp/update.ts';
import { differencesOf, unlessReworded, whyWords } from '../replay/compare-fields.ts';
import {
  type ChildrenBack,
  type Ending,
  JUDGED,
  mayGoOn,
  type SaidBefore,
  UNTOLD,
} from '../replay/judge.ts';
import { movesOf, type Moved } from '../replay/moves.ts';
import type { FieldValue, NormalItem } from '../replay/normal-form.ts';
import { itemText, type Pairing } from '../replay/pair-items.ts';
import type { WindowRecord } from '../timeline/replay-windows.ts';

export interface ComparedWindow extends Compared {
  readonly window: WindowRecord;
  readonly replay: ReplayedPart;
  readonly pairings: readonly Pairing[];
  /** `replay_complete` ended its history. */
  readonly isMarked: boolean;
  readonly saidOf: (item: NormalItem) => SaidBefore;
  readonly tree: Tree;
  /** Turns that cannot be compared; undefined: all can. */
  readonly apart?: TurnsApart | undefined;
}

type Told = (id: string) => boolean;

/** What the other sessions of the tree hold, and whether the children came back whole. */
export interface Tree {
  /** Ids of messages between sessions that the others told. */
  readonly live: Told;
  readonly replayed: Told;
  readonly children: ChildrenBack;
}

const OPEN = 'the window has no answer, so more may have come';

export function compareItems(compared: ComparedWindow, ledger: Ledger): void {
  const { pairings, live, replayed, window, due } = compared;
  const turns = new ComparedTurns(live, compared.part);
  const moves = movesOf(live, replayed, pairings);
  const isUnfinished = window.outcome === 'open' || window.outcome === 'incomplete';
  const lastPaired = pairings.findLastIndex(({ a, b }) => a.length > 0 && b.length > 0);
  const melted = meltedPieces(compared);
  let before = -1;
  let turnsWithPlan: ReadonlySet<number> | undefined;
  const planned = () => (turnsWithPlan ??= plannedTurns(compared));
  pairings.forEach((pairing, at) => {
    const [i = -1] = pairing.a;
    const [j = -1] = pairing.b;
    const [mine, theirs] = [live[i], replayed[j]];
    if (mine && theirs) {
      const sides = [whole(live, pairing.a), whole(replayed, pairing.b)] as const;
      const told = tell(compared, pairing, sides, turns.endingOf(i), moves);
      const melts = melted.get(theirs.pieceOf ?? -1) ?? 0;
      if (melts > 1) told.unshift(meltedNote(melts));
      const one = entry(sides[0], pairing.a.length);
      const other = entry(sides[1], pairing.b.length, one);
      ledger.item(told, one, other, mine.turn, apartWhy(compared, mine));
      before = i;
    } else if (mine) {
      before = i;
      if (due.from === undefined || i < due.from || due.isRefused) return;
      if (compared.part?.refused.has(mine.from)) return;
      const unsaid =
        unsaidLive(mine, window.version, planned) ??
        otherView(mine, compared.tree.replayed) ??
        greeting(compared, mine);
      const why = isUnfinished && at > lastPaired ? OPEN : unsure(compared, mine);
      const told: LedgerNote =
        unsaid ??
        (why === undefined
          ? { kind: 'missing', verdict: 'lossy', why: 'did not come' }
          : { kind: 'unknown', verdict: 'undecidable', why });
      ledger.item([told], entry(mine, 1), undefined, mine.turn, apartWhy(compared, mine));
    } else if (theirs) {
      const untold = untoldOf(compared, theirs);
      const behind = theirs.late ? before : behindLate(compared, at, before);
      const told =
        unsaidReplayed(theirs, live[before]) ??
        otherView(theirs, compared.tree.live) ??
        extra(compared, theirs, behind, turns, untold);
      const isLate = theirs.late && (untold !== 'late' || told.kind !== 'unknown');
      ledger.item(
        isLate ? [told, late(compared)] : [told],
        undefined,
        entry(theirs, 1),
        live[before]?.turn ?? 0,
        extraApart(compared, theirs, before, at),
      );
    }
  });
}

/** Why what differs in a live item cannot be judged. Its prompt begins a turn, whatever became of the turn. */
function apartWhy({ apart }: ComparedWindow, { kind, turn }: Numbered): string | undefined {
  return kind !== 'user' && apart?.has(kind, turn) === true ? APART.why : undefined;
}

/** The same of an item without a live one, between the live items of the pairings around the place `at`. */
function extraApart(
  { apart, live, pairings }: ComparedWindow,
  { kind }: Numbered,
  before: number,
  at: number,
): string | undefined {
  if (apart === undefined) return undefined;
  const next = pairings.slice(at + 1).find(({ a, b }) => a.length > 0 && b.length > 0);
  const to = live[next?.a[0] ?? live.length - 1];
  const until = to && next && to.kind === 'user' ? to.turn - 1 : to?.turn;
  const from = live[before]?.turn ?? 0;
  return apart.has(kind, from, Math.max(from, until ?? 0)) ? APART.why : undefined;
}

/** The live item that an item of the pairing at `at` stands behind: what came late is no place to stand before. */
function behindLate({ pairings, replayed }: ComparedWindow, at: number, before: number): number {
  let behind = before;
  for (const { a, b } of pairings.slice(at + 1)) {
    if (b.some((j) => replayed[j]?.late !== true)) {
      if (a.length > 0) break;
    } else behind = a[0] ?? behind;
  }
  return behind;
}

/** A message between sessions stands in both transcripts, and is one. */
function otherView({ views = [] }: Numbered, others: Told): LedgerNote | undefined {
  return views.some(others)
    ? { kind: 'cosmetic', verdict: 'cosmetic', why: 'told in the transcript of the other session' }
    : undefined;
}

/** Live turns of which a plan came. */
function plannedTurns({ pairings, live }: ComparedWindow): ReadonlySet<number> {
  return new Set(
    pairings.flatMap(({ a: [i = -1], b }) => {
      const item = live[i];
      return item?.kind === 'plan' && b.length > 0 ? [item.turn] : [];
    }),
  );
}

/** Before the first prompt agents say hello, which is no part of the conversation. */
function greeting(
  { part }: ComparedWindow,
  { kind, id, turn }: NormalItem,
): LedgerNote | undefined {
  return part?.whole === true && turn === 0 && id === undefined && kind === 'agent'
    ? {
        kind: 'cosmetic',
        verdict: 'cosmetic',
        why: 'was said before the first prompt',
        isAside: true,
      }
    : undefined;
}

function unsure({ part }: ComparedWindow, item: NormalItem): string | undefined {
  return part?.unsure.has(item.first.connection)
    ? 'its trace has no clock, and may be younger than the restore'
    : undefined;
}

/** `like`: the other side, whose words it may share. */
function entry(item: Numbered, count: number, like?: LedgerEntry): LedgerEntry {
  return { item, count, side: rowSide(item, count, like) };
}

/** Several pieces as one item. */
function whole(items: readonly Numbered[], places: readonly number[]): Numbered {
  const pieces = places.flatMap((at) => items[at] ?? []);
  const [first] = pieces;
  const last = pieces.at(-1);
  if (!first || !last) throw new Error('a pairing without items');
  if (pieces.length === 1) return first;
  const text: FieldValue = { type: 'text', text: pieces.map(itemText).join('') };
  return {
    ...first,
    last: last.last,
    frames: pieces.reduce((sum, { frames }) => sum + frames, 0),
    late: pieces.some(({ late }) => late),
    fields: new Map([...first.fields, ['text', text]]),
  };
}

const GOES_ON: LedgerNote = { kind: 'unknown', verdict: 'undecidable', why: UNTOLD.late };

/** Of a tool call. */
function hasEnded({ fields }: NormalItem): boolean {
  const status = fields.get('status');
  return status?.type === 'word' && isFinal(status.word);
}

/** A marker ends a history before the answer does. */
function late({ isMarked }: ComparedWindow): LedgerNote {
  const end = isMarked ? 'its history was said to be complete' : 'the answer';
  return { kind: 'late', verdict: 'lossy', why: `came after ${end}: a client takes it for new` };
}

function tell(
  compared: ComparedWindow,
  pairing: Pairing,
  sides: readonly [mine: Numbered, theirs: Numbered],
  ending: Ending,
  moves: (i: number, j: number) => Moved,
): LedgerNote[] {
  const { window, live, part, replayed, replay, due, saidOf } = compared;
  const [i = -1] = pairing.a;
  const [j = -1] = pairing.b;
  const [mine, theirs] = sides;
  const told: LedgerNote[] = [];
  const isTranslated = mine.version !== theirs.version;
  const [one, other] = isTranslated ? [inV1(mine), inV1(theirs)] : sides;
  if (other.late) told.push(mayGoOn(mine.kind, hasEnded(mine)) ? GOES_ON : late(compared));
  if (due.from === undefined || i < due.from) told.push(unasked(window, due, mine, theirs));
  // What came late stands elsewhere for that.
  if (pairing.moved && !other.late) told.push({ kind: 'moved', ...moves(i, j) });
  if (areMany(live, pairing.a)) told.push(pieces('merged', live, pairing.a));
  if (areMany(replayed, pairing.b)) told.push(pieces('split', replayed, pairing.b));
  const isForked = window.method === 'session/fork' || mine.from <= (part?.inherited ?? 0);
  if (mine.id !== undefined && mine.id !== theirs.id && !isForked) told.push(lostId(mine, theirs));
  if (mine.kind === 'tool' && theirs.id !== undefined && replay.orphans.has(theirs.id))
    told.push({
      kind: 'orphan',
      verdict: 'lossy',
      why: 'came as a tool_call_update without its tool_call',
    });
  if (mine.id === theirs.id && replay.baseless.has(`m:${theirs.kind}:${theirs.id}`))
    told.push({
      kind: 'no baseline',
      verdict: 'corrupt',
      field: 'text',
      why: 'came in chunks without the empty upsert before them: a client that holds it shows its text twice',
    });
  const versions = [mine.version, theirs.version] as const;
  const said = () => withTerminals(saidOf(mine), mine, live);
  for (const difference of fieldDifferences(one, other, ending, said, versions, mine.isOnlySent))
    told.push(fieldNote(difference, part));
  if (told.length === 0 && isChunkedOtherwise(one, other))
    told.push({
      kind: 'cosmetic',
      verdict: 'cosmetic',
      why: `${chunks(one.frames)} live, ${other.frames} replayed`,
    });
  return told;
}

/** What its terminals told, v2. */
function withTerminals(
  said: SaidBefore,
  { fields }: Numbered,
  live: readonly Numbered[],
): SaidBefore {
  const ids = fields.get('terminals');
  if (ids?.type !== 'json') return said;
  const named = JSON.stringify(ids.value);
  for (const { kind, id, fields: told } of live)
    if (kind === 'terminal' && named.includes(JSON.stringify(id)))
      for (const value of told.values()) if (value.type === 'text') said.take(value.text);
  return said;
}

function lostId(mine: Numbered, theirs: Numbered): LedgerNote {
  const id = { field: ID_FIELDS[mine.kind], before: mine.id, after: theirs.id };
  const isGone = theirs.id === undefined;
  if (isGone && mine.version === 2 && theirs.version === 1)
    return mine.kind === 'plan'
      ? { kind: 'cannot say', verdict: 'cosmetic', ...id, why: 'v1 has no planId' }
      : { kind: 'cosmetic', verdict: 'cosmetic', ...id, why: 'v1 need not tell it' };
  const why = isGone ? 'came without its id' : 'came under another id';
  const isOpen = theirs.version === 1 && id.field === 'messageId';
  return isOpen
    ? { kind: 'lost id', verdict: 'cosmetic', ...id, why: `${why}; ${OPEN_IDS}` }
    : { kind: 'lost id', verdict: 'lossy', ...id, why };
}

/**
 * RFD message-id, completed: "The protocol doesn't require message IDs to be stable across session
 * loads, though Agents MAY choose to make them stable if their implementation supports it."
 */
const OPEN_IDS = 'v1 does not require them to be stable';

const ID_FIELDS = {
  user: 'messageId',
  agent: 'messageId',
  thought: 'messageId',
  peer: 'messageId',
  tool: 'toolCallId',
  plan: 'planId',
  terminal: 'terminalId',
} as const;

function isChunkedOtherwise(one: NormalItem, other: NormalItem): boolean {
  return (one.kind === 'agent' || one.kind === 'thought') && one.frames !== other.frames;
}

function chunks(count: number): string {
  return count === 1 ? '1 chunk' : `${count} chunks`;
}

/** History of before the cursor, or where none was asked for. */
function unasked(
  window: WindowRecord,
  due: HistoryDue,
  mine: Numbered,
  theirs: Numbered,
): LedgerNote {
  const why = due.from === undefined ? 'was not asked for' : 'stands before the cursor';
  const isUpsert = window.version === 2 && mine.id !== undefined && mine.id === theirs.id;
  return isUpsert
    ? { kind: 'unasked', verdict: 'cosmetic', why: `${why}; it repeats what has the same id` }
    : { kind: 'unasked', verdict: 'corrupt', why: `${why}: a client that has it shows it twice` };
}

/** Several messages; what has one id is one, whatever came between its chunks. */
function areMany(items: readonly NormalItem[], places: readonly number[]): boolean {
  const ids = new Set(places.map((at) => items[at]?.id));
  return places.length > 1 && (ids.size > 1 || ids.has(undefined));
}

function pieces(
  kind: 'split' | 'merged',
  items: readonly NormalItem[],
  places: readonly number[],
): LedgerNote {
  const [first = 0] = places;
  const others = (places.at(-1) ?? 0) - first + 1 - places.length;
  const words =
    kind === 'merged'
      ? `${places.length} messages came as one`
      : `one message came as ${places.length}`;
  const ids = new Set(places.map((at) => items[at]?.id));
  const wereMany = kind === 'merged' && ids.size === places.length && !ids.has(undefined);
  if (others === 0)
    return wereMany
      ? { kind, verdict: 'lossy', why: `${words}: a client cannot tell them apart` }
      : { kind, verdict: 'cosmetic', why: words };
  const between = items
    .slice(first, (places.at(-1) ?? 0) + 1)
    .filter(({ kind: of }) => of !== items[first]?.kind);
  return {
    kind,
    verdict: 'lossy',
    why: `${words}: what stood between them lost its place (${between.length})`,
  };
}

// What the fields of an item are worth, as a report shows them.

/** `field`: `status`, `rawInput.command`. */
type FieldDifference = Pick<
  ItemDifference,
  'verdict' | 'before' | 'after' | 'change' | 'values' | 'why'
> & { readonly field: string };

/** `versions`: those that they were said in; where these differ, both as v1 says them. */
function fieldDifferences(
  live: NormalItem,
  replayed: NormalItem,
  ending: Ending,
  saidOf: () => SaidBefore,
  versions: readonly [from: 1 | 2, to: 1 | 2],
  isOnlySent = false,
): FieldDifference[] {
  const found = differencesOf(live.fields, replayed.fields, ending, saidOf, versions);
  return (isOnlySent ? unlessReworded(found) : found).map((one) => {
    const { field, code, before, after } = one;
    const change = shownChange(before, after);
    const words = change ?? { before: shownValue(before), after: shownValue(after) };
    return { field, ...words, values: [before, after], verdict: JUDGED[code], why: whyWords(one) };
  });
}
