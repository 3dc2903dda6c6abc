// Which part of the live conversation a restore asked for.
import { assertNever } from '../../lib/assert-never.ts';
import { parseJson } from '../../acp/json.ts';
import { cursorIds } from '../../model/restore/cursor-values.ts';
import { variantOf } from '../../model/restore/restore-variant.ts';
import type { ReplayWindowView } from '../../model/timeline/row-view.ts';
import type { NormalItem } from './normal-form.ts';

export interface Due {
  /** The first live item that is due; undefined: none is. */
  readonly from: number | undefined;
  /** What the cursor names is not known, so the first item replayed had to do. */
  readonly guessed: boolean;
  /** History may come, whether or not it is due. */
  readonly allowed: boolean;
}

const NOTHING: Due = { from: undefined, guessed: false, allowed: false };
const ALL: Due = { from: 0, guessed: false, allowed: true };

/** `first`: the live item that the first replayed one is, if it is one. */
export function dueOf(
  view: ReplayWindowView,
  live: readonly NormalItem[],
  first: number | undefined,
): Due {
  if (view.outcome === 'rejected') return NOTHING;
  const { name } = variantOf(view);
  switch (name) {
    case 'load':
    case 'start':
      return ALL;
    case 'fork':
      return first === undefined ? { ...NOTHING, allowed: true } : ALL;
    case 'custom': {
      const ids = cursorIds(parseJson(view.cursor ?? '') ?? null);
      const named = live.findIndex(({ id }) => id !== undefined && ids.includes(id));
      if (named >= 0) return { from: named, guessed: false, allowed: true };
      return { from: first, guessed: true, allowed: true };
    }
    case 'resume':
    case 'omitted':
    case 'null':
    case 'malformed':
    case 'unknown':
      return NOTHING;
    default:
      return assertNever(name as never);
  }
}
