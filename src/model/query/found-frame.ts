// A frame that a query found, as the timeline says it.
import { defined } from '../../lib/defined.ts';
import { known } from '../../lib/time.ts';
import type { Seq, Side } from '../../trace/event.ts';
import { FLAG, type RowKind } from '../columns.ts';
import type { IndexedTrace } from '../indexed-trace.ts';
import { digestsOf } from '../timeline/row-builder.ts';

export interface FoundFrame {
  readonly seq: Seq;
  /** The place, from 0, of a message in the array that is the frame's line; absent: the row is of the line. */
  readonly member?: number;
  /** Milliseconds since the trace began. */
  readonly at?: number;
  readonly from?: Side;
  readonly kind: RowKind;
  /** The method, also of an answer; or the variant of a `session/update`. */
  readonly method: string;
  readonly update?: true;
  readonly summary: string;
  readonly session?: string;
  readonly history?: 'replay' | 'late';
  /** Milliseconds from a request to its answer, on both. */
  readonly latency?: number;
  readonly bytes: number;
}

/** The frame's name in its trace, `#12`; of one message of its array `#12/0`. */
export function foundName({ seq, member }: Pick<FoundFrame, 'seq' | 'member'>): string {
  return `#${seq}${member === undefined ? '' : `/${member}`}`;
}

/** Gives what is said of each event, by its place. */
export function foundFrames({ index, eventAt }: Pick<IndexedTrace, 'index' | 'eventAt'>) {
  const { columns } = index;
  const digestAt = digestsOf(index, eventAt);
  return (place: number): FoundFrame => {
    const isLate = columns.has(place, FLAG.late);
    const history: FoundFrame['history'] = columns.has(place, FLAG.replay)
      ? 'replay'
      : isLate
        ? 'late'
        : undefined;
    const event = columns.has(place, FLAG.member) ? eventAt(place) : undefined;
    return defined({
      seq: columns.seqOf(place),
      member: event?.type === 'frame' ? event.member : undefined,
      ...{ at: known(columns.timeOf(place)), from: columns.fromOf(place) },
      ...{ kind: columns.kindOf(place), method: columns.nameOf(place) },
      update: columns.has(place, FLAG.update) ? (true as const) : undefined,
      summary: digestAt(place).summary,
      ...{ session: index.session(place)?.chip, history },
      ...{ latency: columns.latencyOf(place), bytes: columns.size.get(place) },
    });
  };
}
