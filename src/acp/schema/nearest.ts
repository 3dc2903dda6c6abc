// Which known name a person may have meant.
import { distanceOf } from '../../lib/nearest.ts';

/** The known name that differs in case, or in at most two letters. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const flat = (text: string) => text.replace(/[_-]/g, '').toLowerCase();
  const same = known.find((other) => flat(other) === flat(name));
  if (same !== undefined || name.length < 4 || name.length > 40) return same;
  return known.find((other) => other.length > 3 && distanceOf(name, other) <= 2);
}
