// What the palette offers for what is typed: each group by its best match, so that a name that fits
// well stands above forty that merely hold the letters.
import type { TraceSummary } from '../../engine/messages.ts';

/** One thing to go to or to do. */
export interface PaletteEntry<T = unknown> {
  /** Among all. */
  readonly id: string;
  readonly group: string;
  /** What it is found by, its label first. */
  readonly words: readonly string[];
  readonly of: T;
}

export interface PaletteGroup<T> {
  readonly name: string;
  readonly entries: readonly PaletteEntry<T>[];
  /** Further ones that match and are not listed. */
  readonly more: number;
}

/** Of each group: what fits the window, so that the next group is seen. */
const MOST = 8;
const MOST_UNASKED = 3;
const MOST_HERE = 12;
/** What can be done is all there is to read before anything is typed: here first, then anywhere. */
export const HERE = 'Here';
export const DO = 'Do';

/** Each word that is typed must be in one of the words, the likelier the more it looks like its beginning; 0: it is not. */
export function matchOf(typed: string, words: readonly string[]): number {
  const said = words.map((word) => word.toLowerCase());
  const parts = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const each = parts.map((part) => Math.max(0, ...said.map((word, i) => likeness(part, word, i))));
  return Math.min(...each);
}

function likeness(part: string, word: string, place: number): number {
  const at = word.indexOf(part);
  if (at < 0) return 0;
  const begins = at === 0 || !/[\p{L}\p{N}]/u.test(word.charAt(at - 1));
  const best = word === part ? 4 : at === 0 ? 3 : begins ? 2 : 1;
  // What it is also known by counts less than what it is called.
  return place === 0 ? best : best - 0.5;
}

export function paletteGroups<T>(
  entries: readonly PaletteEntry<T>[],
  typed: string,
): readonly PaletteGroup<T>[] {
  const isAsked = typed.trim() !== '';
  const groups = new Map<string, { readonly entry: PaletteEntry<T>; readonly match: number }[]>();
  for (const entry of entries) {
    const match = isAsked ? matchOf(typed, entry.words) : 1;
    if (match > 0) groups.set(entry.group, [...(groups.get(entry.group) ?? []), { entry, match }]);
  }
  const sorted = [...groups].map(([name, found]) => ({
    name,
    found: found.toSorted((a, b) => b.match - a.match),
  }));
  sorted.sort((a, b) => (b.found[0]?.match ?? 0) - (a.found[0]?.match ?? 0));
  return sorted.map(({ name, found }) => {
    const most = isAsked ? MOST : name === DO ? Infinity : name === HERE ? MOST_HERE : MOST_UNASKED;
    return {
      name,
      entries: found.slice(0, most).map(({ entry }) => entry),
      more: Math.max(0, found.length - most),
    };
  });
}

/** One entry a session: where it runs, else where it was last. Runs of tests repeat theirs many times. */
export function paletteSessions(traces: readonly TraceSummary[]) {
  const best = new Map<
    string,
    { readonly trace: TraceSummary; readonly title?: string; readonly chip: string }
  >();
  const rank = ({ state, group, number }: TraceSummary) =>
    (state === 'running' ? 2e9 : 0) + (group === undefined ? 1e9 : 0) + number;
  for (const trace of traces)
    for (const { sessionId, title, chip } of trace.facts?.sessions ?? []) {
      const known = best.get(sessionId);
      if (known && rank(known.trace) >= rank(trace)) continue;
      const named = title ?? known?.title;
      best.set(sessionId, { trace, chip, ...(named !== undefined && { title: named }) });
    }
  return [...best].map(([sessionId, of]) => ({ sessionId, ...of }));
}
