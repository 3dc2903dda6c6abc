// One trace as the page looks at it: its timeline under a query, its frames, and its folds. Loaded
// with the first trace that is looked at: a page that only waits for one does without.
import { STD } from '../model/columns.ts';
import { densityOf, type DensityView } from '../model/density.ts';
import { frameDetail, type FrameDetail } from '../model/frame-detail.ts';
import { TimelineView } from '../model/timeline-view.ts';
import { vocabularyOf, type Vocabulary } from '../model/vocabulary.ts';
import { seq, type Seq } from '../trace/event.ts';
import { lineText } from '../trace/line.ts';
import { Folds } from './folds.ts';
import type { TimelineState } from './messages.ts';
import type { OpenTrace } from './open-trace.ts';

/** Lines of stderr handed over at once: more than a terminal keeps. */
const MOST_STDERR = 10_000;

export class Look {
  readonly trace: OpenTrace;
  readonly view: TimelineView;
  readonly folds: Folds;

  constructor(trace: OpenTrace) {
    this.trace = trace;
    this.view = new TimelineView(trace.index, (index) => trace.lines.event(index), trace.lines);
    this.folds = new Folds(trace);
  }

  /** With everything that has come. */
  state(): TimelineState {
    const { view, trace } = this;
    view.grow();
    return { connection: trace.connection, version: view.version, ...view.state() };
  }

  /** `startedAt`: when the trace began, ISO 8601. */
  frame(seq: Seq, startedAt: string): FrameDetail | undefined {
    const { index, lines } = this.trace;
    const at = lines.indexOf(seq);
    return at === undefined ? undefined : frameDetail(index, lines.event(at), startedAt);
  }

  density(buckets: number): DensityView {
    return densityOf(this.trace.index, buckets);
  }

  vocabulary(): Vocabulary {
    return vocabularyOf(this.trace.index);
  }

  /** Newest lines after `after`, oldest first. */
  stderr(after: Seq): readonly { readonly seq: Seq; readonly text: string }[] {
    const { lines, index } = this.trace;
    const found: { readonly seq: Seq; readonly text: string }[] = [];
    const from = lines.after(after);
    for (let at = index.length - 1; at >= from && found.length < MOST_STDERR; at--) {
      if (index.columns.kind.get(at) !== STD) continue;
      const event = lines.read(at);
      if (event.type === 'stderr') found.push({ seq: seq(event.seq), text: lineText(event.line) });
    }
    return found.reverse();
  }
}
