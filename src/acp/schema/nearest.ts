// Which known name a person may have meant.

/** The known name that differs in case, or in at most two letters. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const flat = (text: string) => text.replace(/[_-]/g, '').toLowerCase();
  const same = known.find((other) => flat(other) === flat(name));
  if (same !== undefined || name.length < 4 || name.length > 40) return same;
  return known.find((other) => other.length > 3 && distance(name, other) <= 2);
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
