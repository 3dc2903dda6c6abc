// "Did you mean …": the known word nearest to one that is not.

/** Undefined: none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor((word.length + 1) / 3));
  let best: { readonly word: string; readonly distance: number } | undefined;
  for (const one of known) {
    const distance = distanceOf(word.toLowerCase(), one.toLowerCase());
    if (distance <= most && distance < (best?.distance ?? Infinity)) best = { word: one, distance };
  }
  return best?.word;
}

/** ` Did you mean X?`, or nothing. */
export function didYouMean(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}

/** Letters to change, add or take away. Words longer than any known one cost no more than those. */
export function distanceOf(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > b.length) return Infinity;
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j++) {
      const same = letter === b[j - 1] ? 0 : 1;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** True if one letter was changed, added, omitted or swapped with its neighbour. */
export function isSlip(typed: string, meant: string): boolean {
  if (Math.abs(typed.length - meant.length) > 1 || typed === meant) return false;
  let start = 0;
  while (typed[start] === meant[start] && start < typed.length) start++;
  let end = 0;
  const rest = Math.min(typed.length, meant.length) - start;
  while (end < rest && typed.at(-1 - end) === meant.at(-1 - end)) end++;
  const was = typed.slice(start, typed.length - end);
  const is = meant.slice(start, meant.length - end);
  if (was.length <= 1 && is.length <= 1) return true;
  return was.length === 2 && is === `${was[1]}${was[0]}`;
}

/** Whether each word that was typed stands somewhere in what is said of a thing, in any case. */
export function wordsFit(typed: string, said: readonly (string | undefined)[]): boolean {
  const text = said.join('\n').toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
