// What a row shows, made for the rows on screen alone: the columns give the figures, the frame's own
// text the summary.
import { str } from '../../acp/json.ts';
import type { Request } from '../../acp/message.ts';
import { updateOf } from '../../acp/update.ts';
import { defined } from '../../lib/defined.ts';
import { count } from '../../lib/format.ts';
import { known, millis, type Millis } from '../../lib/time.ts';
import { ERR, EVT, FLAG, ORIGINS, REQ, RES } from '../columns.ts';
import { digestOf, messageOf, saidBy, type Digest } from './digest.ts';
import { pinView } from './pins.ts';
import { exchangeEnd } from './exchange-end.ts';
import { Gutter } from './gutter.ts';
import { broughtBy } from './replay-windows.ts';
import type { RowRun } from './row-folds.ts';
import { FOLD_ROW, ownerOfWindow, TURN_ROW, WINDOW_ROW, type RowList } from './row-list.ts';
import type {
  FoldRow,
  FrameRow,
  RowSubject,
  RowView,
  WindowRow,
  TurnRow,
  TurnView,
} from './row-view.ts';
import { summarize } from './summary.ts';
import type { ToolFailures } from './tool-failures.ts';
import type { TurnBook, TurnFigures } from './turn-book.ts';
import type { TraceIndex } from '../trace-index.ts';
import { asleepBetween, stoodBefore } from '../facts/sleeps.ts';
import { itemKindOf } from '../facts/variants.ts';
import { errorWords, facts, oneLine, programWords, quoted } from '../words.ts';
import { unexpectedEndWords } from '../../trace/agent-end.ts';
import type { TraceEvent } from '../../trace/event.ts';

/** Joined text of a run: enough to fill a line, from so many frames at most. */
const RUN_TEXT = 300;
const RUN_LOOK = 500;

/** Facts of the timeline on each event that the index does not have. */
interface RowJudge {
  readonly failures: ToolFailures;
  readonly turns: TurnBook;
  isVisible(index: number): boolean;
  /** As `isMatch` of a row. */
  isMatch(index: number): boolean | undefined;
}

