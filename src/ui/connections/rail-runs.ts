// The connections of a run of ours stand in the rail as one entry, below those made by hand.
import type { TraceSummary } from '../../engine/messages.ts';

export interface RailRunEntry {
  readonly id: string;
  readonly title: string;
  /** In the order they were made. */
  readonly traces: readonly TraceSummary[];
}
export type RailEntry = { readonly trace: TraceSummary } | { readonly run: RailRunEntry };

/** Connections made by hand in the order of `traces`, then the runs, the newest first. */
export function railEntries(traces: readonly TraceSummary[]): readonly RailEntry[] {
  const runs = new Map<string, TraceSummary[]>();
  for (const trace of traces) {
    const { group } = trace;
    if (group === undefined) continue;
    runs.set(group.id, [...(runs.get(group.id) ?? []), trace]);
  }
  const newest = (all: readonly TraceSummary[]) => Math.max(...all.map(({ number }) => number));
  return [
    ...traces.filter(({ group }) => group === undefined).map((trace) => ({ trace })),
    ...[...runs]
      .toSorted(([, a], [, b]) => newest(b) - newest(a))
      .map(([id, all]) => ({
        run: {
          id,
          title: all[0]?.group?.title ?? '',
          traces: all.toSorted((a, b) => a.number - b.number),
        },
      })),
  ];
}
