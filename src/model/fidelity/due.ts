// Which part of the live conversation a restore asked for.
import { parseJson, arr, str } from '../../acp/json.ts';
import type { LedgerNote } from './ledger.ts';
import type { NormalItem } from '../replay/normal-form.ts';
import type { Numbered } from './normalize.ts';
import { cursorIds } from '../restore/cursor-values.ts';
import { variantOf } from '../restore/restore-shapes.ts';
import type { ReplayWindowView } from '../timeline/row-view.ts';

export interface HistoryDue {
  /** The first live item that is due; undefined: none is. */
  readonly from: number | undefined;
  /** What the cursor names is not known, so the first item replayed had to do. */
  readonly guessed: boolean;
  /** It was asked for, and refused before it was said to be complete: what did not come is no loss. */
  readonly isRefused?: true;
}

const NOTHING: HistoryDue = { from: undefined, guessed: false };
const ALL: HistoryDue = { from: 0, guessed: false };

/**
 * `first`: the live item that the first replayed one is, if it is one. `isMarked`: `replay_complete`
 * says that the history is whole, whatever becomes of the request.
 */
export function historyDue(
  view: ReplayWindowView,
  live: readonly NormalItem[],
  first: number | undefined,
  isMarked: boolean,
): HistoryDue {
  const asked = askedFor(view, live, first);
  const isRefused = view.outcome === 'rejected' && !isMarked && asked.from !== undefined;
  return isRefused ? { ...asked, isRefused } : asked;
}

function askedFor(
  view: ReplayWindowView,
  live: readonly NormalItem[],
  first: number | undefined,
): HistoryDue {
  const { name } = variantOf(view);
  if (name === 'load' || name === 'start') return ALL;
  if (name === 'fork') return first === undefined ? NOTHING : ALL;
  if (name !== 'custom') return NOTHING;
  const ids = cursorIds(parseJson(view.cursor ?? '') ?? null);
  const named = live.findIndex(({ id }) => id !== undefined && ids.includes(id));
  return named >= 0 ? { from: named, guessed: false } : { from: first, guessed: true };
}

/** v1 `session/resume`, and v2 with its cursor omitted or null. */
export function wantsNone(view: ReplayWindowView): boolean {
  const { name } = variantOf(view);
  return name === 'resume' || name === 'omitted' || name === 'null';
}

// Between two versions of the protocol: what one of them has no word for is nobody's loss, and what
// both say in other words is compared in those of v1, which has fewer.

/** As v1 would say it. */
export function inV1(item: Numbered): Numbered {
  return item.inV1 ? { ...item, fields: item.inV1() } : item;
}

const CANNOT = { kind: 'cannot say', verdict: 'cosmetic' } as const;

/** Of a live item that did not come: that the version of the replay cannot say it. `planned`: turns of which a plan came. */
export function unsaidLive(
  item: Numbered,
  version: 1 | 2,
  planned: () => ReadonlySet<number>,
): LedgerNote | undefined {
  if (version === 2 || item.version === version) return undefined;
  if (item.kind === 'terminal')
    return {
      ...CANNOT,
      why: 'v1 has no terminals of the agent; what it showed is content of its tool call',
    };
  if (item.kind !== 'plan') return undefined;
  if (!hasStatus(item)) return { ...CANNOT, why: 'v1 has only plans with entries' };
  return planned().has(item.turn) ? { ...CANNOT, why: 'v1 has one plan a turn' } : undefined;
}

/** Of an item that came though it was not said live: that the version spoken live, of what stands before it, could not say it. */
export function unsaidReplayed(
  item: Numbered,
  before: Numbered | undefined,
): LedgerNote | undefined {
  const isV1 = item.version === 2 && before?.version === 1;
  return isV1 && item.kind === 'terminal'
    ? { ...CANNOT, why: 'v1, in which it was said live, has no terminals of the agent' }
    : undefined;
}

/** Plans that are a file or Markdown are one entry without a status. */
function hasStatus({ fields }: NormalItem): boolean {
  const entries = fields.get('entries');
  const first =
    entries?.type === 'json' ? arr({ entries: entries.value }, 'entries')[0] : undefined;
  return str(first, 'status') !== '';
}
