// What several selected frames are together: how many, over which time, how many bytes.
import { millis, type Millis } from '../../lib/time.ts';
import type { Seq } from '../../trace/event.ts';
import { AGENT, CLIENT, STD } from '../columns.ts';
import type { TraceIndex } from '../trace-index.ts';

export interface SelectionSum {
  /** Frames by side, lines of stderr, and other events. */
  readonly client: number;
  readonly agent: number;
  readonly stderr: number;
  readonly others: number;
  /** Of all lines, without their ends. */
  readonly bytes: number;
  /** Of the earliest and the latest; zeros where there is none. */
  readonly from: Millis;
  readonly to: Millis;
}

export function sumOf(index: TraceIndex, seqs: readonly Seq[]): SelectionSum {
  const { columns } = index;
  const sum = { client: 0, agent: 0, stderr: 0, others: 0, bytes: 0 };
  let [from, to] = [Infinity, -Infinity];
  for (const seq of seqs) {
    const event = columns.indexOf(seq);
    if (event < 0) continue;
    const side = columns.side.get(event);
    if (side === CLIENT) sum.client++;
    else if (side === AGENT) sum.agent++;
    else if (columns.kind.get(event) === STD) sum.stderr++;
    else sum.others++;
    sum.bytes += columns.size.get(event);
    from = Math.min(from, columns.at.get(event));
    to = Math.max(to, columns.at.get(event));
  }
  return to < from
    ? { ...sum, from: millis(0), to: millis(0) }
    : { ...sum, from: millis(from), to: millis(to) };
}
