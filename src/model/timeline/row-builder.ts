// What a row shows, made for the rows on screen alone: the columns give the figures, the frame's own
// text the summary.
import { leading } from '../../lib/list-window.ts';
import type { Request } from '../../acp/message.ts';
import { defined } from '../../lib/defined.ts';
import { known, millis, type Millis } from '../../lib/time.ts';
import { FLAG, ORIGINS, REQ, RES } from '../columns.ts';
import { digestOf, messageOf, saidBy, type Digest } from './digest.ts';
import { pinView } from './pins.ts';
import { broughtBy, isForbidden, type WindowRecord } from './replay-windows.ts';
import { FOLD_ROW, WINDOW_ROW, type RowList, type RowRun } from './row-list.ts';
import type {
  FoldRow,
  FrameRow,
  RowSubject,
  RowView,
  WindowRow,
  Pin,
  Tape,
  TapePart,
} from './row-view.ts';
import { summarize } from './summary.ts';
import type { ToolFailures } from './tool-failures.ts';
import type { TraceIndex } from '../trace-index.ts';
import { itemKindOf } from '../facts/variants.ts';
import { quoted } from '../words.ts';
import type { TraceEvent } from '../../trace/event.ts';

/** Joined text of a run: enough to fill a line, from so many frames at most. */
const RUN_TEXT = 300;
const RUN_LOOK = 500;

/** What the timeline knows of each event beside the index. */
interface RowJudge {
  readonly failures: ToolFailures;
  isVisible(index: number): boolean;
  /** As `isMatch` of a row. */
  isMatch(index: number): boolean | undefined;
}

