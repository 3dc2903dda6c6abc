// What rules leave out, and how many differences that hides: the values of each rule are aligned in
// their order, and what the other side has not, or has otherwise, would be one. And where aliases stand.
import type { AliasTable } from '../binding.ts';
import type { LaneSide } from '../chunk-links.ts';
import type { Leave } from '../ignore.ts';
import type { LeftOutByRule } from './report.ts';
import type { PlacedRow } from '../rows.ts';
import { alignTokens, type Stretch } from '../../../lib/align.ts';
import type { Tokens } from '../tokens.ts';
import { int32, type Growable } from '../../../lib/growable.ts';

/** Of one side: by rule, tokens of what it left out. */
export interface LeftOutSide {
  readonly leave: Leave;
  readonly of: (rule: number) => Int32Array;
}

export function leftOutSide(tokens: Tokens): LeftOutSide {
  const byRule: Growable<Int32Array>[] = [];
  return {
    leave: (rule, value, key) => (byRule[rule] ??= int32()).push(tokens.ofLeftOut(value, key)),
    of: (rule) => byRule[rule]?.values() ?? new Int32Array(),
  };
}

export async function leftOutBy(
  rules: readonly string[],
  a: LeftOutSide,
  b: LeftOutSide,
  pause: () => Promise<void>,
): Promise<LeftOutByRule[]> {
  const found: LeftOutByRule[] = [];
  for (const [at, rule] of rules.entries()) {
    const [left, right] = [a.of(at), b.of(at)];
    const { partner } = await alignTokens(left, right, pause);
    const differences = between(partner, right.length);
    found.push({ rule, differences, a: left.length, b: right.length });
  }
  return found;
}

/** Between what is the same, one for each value of the side that has more of them. */
function between(partner: Int32Array, length: number): number {
  let differences = 0;
  let [i, j] = [0, 0];
  for (let at = 0; at <= partner.length; at++) {
    const other = at === partner.length ? length : (partner[at] ?? -1);
    if (other < 0) continue;
    differences += Math.max(at - i, other - j);
    [i, j] = [at + 1, other + 1];
  }
  return differences;
}

// In which rows an alias stands.

/** On either side; ascending. */
export function rowsWith(
  name: string,
  a: LaneSide,
  b: LaneSide,
  names: AliasTable,
  rows: readonly PlacedRow[],
): number[] {
  const left = standsIn(a, names.a.indexOf(name));
  const right = standsIn(b, names.b.indexOf(name));
  return rows.flatMap(({ a: i, b: j, joint }, row) =>
    left(i, joint) || right(j, joint) ? row : [],
  );
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
