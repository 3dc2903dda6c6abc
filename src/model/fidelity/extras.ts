// What a replay says that nothing live is held against: what nobody said, as far as the traces know.
import { bare } from '../facts/message-text.ts';
import { type ChildrenBack, EXTRA, isAdded, judgeExtra, UNTOLD } from '../replay/judge.ts';
import type { NormalItem } from '../replay/normal-form.ts';
import { extraOf, isFurtherPiece, itemText } from '../replay/pair-items.ts';
import { isToldAgain } from '../replay/texts.ts';
import type { HistoryDue } from './due.ts';
import { fieldNote, type LedgerNote } from './ledger.ts';
import type { LivePart } from './live-fold.ts';
import type { Numbered } from './normalize.ts';
import type { ComparedTurns } from './turns.ts';

export interface Compared {
  readonly live: readonly Numbered[];
  readonly part: LivePart | undefined;
  readonly replayed: readonly Numbered[];
  readonly due: HistoryDue;
  readonly tree: { readonly children: ChildrenBack };
  /** Whether an item may be live, though the restore brought it. */
  readonly mayBeLive: (item: NormalItem) => boolean;
}

/** Of a tool call that had no permission, and says that it ran. */
const RAN = { field: 'status', before: 'unapproved', after: 'completed' } as const;

/** `before`: the place of the live item that it stands behind. */
export function extra(
  compared: Compared,
  item: Numbered,
  before: number,
  turns: ComparedTurns,
  untold: Untold,
): LedgerNote {
  const { part, live, replayed, due, tree } = compared;
  const unknown =
    (untold && UNTOLD[untold]) ??
    (live.length === 0 && !part?.whole
      ? 'no trace holds the live part'
      : isFurtherPiece(item, replayed)
        ? undefined
        : (turns.unknownAfter(before, item.kind) ??
          (due.guessed ? 'what the cursor names is not known' : undefined)));
  const said = extraOf(item, replayed, part?.asked);
  const isKnown = unknown === undefined;
  const code = judgeExtra(said, turns.endingOf(before), () => tree.children, isKnown);
  const { verdict, why } = EXTRA[code];
  if (isAdded(code)) return { kind: 'synthetic', verdict, why };
  if (code === 'empty' || code === 'asked') return { kind: 'cosmetic', verdict, why };
  if (code === 'refused') return fieldNote({ ...RAN, verdict, why }, part);
  return code === 'unknown'
    ? { kind: 'unknown', verdict, why: unknown ?? why }
    : { kind: 'extra', verdict, why };
}

/** Why it may be live; what nobody sent is not, nor what follows it, or repeats what was said. */
export function untoldOf({ live, replayed, mayBeLive }: Compared, item: Numbered): Untold {
  if (item.kind === 'user') return undefined;
  if (item.isAgain === true) return undefined;
  if (!item.late) return mayBeLive(item) ? 'atWork' : undefined;
  const isForeign = replayed.some((one) => one.late && one.kind === 'user' && one.from < item.from);
  return isForeign || repeats(item, [...live, ...replayed]) ? undefined : 'late';
}

/** True if another of these items holds the words of this one. */
export function repeats(item: Numbered, others: readonly Numbered[]): boolean {
  const words = bare(itemText(item));
  return others.some(
    (one) => one !== item && one.kind === item.kind && isToldAgain(bare(itemText(one)), words),
  );
}

type Untold = keyof typeof UNTOLD | undefined;