/** Gives each row of the list as it is shown. */
export function rowBuilder(
  index: TraceIndex,
  rows: RowList,
  eventAt: (index: number) => TraceEvent,
  { failures, isVisible, isMatch }: RowJudge,
): (row: number) => RowView {
  const gutter = new Gutter(index);
  const digestAt = digestsOf(index, eventAt);

  const rowOf = (row: number): RowView => {
    const type = rows.type(row);
    if (type === WINDOW_ROW) return windowRow(row);
    return type === FOLD_ROW ? foldRow(row) : frameRow(row);
  };

  /** Of a row that stands for several: whether one of them is. The head of an open window is none. */
  const isMatchIn = (row: number): boolean | undefined => {
    let found: boolean | undefined;
    for (const event of rows.eventsOf(row)) {
      const it = isMatch(event);
      if (it !== false) return it;
      found = it;
    }
    return found;
  };

  const windowRow = (row: number): WindowRow => {
    const window = rows.windowOf(row);
    if (window === undefined) throw new Error(`Row ${row} is the head of no window`);
    const event = rows.event(row);
    const open = rows.isOpen(window);
    // The pin stands on the request; on the head where that is not to be seen.
    const pinned = !open || !isVisible(window.request);
    return defined({
      type: 'window' as const,
      key: `w${window.id}`,
      seq: index.columns.seqOf(window.request),
      tapes: gutter.passing(event, 'middle', window),
      late: false,
      pins: pinned && window.pin ? [pinView(window.pin, window.fate, broughtBy(window))] : [],
      leader: gutter.leader(Math.min(event, window.request), pinned ? window : undefined),
      findings: open ? undefined : index.findings.ofWindow(window.id + 1),
      window: index.windowView(window),
      open,
      isMatch: isMatchIn(row),
    });
  };

  const foldRow = (row: number): FoldRow => {
    const { columns } = index;
    const fold = rows.fold(row);
    if (fold === undefined) throw new Error(`Row ${row} is no fold`);
    const { first, last, frames, messages, tools } = fold;
    return defined({
      type: 'fold' as const,
      key: `d${columns.seqOf(first)}`,
      seq: columns.seqOf(first),
      tapes: gutter.passing(first, 'folded'),
      late: false,
      pins: [],
      leader: gutter.leader(first, undefined),
      last: columns.seqOf(last),
      frames,
      messages,
      tools,
      isMatch: isMatchIn(row),
    });
  };

  const frameRow = (row: number): FrameRow => {
    const { columns } = index;
    const event = rows.event(row);
    const run = rows.run(event);
    const collapsed = run !== undefined && !run.open ? run : undefined;
    const digest = digestAt(event);
    const session = index.session(event);
    const window = index.window(event);
    const at = columns.timeOf(event);
    const shown = columns.has(event, FLAG.member) ? eventAt(event) : undefined;
    const member = shown?.type === 'frame' ? shown.member : undefined;
    const tool = columns.tool.get(event);
    const status = columns.status.get(event);
    const failed = failures.contradicted(event);
    return defined({
      type: 'frame' as const,
      subject: subjectOf(index, event),
      tool: tool === 0 ? undefined : columns.toolKinds.text(tool),
      status: status === 0 ? undefined : columns.statuses.text(status),
      failedAt: failed === undefined ? undefined : columns.seqOf(failed),
      key: `f${columns.seqOf(event)}${member === undefined ? '' : `/${member}`}`,
      seq: columns.seqOf(event),
      tapes: gutter.tapes(event, row === rows.length - 1),
      late: columns.has(event, FLAG.late),
      pins: gutter.pins(event),
      leader: gutter.leader(event, window?.request === event ? window : undefined),
      findings: collapsed ? index.findings.ofRun(columns.run.get(event)) : index.findings.at(event),
      at,
      delta: delta(row, at),
      from: columns.fromOf(event),
      kind: columns.kindOf(event),
      origin: ORIGINS[columns.origin.get(event)] ?? 'peer',
      method: columns.nameOf(event),
      isUpdate: columns.has(event, FLAG.update),
      summary: collapsed ? runSummary(collapsed, digest) : digest.summary,
      run:
        run?.head === event
          ? { count: run.count, last: columns.seqOf(run.last), open: run.open }
          : undefined,
      inRun: run?.open === true,
      member,
      replay: columns.has(event, FLAG.replay),
      session: session?.chip,
      inferredSession: columns.has(event, FLAG.inferred) ? true : undefined,
      id: digest.id,
      size: collapsed?.bytes ?? columns.size.get(event),
      latency: columns.latencyOf(event),
      waits: index.waits(event) ? true : undefined,
      cut: columns.has(event, FLAG.cut) ? (true as const) : undefined,
      mark: collapsed ? markIn(collapsed) : index.annotations.mark(columns.seqOf(event)),
      isMatch: isMatchIn(row),
    });
  };

  const markIn = ({ head, last }: RowRun): string | undefined => {
    const { columns, annotations } = index;
    for (const [seq, label] of annotations.marks) {
      const event = columns.indexOf(seq);
      if (head <= event && event <= last && columns.run.get(event) === columns.run.get(head))
        return label;
    }
    return undefined;
  };

  /** The text of the run as one; figures, which replace each other, by the last. */
  const runSummary = ({ head, last }: RowRun, first: Digest): string => {
    const { run } = index.columns;
    if (index.columns.nameOf(head) === 'usage_update') return digestAt(last).summary;
    if (first.text === undefined) return first.summary;
    let text = first.text;
    let event = head + 1;
    const until = Math.min(last, head + RUN_LOOK);
    for (; event <= until && text.length < RUN_TEXT; event++)
      if (run.get(event) === run.get(head) && isVisible(event)) text += digestAt(event).text ?? '';
    return quoted(event <= last ? `${text}…` : text) || first.summary;
  };

  const delta = (row: number, at: Millis): Millis | undefined => {
    let above = row - 1;
    while (above >= 0 && rows.type(above) === WINDOW_ROW) above--;
    if (above < 0) return undefined;
    // Runs cross: a fold may stand for frames that came after those of the rows below it.
    let event = rows.fold(above)?.last ?? rows.event(above);
    if (event > rows.event(row))
      for (const folded of rows.eventsOf(above)) if (folded < rows.event(row)) event = folded;
    return known(millis(at - index.columns.at.get(event)));
  };

  return rowOf;
}

/** What asks the person, or begins a turn of theirs. */
const ASKED: Readonly<Record<string, RowSubject>> = {
  'session/prompt': 'user',
  'session/request_permission': 'ask',
  'elicitation/create': 'ask',
};

function subjectOf({ columns }: TraceIndex, event: number): RowSubject | undefined {
  const name = columns.nameOf(event);
  if (columns.kind.get(event) === REQ) return Object.hasOwn(ASKED, name) ? ASKED[name] : undefined;
  if (!columns.has(event, FLAG.update)) return undefined;
  return name === 'plan' ? 'plan' : itemKindOf(name);
}

