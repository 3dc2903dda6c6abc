// One trace as the page looks at it: its timeline under a query, its frames, and its folds. Loaded
// with the first trace that is looked at: a page that only waits for one does without.
import { STD } from '../../model/columns.ts';
import { toHex } from '../../lib/utf8.ts';
import { TimelineView } from '../../model/timeline/timeline-view.ts';
import { seq, type Seq, type TraceEvent } from '../../trace/event.ts';
import { eventLine } from '../../trace/format.ts';
import { lineBytes, lineText } from '../../trace/line.ts';
import type { Finder } from '../../model/query/find.ts';
import { Folds } from './folds.ts';
import type { TimelineRows, TimelineState } from '../messages.ts';
import type { FirstScreen } from '../traces/first-screen.ts';
import type { OpenTrace } from '../traces/open-trace.ts';

/** Lines of stderr handed over at once: more than a terminal keeps. */
const MOST_STDERR = 10_000;

export class Look {
  readonly trace: OpenTrace;
  readonly view: TimelineView;
  readonly folds: Folds;

  /** `changed`: the timeline has become another by itself. */
  constructor(trace: OpenTrace, finder: Finder, changed: () => void) {
    this.trace = trace;
    const options = { searched: trace.lines, finder, changed };
    this.view = new TimelineView(trace.index, (index) => trace.lines.event(index), options);
    this.folds = new Folds(trace);
  }

  /** With everything that has come. */
  state(): TimelineState {
    const { view, trace } = this;
    view.grow();
    const facts = this.#first?.facts ?? view.state();
    return { connection: trace.connection, version: view.version, ...facts };
  }

  /** Rows from `from` up to, not with, `to`; undefined: the trace is not loaded so far. */
  rows(from: number, to: number): TimelineRows | undefined {
    const first = this.#first;
    if (!first) return this.allRows(from, to);
    const isKept = Math.min(to, first.facts.rows) <= first.rows.length;
    if (!isKept) return undefined;
    return { version: this.view.version, rows: first.rows.slice(from, to), heads: [] };
  }

  /** Of a trace that is loaded. */
  allRows(from: number, to: number): TimelineRows {
    const { view } = this;
    return { version: view.version, rows: view.rows(from, to), heads: view.heads.over(from, to) };
  }

  /** What was kept is that of the trace without a query. */
  get #first(): FirstScreen | undefined {
    return this.view.isPlain ? this.trace.first : undefined;
  }

  /** SHA-256 of its line, in hex. */
  async sha256(seq: Seq): Promise<string> {
    const [event] = this.#events([seq]);
    const line = event && 'line' in event ? event.line : { text: '' };
    return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', lineBytes(line))));
  }

  /** The lines of these, one below the other, as text. */
  text(seqs: readonly Seq[]): { readonly text: string; readonly lossy: boolean } {
    let lossy = false;
    const texts: string[] = [];
    for (const event of this.#events(seqs)) {
      if (!('line' in event)) continue;
      lossy ||= 'base64' in event.line;
      texts.push(lineText(event.line));
    }
    return { text: texts.join('\n'), lossy };
  }

  /** The lines of these events in the trace file, each with its 0x0A. */
  eventLines(seqs: readonly Seq[]): string {
    return [...this.#events(seqs)].map((event) => `${eventLine(event)}\n`).join('');
  }

  *#events(seqs: readonly Seq[]): Iterable<TraceEvent> {
    const { lines } = this.trace;
    for (const seq of seqs) {
      const at = lines.indexOf(seq);
      if (at !== undefined) yield lines.read(at);
    }
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
