// The differences of one window as they are found, and the rows they belong to.
import { FRAMES_MISSING, type LivePart } from './live-fold.ts';
import { factName, factSide, isStrange, itemName } from './report/sentence.ts';
import type { Numbered } from './normalize.ts';
import type { NormalFact } from '../replay/normal-form.ts';
import type { ItemDifference, FidelityVerdict, ItemMark, Row, RowSide } from './report/report.ts';

/** The worst first. */
export const FIDELITY_VERDICTS: readonly FidelityVerdict[] = [
  'corrupt',
  'lossy',
  'undecidable',
  'cosmetic',
  'equal',
];

export function worstFidelity(verdicts: readonly FidelityVerdict[]): FidelityVerdict {
  return FIDELITY_VERDICTS.find((verdict) => verdicts.includes(verdict)) ?? 'equal';
}

/** A row, with what groups and scores need to know of it. */
export interface LedgerRow extends Row {
  /** The live turn it belongs to; undefined: a setting. */
  readonly turn: number | undefined;
  /** It was not told, and need not or cannot be: it is not counted. */
  readonly isOpen: boolean;
  /** How many items of each side it stands for. */
  readonly lives: number;
  readonly replays: number;
}

export type LedgerNote = Pick<ItemDifference, 'kind' | 'verdict' | 'why'> &
  Partial<Pick<ItemDifference, 'field' | 'before' | 'after' | 'change' | 'values'>> & {
    /** The item is no part of the conversation: it is noted and counts neither way. */
    readonly isAside?: true;
  };

const UNKNOWN = { kind: 'unknown', verdict: 'undecidable', why: FRAMES_MISSING } as const;

/** What was not seen live may have been said where frames are missing. */
export function fieldNote(found: Omit<LedgerNote, 'kind'>, part: LivePart | undefined): LedgerNote {
  const { verdict } = found;
  if (verdict === 'corrupt' && part?.gap) return { ...found, ...UNKNOWN };
  return { ...found, kind: verdict === 'cosmetic' ? 'cosmetic' : 'changed' };
}

/** One side of a row of items: `item` may be several made one. */
export interface LedgerEntry {
  readonly item: Numbered;
  readonly side: RowSide;
  readonly count: number;
}

/** Of what came it is known under which id and where it stands, whatever else was lost. */
const SEEN: ReadonlySet<ItemMark> = new Set(['late', 'moved', 'lost id']);

/** What the agent did not replay and what was lost on the way look alike. */
function lostNote(note: LedgerNote): LedgerNote {
  return SEEN.has(note.kind) ? note : openNote(note, FRAMES_MISSING);
}

/** A difference that the traces cannot decide, and why. */
function openNote(note: LedgerNote, why: string): LedgerNote {
  const isFault = note.verdict === 'lossy' || note.verdict === 'corrupt';
  return isFault ? { ...note, ...UNKNOWN, why } : note;
}

/** The live and the replayed item that a difference is about; both undefined for a setting. */
export interface ComparedPair {
  readonly mine: Numbered | undefined;
  readonly theirs: Numbered | undefined;
}

const NO_ITEMS: ComparedPair = { mine: undefined, theirs: undefined };

export class Ledger {
  readonly differences: ItemDifference[] = [];
  /** The items of each difference, at the same place. */
  readonly subjects: ComparedPair[] = [];
  readonly rows: LedgerRow[] = [];
  readonly #isLost: boolean;

  /** `isLost`: frames are missing while the replay came. */
  constructor(isLost: boolean) {
    this.#isLost = isLost;
  }

  /** `open`: why nothing that differs in the item can be judged; undefined: it can. */
  item(
    notes: readonly LedgerNote[],
    live: LedgerEntry | undefined,
    replayed: LedgerEntry | undefined,
    turn: number,
    open?: string,
  ): void {
    const told =
      open === undefined
        ? notes
        : notes.map((note) => (note.kind === 'late' ? note : openNote(note, open)));
    const item = live?.item ?? replayed?.item;
    if (!item) return;
    const isOpen = told.some(
      ({ kind, field, isAside }) => isAside || (kind === 'cannot say' && field === undefined),
    );
    const name = () => itemName(item);
    const subject = { mine: live?.item, theirs: replayed?.item };
    this.#add(told, { of: item.kind, name, turn, isOpen }, live, replayed, subject);
  }

  /** `isOpen`: it was not told, which is no difference. */
  fact(
    told: readonly LedgerNote[],
    live: NormalFact | undefined,
    replayed: NormalFact | undefined,
    isOpen = false,
  ): void {
    const fact = live ?? replayed;
    if (!fact) return;
    const [one, other] = [live, replayed].map((side) => side && { side: factSide(side), count: 1 });
    const name = () => factName(fact);
    this.#add(told, { of: fact.kind, name, turn: undefined, isOpen }, one, other, NO_ITEMS);
  }

  #add(
    notes: readonly LedgerNote[],
    {
      of,
      name,
      turn,
      isOpen,
    }: Pick<LedgerRow, 'of' | 'turn' | 'isOpen'> & { readonly name: () => string },
    live: Pick<LedgerEntry, 'side' | 'count'> | undefined,
    replayed: Pick<LedgerEntry, 'side' | 'count'> | undefined,
    subject: ComparedPair,
  ): void {
    const told = this.#isLost ? notes.map(lostNote) : notes;
    const from = this.differences.length;
    const item = told.length === 0 ? '' : name();
    if (told.length > 0) this.subjects.push(...told.map(() => subject));
    // Of a day of restores there are hundreds of thousands, and V8 gives what is made by spreading a shape of its own each.
    for (const { kind, verdict, why, field, before, after, change, values } of told)
      this.differences.push({
        kind,
        verdict,
        why,
        of,
        item,
        field,
        live: live?.side.frame,
        replayed: replayed?.side.frame,
        before,
        after,
        change,
        values,
      });
    const verdict = told.length === 0 ? 'equal' : worstFidelity(told.map((one) => one.verdict));
    this.rows.push({
      of,
      mark: isOpen && told.length === 0 ? 'unknown' : markOf(told, verdict),
      verdict,
      live: live?.side,
      replayed: replayed?.side,
      differences: told.map((_, at) => from + at),
      turn,
      isOpen,
      lives: live?.count ?? 0,
      replays: replayed?.count ?? 0,
    });
  }
}

/** What nobody said is that before all, then what came late is late; else what weighs most. */
function markOf(told: readonly LedgerNote[], verdict: FidelityVerdict): ItemMark {
  if (told.length === 0) return 'equal';
  const first = told.find(isStrange) ?? told.find(({ kind }) => kind === 'late');
  return first?.kind ?? told.find((one) => one.verdict === verdict)?.kind ?? 'equal';
}