/** What a row says of each event of a trace, by its place. */
export function digestsOf(
  index: TraceIndex,
  eventAt: (index: number) => TraceEvent,
): (event: number) => Digest {
  /** The request a result answers: the result alone does not say what it means. */
  const requestOf = (event: number): Request | undefined => {
    const { columns } = index;
    const partner = columns.partnerOf(event);
    if (columns.kind.get(event) !== RES || partner === undefined) return undefined;
    const asked = eventAt(partner);
    const message = saidBy(asked);
    return message?.kind === 'request' ? message : undefined;
  };

  return (event) => {
    const kept = index.digest(event);
    if (kept !== undefined) return kept;
    const shown = eventAt(event);
    if (shown.type !== 'frame') return { summary: summarize(shown, undefined) };
    const context = index.context(event, requestOf(event));
    return digestOf(shown, messageOf(shown), context);
  };
}

// The gutter of the timeline: which tapes run through a row, which pins stand on it, and whether a
// pin's leader passes by.

type Leader = 'begin' | 'middle' | 'end';

class Gutter {
  readonly #index: TraceIndex;
  /** Windows by lane: they do not overlap there, and begin in ascending order. */
  readonly #lanes: readonly [WindowRecord[], WindowRecord[]] = [[], []];
  /** Windows whose cursor was taken from a frame of this trace. */
  readonly #led: WindowRecord[] = [];
  #known = 0;

  constructor(index: TraceIndex) {
    this.#index = index;
  }

  /** The tapes through the row of an event; `isLast`: nothing is below it so far. */
  tapes(event: number, isLast: boolean): Tape[] {
    return this.#spans(event).map((window) =>
      tape(window, this.#partOf(window, event, isLast && window.end < 0)),
    );
  }

  /** Through a fold, and through the head of a window, which stands above its request. */
  passing(event: number, part: 'folded' | 'middle', except?: WindowRecord): Tape[] {
    return this.#spans(event)
      .filter((window) => window !== except && window.request < event)
      .map((window) => tape(window, part));
  }

  /** Pins taken from this event, and the pin of the restore it asks for. */
  pins(event: number): Pin[] {
    const window = this.#index.window(event);
    const taken = this.#index.pinsFrom(event).map((pin) => pinView(pin, pin.fate, pin.brought));
    if (window?.request !== event || window.pin === undefined) return taken;
    return [...taken, pinView(window.pin, window.fate, broughtBy(window))];
  }

  /** `target`: the window whose pin stands on this row, if one does. */
  leader(event: number, target: WindowRecord | undefined): Leader | undefined {
    this.#learn();
    let found: Leader | undefined;
    for (const window of this.#led) {
      const source = window.pin?.source ?? event;
      if (event < source || event > window.request) continue;
      const here = window === target ? 'end' : event === source ? 'begin' : 'middle';
      // A line that goes on is drawn whole.
      found = found === undefined || found === here ? here : 'middle';
    }
    return found;
  }

  #spans(event: number): WindowRecord[] {
    this.#learn();
    return this.#lanes.flatMap((lane) => {
      const window = lastBegun(lane, event);
      if (window === undefined || (window.end >= 0 && window.end < event)) return [];
      // Where no history was due and none came, there is nothing to mark.
      return window.allowed || isForbidden(window) ? [window] : [];
    });
  }

  #partOf(window: WindowRecord, event: number, isOpenEnd: boolean): TapePart {
    if (event === window.request) return 'begin';
    if (event === window.end) return window.outcome === 'incomplete' ? 'torn' : 'end';
    if (!isOpenEnd) return 'middle';
    return this.#index.isOver() ? 'torn' : 'open';
  }

  #learn(): void {
    const all = this.#index.windowRecords;
    for (; this.#known < all.length; this.#known++) {
      const window = all[this.#known];
      if (window === undefined) continue;
      if (window.lane !== 2) this.#lanes[window.lane].push(window);
      if (window.pin !== undefined && window.pin.source >= 0) this.#led.push(window);
    }
  }
}

function tape(window: WindowRecord, part: TapePart): Tape {
  return { part, lane: window.lane === 1 ? 1 : 0, forbidden: isForbidden(window) };
}

/** The last window of a lane that began at or before the event. */
function lastBegun(lane: readonly WindowRecord[], event: number): WindowRecord | undefined {
  const begun = leading(lane.length, (at) => (lane[at]?.request ?? Infinity) <= event);
  return lane[begun - 1];
}