/** Gives each row of the list as it is shown. */
export function rowBuilder(
  index: TraceIndex,
  rows: RowList,
  eventAt: (index: number) => TraceEvent,
  { failures, turns, isVisible, isMatch }: RowJudge,
): (row: number) => RowView {
  const gutter = new Gutter(index);
  const digestAt = digestsOf(index, eventAt);

  const rowOf = (row: number): RowView => {
    const type = rows.type(row);
    if (type === WINDOW_ROW) return windowRow(row);
    if (type === TURN_ROW) return turnRow(row);
    return type === FOLD_ROW ? foldRow(row) : frameRow(row);
  };

  /** The bar from one place to another; times may run backwards. */
  const barOf = (first: number, last: number): RowView['bar'] => {
    const [from, to] = [known(index.columns.at.get(first)), known(index.columns.at.get(last))];
    if (from === undefined) return undefined;
    return { from: millis(from), to: millis(Math.max(from, to ?? from)) };
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
    const open = rows.isOpen(ownerOfWindow(window));
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
      bar: barOf(window.request, window.end < 0 ? exchangeEnd(index, window.request) : window.end),
      window: index.windowView(window),
      open,
      isMatch: isMatchIn(row),
    });
  };

  const turnRow = (row: number): TurnRow => {
    const head = rows.headOf(row);
    const turn = turns.get(head / 2);
    if (turn === undefined) throw new Error(`Row ${row} is the head of no turn`);
    const event = rows.event(row);
    const open = rows.isOpen(head);
    const matches = rows.matchesIn(turn.number);
    const isAll = matches === turn.frames && isMatch(event) === undefined;
    return defined({
      type: 'turn' as const,
      key: `t${turn.number}`,
      seq: index.columns.seqOf(event),
      tapes: gutter.passing(event, 'middle'),
      late: false,
      pins: [],
      leader: gutter.leader(event, undefined),
      findings: open ? undefined : index.findings.ofTurn(turn.number),
      bar: barOf(turn.first, turn.last),
      turn: turnView(turn),
      open,
      matches: isAll ? undefined : matches,
      isMatch: open || isMatch(event) === undefined ? undefined : matches > 0,
    });
  };

  const turnView = (turn: TurnFigures): TurnView => {
    const { columns } = index;
    const { number, first, last, frames, tools, failed, asks } = turn;
    const asleep = asleepBetween(index.sleeps, first, last);
    const isPrompt = subjectOf(index, first) === 'user' && columns.kind.get(first) === REQ;
    const left: TurnView['left'] =
      turns.isOpen(number) && !index.isOver() ? 'running' : 'interrupted';
    return defined({
      number,
      prompt: isPrompt ? digestAt(first).summary : undefined,
      session: index.session(first)?.chip,
      ...{ frames, tools, failed, asks },
      took: known(millis(columns.at.get(last) - columns.at.get(first) - asleep)),
      end: turn.end === undefined ? undefined : endWords(eventAt(turn.end)),
      left: turn.end === undefined ? left : undefined,
      isError:
        turn.end !== undefined && columns.kind.get(turn.end) === ERR ? (true as const) : undefined,
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

  /** `Agent crashed (exit code 1), 1 turn open · left running: …`; undefined: the event is no such end. */
  const crashAt = (event: number): string | undefined => {
    if (index.columns.kind.get(event) !== EVT) return undefined;
    const exit = eventAt(event);
    const words = exit.type === 'exit' ? unexpectedEndWords(exit) : undefined;
    if (words === undefined || exit.type !== 'exit') return undefined;
    const cut = turns.cutBy(event);
    const open = cut === 0 ? words : `${words}, ${count(cut, 'turn')} open`;
    return facts(open, exit.left && `left running: ${programWords(exit.left)}`);
  };

  const isInTurn = (row: number): boolean => {
    const owner = rows.ownerOf(row);
    return owner > 0 && owner % 2 === 0;
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
    const crash = crashAt(event);
    return defined({
      type: 'frame' as const,
      subject: subjectOf(index, event),
      tool: tool === 0 ? undefined : columns.toolKinds.text(tool),
      status: status === 0 ? undefined : columns.statuses.text(status),
      failedAt: failed === undefined ? undefined : columns.seqOf(failed),
      crash: crash === undefined ? undefined : (true as const),
      key: `f${columns.seqOf(event)}${member === undefined ? '' : `/${member}`}`,
      seq: columns.seqOf(event),
      tapes: gutter.tapes(event, row === rows.length - 1),
      late: columns.has(event, FLAG.late),
      pins: gutter.pins(event),
      leader: gutter.leader(event, window?.request === event ? window : undefined),
      findings: collapsed ? index.findings.ofRun(columns.run.get(event)) : index.findings.at(event),
      at,
      stood: stoodBefore(index.sleeps, event) || undefined,
      bar: barOf(event, endOf(event, collapsed)),
      delta: delta(row, at),
      from: columns.fromOf(event),
      kind: columns.kindOf(event),
      origin: ORIGINS[columns.origin.get(event)] ?? 'peer',
      method: columns.nameOf(event),
      isUpdate: columns.has(event, FLAG.update),
      summary: crash ?? (collapsed ? runSummary(collapsed, digest) : digest.summary),
      run:
        run?.head === event
          ? { count: run.count, last: columns.seqOf(run.last), open: run.open }
          : undefined,
      inRun: run?.open === true,
      inTurn: isInTurn(row) ? (true as const) : undefined,
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

  /** The place where what a row stands for ends. */
  const endOf = (event: number, run: RowRun | undefined): number => {
    if (run) return run.last;
    return index.columns.kind.get(event) === REQ ? exchangeEnd(index, event) : event;
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
    while (above >= 0 && rows.headOf(above) > 0) above--;
    if (above < 0) return undefined;
    // Runs cross: a fold may stand for frames that came after those of the rows below it.
    let event = rows.fold(above)?.last ?? rows.event(above);
    if (event > rows.event(row))
      for (const folded of rows.eventsOf(above)) if (folded < rows.event(row)) event = folded;
    return known(millis(at - index.columns.at.get(event)));
  };

  return rowOf;
}

/** How the event says that its turn ended; undefined: it gives no reason. */
function endWords(event: TraceEvent): string | undefined {
  const message = saidBy(event);
  if (message?.kind === 'failure') return errorWords(message.error);
  const said =
    message?.kind === 'success'
      ? message.result
      : message?.kind === 'notification'
        ? updateOf(message.params)?.update
        : undefined;
  const reason = str(said, 'stopReason');
  return reason === undefined ? undefined : oneLine(reason, 60);
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
