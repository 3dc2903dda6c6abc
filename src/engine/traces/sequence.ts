// What the seq of an event says about those before it: that it was had, follows, or that some are
// missing. The numbers are the recorder's and stay; a hole is shown, never closed by renumbering.
import { millis } from '../../lib/time.ts';
import { seq, type Gap, type Seq, type TraceEvent } from '../../trace/event.ts';

export class Sequence {
  /** The newest event taken; 0: none. */
  last: Seq = seq(0);
  /** What the next event ought to be. */
  private due = 1;

  /** It was taken before, or has no place behind what was. */
  isRepeat(event: TraceEvent): boolean {
    return event.seq <= this.last;
  }

  /** Takes an event that is no repeat; the gap before it, if events are missing there. */
  take(event: TraceEvent, reason: string): Gap | undefined {
    const missing = event.seq - this.due;
    const gap = missing > 0 ? gapAt(this.due, missing, event, reason) : undefined;
    this.last = event.seq;
    // A recorder's own gap stands for `count` seqs, its own among them.
    this.due = event.seq + (event.type === 'gap' ? event.count : 1);
    return gap;
  }

  /** A gap for something at the end that has no seq of its own. */
  close(last: TraceEvent | undefined, reason: string): Gap {
    const gap = gapAt(this.due, 1, last ?? { at: millis(0) }, reason);
    this.last = gap.seq;
    this.due++;
    return gap;
  }
}

function gapAt(first: number, count: number, { at }: Pick<TraceEvent, 'at'>, reason: string): Gap {
  return { type: 'gap', seq: seq(first), ...(at !== undefined && { at }), count, reason };
}
