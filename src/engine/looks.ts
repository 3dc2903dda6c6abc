// What the page looks at: for each trace in memory its timeline under a query and its folds. The
// page is told of the one it shows; the others catch up when they are looked at again.
import { STD } from '../model/columns.ts';
import { TimelineView } from '../model/timeline-view.ts';
import { seq, type ConnectionId, type Seq } from '../trace/event.ts';
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
    this.view = new TimelineView(trace.index, (index) => trace.lines.event(index));
    this.folds = new Folds(trace);
  }

  /** With everything that has come. */
  state(): TimelineState {
    const { view, trace } = this;
    view.grow();
    return { connection: trace.connection, version: view.version, ...view.state() };
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

export class Looks {
  readonly #looks = new Map<ConnectionId, Look>();
  /** The one the page shows. */
  shown: ConnectionId | undefined;

  /** Made anew where the trace was let go of meanwhile. */
  of(trace: OpenTrace): Look {
    const known = this.#looks.get(trace.connection);
    if (known?.trace === trace) return known;
    const look = new Look(trace);
    this.#looks.set(trace.connection, look);
    return look;
  }

  /** Only of these: what is not in memory need not be looked at. */
  keep(connections: ReadonlySet<ConnectionId>): void {
    for (const connection of this.#looks.keys())
      if (!connections.has(connection)) this.#looks.delete(connection);
  }
}
