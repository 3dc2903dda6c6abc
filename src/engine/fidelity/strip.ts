// A replay as a strip: the items of the live part in a row, and what became of them.
import { grouped } from '../../lib/grouped.ts';
import type {
  FidelityKind,
  FidelityWindow,
  Row,
  RowGroup,
} from '../../model/fidelity/report/report.ts';
import type { ComparedRun, ReplayTape } from '../../model/sessions/session-runs.ts';
import type { FrameRef } from '../../trace/event.ts';

/** Items of the live part that follow one another, and what became of them in a replay. `extra`: they are of no live item. */
export interface StripPart {
  readonly is: 'replayed' | 'late' | 'missing' | 'extra';
  readonly items: number;
  /** The first frames of the first and the last live item. */
  readonly from?: FrameRef;
  readonly to?: FrameRef;
}

export function stripParts(groups: readonly RowGroup[]): readonly StripPart[] {
  const parts: { -readonly [K in keyof StripPart]: StripPart[K] }[] = [];
  for (const row of groups.filter(({ at }) => at !== 'end').flatMap(({ rows }) => rows)) {
    const is = row.of === 'aside' ? undefined : fateOf(row);
    if (is === undefined) continue;
    const last = parts.at(-1);
    const at = row.live?.frame;
    if (last?.is !== is) parts.push({ is, items: 1, ...(at && { from: at, to: at }) });
    else {
      last.items++;
      if (at) last.to = at;
    }
  }
  return parts;
}

/** Undefined: nothing proves that it is gone. */
function fateOf({ mark, live, replayed }: Row): StripPart['is'] | undefined {
  if (mark === 'late') return 'late';
  // Without a live part nothing says that it never was.
  if (replayed) return live || mark === 'unknown' ? 'replayed' : 'extra';
  return mark === 'missing' ? 'missing' : undefined;
}

/** A message or a tool call of a compared replay. */
export interface ReplayCell {
  readonly kind: CellKind;
  /** `cut`: part of it is missing. `unknown`: nothing shows whether it was so live. */
  readonly is: 'same' | 'equivalent' | 'cut' | 'wrong' | 'late' | 'missing' | 'extra' | 'unknown';
  readonly live?: FrameRef;
  /** Its place among all rows of the comparison. */
  readonly row: number;
  readonly words: string;
}

const CELL_KINDS = ['user', 'agent', 'thought', 'peer', 'tool'] as const;
export type CellKind = (typeof CELL_KINDS)[number];
const cellKind = (kind: FidelityKind): CellKind | undefined =>
  CELL_KINDS.find((one) => one === kind);

export function stripCells(groups: readonly RowGroup[]): readonly ReplayCell[] {
  return groups
    .flatMap(({ rows }) => rows)
    .flatMap((row, at): readonly ReplayCell[] => {
      if (row.of === 'aside') return [];
      const kind = cellKind(row.of);
      const is = cellFate(row);
      if (!kind || !is) return [];
      const words = (row.live ?? row.replayed)?.words ?? '';
      return [{ kind, is, row: at, words, ...(row.live && { live: row.live.frame }) }];
    });
}

const FATES: Readonly<Record<Row['verdict'], ReplayCell['is']>> = {
  equal: 'same',
  cosmetic: 'equivalent',
  lossy: 'cut',
  corrupt: 'wrong',
  undecidable: 'unknown',
};

function cellFate(row: Row): ReplayCell['is'] | undefined {
  const fate = fateOf(row);
  if (fate !== 'replayed') return fate;
  return FATES[row.verdict];
}

/** Parts of a tape: more of them cannot be told apart in a thumbnail. */
const MAX_PARTS = 24;

/** Returns what the rail shows of the replay of a restore. */
export function comparedRun(window: FidelityWindow): ComparedRun {
  const { connection, session, requestSeq, groups } = window;
  const { protocol, history, headline, figures } = window.answer;
  return {
    ...{ connection, session, request: requestSeq },
    judged: { protocol, history, headline, figures, tape: tapeOf(stripParts(groups)) },
  };
}

/** A strip of very many parts is drawn as the sums of its fates. */
function tapeOf(parts: readonly StripPart[]): ReplayTape {
  const all = parts.map(({ is, items }) => [is, items] as const);
  if (all.length <= MAX_PARTS) return all;
  return [...grouped(all, ([is]) => is)].map(([is, of]) => [
    is,
    of.reduce((sum, [, items]) => sum + items, 0),
  ]);
}
