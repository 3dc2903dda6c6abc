// In which rows an alias stands.
import type { Names } from '../binding.ts';
import type { Stretch } from '../links.ts';
import type { LaneSide } from '../chunk-links.ts';
import type { RowList } from '../rows.ts';

/** On either side; ascending. */
export function rowsWith(
  name: string,
  a: LaneSide,
  b: LaneSide,
  names: Names,
  rows: RowList,
): number[] {
  const left = standsIn(a, names.a.indexOf(name));
  const right = standsIn(b, names.b.indexOf(name));
  const found: number[] = [];
  for (let row = 0; row < rows.length; row++) {
    const { a: i, b: j, joint } = rows.at(row);
    if (left(i, joint) || right(j, joint)) found.push(row);
  }
  return found;
}

/** Whether the real value of this number stands in an entry; `joint`: or in those after it. */
function standsIn({ lane, tokens }: LaneSide, value: number) {
  const { starts, found, headEnds, unitOf, values } = tokens;
  return (entry: number, joint: Stretch | undefined): boolean => {
    if (entry < 0 || value < 0) return false;
    const unit = unitOf.get(entry);
    const end = starts.get(unit + 1);
    let at = starts.get(unit);
    while (at < end && found.get(at) !== value) at++;
    if (at === end || joint || !tokens.isRun(unit) || at < headEnds.get(unit)) return at < end;
    // In the text of one of these chunks, or cut in two by them.
    return (lane.chunk(entry) ?? '').includes(values.reals[value] ?? '');
  };
}
