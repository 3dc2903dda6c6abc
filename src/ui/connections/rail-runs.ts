// The connections of a run of ours stand in the rail as one entry, where its newest would.
import type { TraceSummary } from '../../engine/messages.ts';

export interface RailRunEntry {
  readonly id: string;
  readonly title: string;
  /** In the order they were made. */
  readonly traces: readonly TraceSummary[];
}
export type RailEntry = { readonly trace: TraceSummary } | { readonly run: RailRunEntry };

/** Keeps the order of `traces`. */
export function railEntries(traces: readonly TraceSummary[]): readonly RailEntry[] {
  const runs = new Map<string, TraceSummary[]>();
  const entries: ({ readonly trace: TraceSummary } | { readonly of: string })[] = [];
  for (const trace of traces) {
    const { group } = trace;
    if (group === undefined) {
      entries.push({ trace });
      continue;
    }
    const known = runs.get(group.id);
    if (known) known.push(trace);
    else {
      runs.set(group.id, [trace]);
      entries.push({ of: group.id });
    }
  }
  return entries.map((entry) => {
    if ('trace' in entry) return entry;
    const all = (runs.get(entry.of) ?? []).toSorted((a, b) => a.number - b.number);
    return { run: { id: entry.of, title: all[0]?.group?.title ?? '', traces: all } };
  });
}
