// Everything the detail pane tells of one event: what it says, its exchange, its place in time and
// in a history replay.
import { parseMessage, type Json, type Message } from '../../acp/message.ts';
import { defined } from '../../lib/defined.ts';
import { longSpans, type JsonSpan } from '../../lib/json-text.ts';
import { known, millis, NO_TIME, type Millis } from '../../lib/time.ts';
import { FLAG, AGENT, CLIENT, STD } from '../columns.ts';
import { isTooDeep } from '../facts/deep.ts';
import { stoodBefore } from '../facts/sleeps.ts';
import { idWords, saidBy } from './digest.ts';
import type { ReplayWindowView } from './row-view.ts';
import { summarize } from './summary.ts';
import type { TraceIndex } from '../trace-index.ts';
import { errorWords } from '../words.ts';
import {
  seq,
  type InterceptDeed,
  type Line,
  type Origin,
  type Oversize,
  type Seq,
  type Side,
  type TraceEvent,
  type Transport,
  type Via,
  type Inferred,
} from '../../trace/event.ts';
import { lineSize, lineText } from '../../trace/line.ts';

export interface FrameDetail {
  readonly seq: Seq;
  readonly type: TraceEvent['type'];
  readonly from?: Side;
  readonly origin: Origin;
  readonly at: Millis;
  /** ISO 8601. */
  readonly wallClock: string;
  readonly line?: Line;
  readonly size: number;
  readonly cut?: true;
  /** What the tool it was imported from did not write down. */
  readonly inferred?: readonly Inferred[];
  /** Not kept whole: `line` is its beginning. */
  readonly oversize?: Oversize;
  /** Where it crossed, of an agent reached by URL. */
  readonly via?: Via;
  /** What the intercept did to it, and to the line as it was written: that event. */
  readonly of?: Seq;
  /** The place, from 0, of a message in the array that is the frame's line; absent: this is the line. */
  readonly member?: number;
  /** It is no frame, but what an intercept did to its line. */
  readonly did?: InterceptDeed;
  /** It is no frame, but what a transport did beside them. */
  readonly transport?: Transport;
  /** Method or variant, and how it was answered; of other events what they say. */
  readonly title: string;
  /** Of a request or a notification. */
  readonly method?: string;
  /** Parsed where it is JSON; undefined with `why` where not. */
  readonly value?: Json;
  /** In the place of `value` where that would be long: where its long parts stand in the line. */
  readonly long?: readonly JsonSpan[];
  readonly why?: string;
  readonly session?: string;
  readonly sessionId?: string;
  /** Request of the replay window whose history this is. */
  readonly replayOf?: Seq;
  readonly late?: boolean;
  /** The label of its mark, which may be empty. */
  readonly mark?: string;
  /** v1: the prompt it belongs to, counted from 1 in its session and trace. */
  readonly turn?: number;
  readonly exchange?: {
    readonly request: Seq;
    readonly answer?: Seq;
    readonly latency?: Millis;
    readonly method: string;
    /** Asking side and exact token: `→2`. */
    readonly id: string;
  };
  /** To the event before. */
  readonly sincePrevious?: Millis;
  readonly inWindow?: ReplayWindowView;
}

/** A longer line is not given twice, as text and as a value: taking both in would hold up the page. */
const LONG = 1 << 20;

/**
 * `event` stands in the index. `startedAt`: ISO 8601 wall clock of the trace's beginning; where it
 * is not a time, `wallClock` says what stands there. `isBrief`: without its line, and what that says. `at`: its place.
 */
export function frameDetail(
  index: TraceIndex,
  event: TraceEvent,
  startedAt: string,
  isBrief = false,
  at = index.columns.indexOf(event.seq),
): FrameDetail | undefined {
  if (at < 0) return undefined;
  const message = saidBy(event);
  const line = 'line' in event ? event.line : undefined;
  const read = event.type === 'intercept' && line ? parseMessage(lineText(line)) : message;
  const session = index.session(at);
  const window = index.window(at);
  return defined({
    seq: event.seq,
    type: event.type,
    from: event.type === 'frame' || event.type === 'intercept' ? event.from : undefined,
    origin: event.type === 'frame' ? event.origin : ('peer' as const),
    at: index.columns.timeOf(at),
    wallClock: wallClock(startedAt, index.columns.timeOf(at), stoodBefore(index.sleeps, at)),
    line: isBrief ? undefined : line,
    size: event.type === 'intercept' && line ? lineSize(line) : index.columns.size.get(at),
    cut: line && 'cut' in event ? event.cut : undefined,
    inferred: event.type === 'frame' ? event.inferred : undefined,
    oversize: event.type === 'frame' ? event.oversize : undefined,
    via: event.type === 'frame' ? event.via : undefined,
    of: event.type === 'frame' || event.type === 'intercept' ? event.of : undefined,
    member: event.type === 'frame' ? event.member : undefined,
    did: event.type === 'intercept' ? event.did : undefined,
    transport: event.type === 'transport' ? event : undefined,
    title: titleOf(index, at, event, message),
    method: read && 'method' in read ? read.method : undefined,
    ...(read && !isBrief && says(read, event)),
    session: session?.chip,
    sessionId: session?.sessionId,
    replayOf: window && index.columns.has(at, FLAG.replay) ? seq(window.seq) : undefined,
    late: index.columns.has(at, FLAG.late) || undefined,
    mark: index.annotations.mark(event.seq),
    turn: index.columns.turn.get(at) || undefined,
    exchange: message && exchangeOf(index, at, message),
    sincePrevious: at === 0 ? undefined : span(index, at - 1, at),
    inWindow: window && index.windowView(window),
  });
}

function titleOf(
  index: TraceIndex,
  at: number,
  event: TraceEvent,
  message: Message | undefined,
): string {
  const name = index.columns.nameOf(at);
  switch (message?.kind) {
    case undefined:
      return summarize(event, undefined);
    case 'success':
      return `${name} · result`;
    case 'failure':
      return `${name} · ${errorWords(message.error)}`;
    case 'request':
    case 'notification':
    case 'invalid':
      return name;
  }
}

function says(message: Message, event: TraceEvent): Pick<FrameDetail, 'value' | 'long' | 'why'> {
  const why = message.kind === 'invalid' ? { why: message.why } : {};
  const value = message.kind === 'invalid' ? message.value : jsonOf(event);
  if (value === undefined) return why;
  if (isTooDeep(value)) return { why: 'nested too deep to show as a tree' };
  const text = 'line' in event && event.line && 'text' in event.line ? event.line.text : '';
  return text.length > LONG ? { ...why, long: longSpans(text) } : { ...why, value };
}

function jsonOf(event: TraceEvent): Json | undefined {
  if (!('line' in event) || !event.line) return undefined;
  return JSON.parse(lineText(event.line).replace(/^\ufeff/, '')) as Json;
}

function exchangeOf(index: TraceIndex, at: number, message: Message): FrameDetail['exchange'] {
  const isAnswer = message.kind === 'success' || message.kind === 'failure';
  if (!isAnswer && message.kind !== 'request') return undefined;
  const partner = index.columns.partnerOf(at);
  const request = isAnswer ? partner : at;
  const answer = isAnswer ? at : partner;
  // An answer to nothing is no exchange.
  if (request === undefined) return undefined;
  return defined({
    request: index.columns.seqOf(request),
    answer: answer === undefined ? undefined : index.columns.seqOf(answer),
    latency: answer === undefined ? undefined : span(index, request, answer),
    method: index.columns.nameOf(request),
    id: idWords(index.columns.fromOf(request) ?? 'client', message.id.token),
  });
}

function span(index: TraceIndex, from: number, to: number): Millis | undefined {
  return known(millis(index.columns.at.get(to) - index.columns.at.get(from)));
}

/** `stood`: what the times do not count of sleeps before. */
function wallClock(startedAt: string, at: Millis, stood: Millis): string {
  if (known(at) === undefined) return '';
  const time = new Date(Date.parse(startedAt) + at + stood);
  return Number.isNaN(time.getTime()) ? startedAt : time.toISOString();
}

// What several selected frames are together: how many, over which time, how many bytes.

export interface SelectionSum {
  /** Frames by side, lines of stderr, and other events. */
  readonly client: number;
  readonly agent: number;
  readonly stderr: number;
  readonly others: number;
  /** Of all lines, without their ends. */
  readonly bytes: number;
  /** Of the earliest and the latest; `NO_TIME` where there is none. */
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
    const time = known(columns.at.get(event));
    if (time !== undefined) [from, to] = [Math.min(from, time), Math.max(to, time)];
  }
  return to < from
    ? { ...sum, from: NO_TIME, to: NO_TIME }
    : { ...sum, from: millis(from), to: millis(to) };
}
