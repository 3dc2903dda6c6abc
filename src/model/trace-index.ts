// What is known of every event of one trace, grown by appending: columns for the timeline, and facts of
// the connection, at the same cost for each. Long: the one place that takes an event into every column.
import type { ChipOf } from './facts/chips.ts';
import { get, str } from '../acp/json.ts';
import type { Failure, Json, Message, Notification, Request, Success } from '../acp/message.ts';
import { sessionIdOf, sessionOf, updateOf, type SessionUpdate } from '../acp/update.ts';
import { assertNever } from '../lib/assert-never.ts';
import type { Millis } from '../lib/time.ts';
import { Annotations } from '../trace/annotation.ts';
import {
  requestedIn,
  otherSide,
  refusedBy,
  type ConnectionId,
  type Frame,
  type Side,
  type TraceEvent,
} from '../trace/event.ts';
import { eventSize } from '../trace/line.ts';
import { BAD, Columns, ERR, EVT, FLAG, NTF, REQ, RES, STD } from './columns.ts';
import { digestOf, idWords, saidBy, strayName, type Digest } from './timeline/digest.ts';
import { Exchanges, type PlacedQuestion } from './facts/exchanges.ts';
import type { ConnectionFacts } from './facts/facts-view.ts';
import { Facts } from './facts/facts.ts';
import { openRequests } from './facts/open-requests.ts';
import { FindingMarks } from './timeline/finding-marks.ts';
import { Pins, type PinRecord } from './timeline/pins.ts';
import { ReplayWindows, windowView, type WindowRecord } from './timeline/replay-windows.ts';
import type { Children } from './facts/children.ts';
import type { ReplayWindowView } from './timeline/row-view.ts';
import { isRunnable, ChunkRuns } from './timeline/runs.ts';
import { nameTool, Sessions, type SessionRecord } from './facts/sessions.ts';
import type { SleepRecord } from './facts/sleeps.ts';
import { cancelTurn, turnNumber } from './facts/turns.ts';
import type { SummaryContext } from './timeline/summary-content.ts';
import { exitSummary } from './timeline/summary.ts';
import { itemIdOf, itemKindOf } from './facts/variants.ts';
import { askedToolCall } from './facts/permission.ts';

/** Larger frames are summed up once, as they come: parsing them for every look would be felt. */
const HUGE = 256 * 1024;

export class TraceIndex {
  readonly columns = new Columns();
  /** Marks and suppressions: those of its events, and those made since. */
  readonly annotations = new Annotations();
  readonly findings = new FindingMarks(this.columns);
  /** Ids of tool calls, by the event that first spoke of them, as in the column `item`. */
  readonly toolIds = new Map<number, string>();
  readonly sleeps: SleepRecord[] = [];
  /** No more will come: the connection has ended, whether or not an event says so. */
  isOver: () => boolean = () => false;
  private readonly told: Facts;
  private readonly exchanges = new Exchanges();
  private readonly sessions: Sessions;
  readonly replays: ReplayWindows;
  private readonly pins: Pins;
  private readonly runs = new ChunkRuns();
  private readonly huge = new Map<number, Digest>();
  private lastExit = -1;

  /** `chipOf` names a session the same way everywhere in the page. */
  constructor(connection: ConnectionId, chipOf: ChipOf, pins = new Pins()) {
    this.told = new Facts(connection);
    this.sessions = new Sessions(chipOf, this.told.hello);
    this.replays = new ReplayWindows(this.sessions.turns);
    this.pins = pins;
  }

  /** `message`: what a frame says; `size`: bytes of its line without the 0x0A, where known already. */
  append(event: TraceEvent, message = saidBy(event), size = eventSize(event)): void {
    const index = this.columns.length;
    this.told.event(event);
    if (event.type !== 'frame' && event.type !== 'stderr')
      this.columns.push(event, EVT, event.type, 0);
    switch (event.type) {
      case 'frame':
        return this.#frame(index, event, message, size);
      case 'stderr':
        this.columns.push(event, STD, 'stderr', size);
        return this.told.stderr(event.line);
      case 'start':
        return this.told.started(event);
      case 'exit': {
        this.lastExit = index;
        const end = exitSummary(event);
        const how = event.problem === undefined ? `agent ${end}` : end;
        this.replays.exits(index, this.columns.timeOf(index), how);
        this.sessions.ended();
        return this.told.exited(event);
      }
      case 'transport': {
        const { of, problem = '' } = refusedBy(event) ?? {};
        const isIt = ({ index }: PlacedQuestion) => this.columns.seqOf(index) === of;
        return this.#refused(index, of ? this.exchanges.refused(isIt) : [], problem);
      }
      case 'intercept':
        return this.columns.raise(this.exchanges.altered(event)?.index, FLAG.kept);
      case 'sleep':
        return void this.sleeps.push({ place: index, sleep: event });
      case 'gap':
        return this.told.gap(event);
      case 'mark':
      case 'suppress':
        return this.annotations.take(event);
      default:
        return assertNever(event);
    }
  }

  get length(): number {
    return this.columns.length;
  }
  /** The version spoken, or asked for while there is no answer. */
  get version(): number | undefined {
    return this.told.version;
  }
  get handshake(): ConnectionFacts['handshake'] {
    return this.told.handshake;
  }
  /** So many turns have begun. */
  get turns(): number {
    return this.sessions.turns.count;
  }
  get lastEventAt(): Millis {
    return this.told.lastEventAt;
  }

  /** Place of the event with this seq, or -1. */
  indexOf(wanted: number): number {
    return this.columns.indexOf(wanted);
  }
  /** A request without an answer so far, by a side that may still get one. */
  waits(index: number): boolean {
    const { columns } = this;
    const isOpen = columns.kind.get(index) === REQ && columns.partner.get(index) < 0;
    return isOpen && index > this.lastExit && !columns.has(index, FLAG.kept | FLAG.refused);
  }
  session(index: number): { readonly sessionId: string; readonly chip: string } | undefined {
    const record = this.#sessionAt(index);
    return record && { sessionId: record.sessionId, chip: record.facts.chip ?? '' };
  }
  /** The session by its number in the column `session`. */
  sessionByNumber(number: number): SessionRecord | undefined {
    return this.sessions.get(number - 1);
  }
  sessionIds(): readonly string[] {
    return this.sessions.ids();
  }
  sessionNamed(sessionId: string): SessionRecord | undefined {
    return this.sessions.named(sessionId);
  }
  window(index: number): WindowRecord | undefined {
    return this.replays.all[this.columns.window.get(index) - 1];
  }
  get windowRecords(): readonly WindowRecord[] {
    return this.replays.all;
  }
  /** Sessions that others own, with frames named by their place. */
  get children(): Children<SessionRecord> {
    return this.replays.children;
  }
  pinsFrom(index: number): readonly PinRecord[] {
    return this.pins.from(index);
  }
  /** The summary of a frame too large to be parsed again. */
  digest(index: number): Digest | undefined {
    return this.huge.get(index);
  }

  context(index: number, request: SummaryContext['request']): SummaryContext {
    const record = this.#sessionAt(index);
    return {
      request,
      orphan: this.columns.has(index, FLAG.orphan),
      reusedId: this.columns.has(index, FLAG.reusedId),
      version: this.version,
      toolOf: (id) => record?.tools.get(id),
    };
  }

  facts(): ConnectionFacts {
    return this.told.view(
      this.sessions.views(this.children),
      this.sessions.listCursor,
      openRequests(this, this.exchanges),
      this.exchanges.count('agent'),
    );
  }

  windows(): readonly ReplayWindowView[] {
    return this.replays.all.map((window) => this.windowView(window));
  }
  windowView(window: WindowRecord): ReplayWindowView {
    return windowView(window, this);
  }

  #frame(index: number, event: Frame, message: Message | undefined, size: number): void {
    this.told.frame(event);
    const { ends } = this.sessions.turns;
    let request: Request | undefined;
    switch (message?.kind) {
      case 'request':
        this.columns.push(event, REQ, message.method, size);
        this.columns.id.set(index, this.columns.ids.of(idWords(event.from, message.id.token)));
        this.#request({ index, request: message, size, ...requestedIn(event) }, event);
        break;
      case 'notification': {
        const update = message.method === 'session/update' ? updateOf(message.params) : undefined;
        this.columns.push(event, NTF, update?.variant ?? message.method, size);
        if (update !== undefined) this.#update(index, event, update, size);
        else this.#notification(index, event, message);
        break;
      }
      case 'success':
      case 'failure':
        request = this.#answer(index, event, message, size);
        break;
      default: {
        const name = strayName(message);
        this.columns.push(event, BAD, name, size);
        const sessionId = message && sessionOf(message);
        if (sessionId !== undefined) this.#name(index, event.seq, sessionId, name);
      }
    }
    if (this.sessions.turns.ends > ends) this.columns.raise(index, FLAG.turnEnd);
    if (size > HUGE && message !== undefined)
      this.huge.set(index, digestOf(event, message, this.context(index, request)));
  }

  #request(asked: PlacedQuestion, frame: Frame): void {
    const { index, from, request } = asked;
    const { method, params } = request;
    if (!this.exchanges.ask(asked)) this.columns.raise(index, FLAG.reusedId);
    this.sessions.begins(asked);
    this.told.asked(asked, frame.seq);
    const sessionId = sessionIdOf(params);
    if (sessionId === undefined)
      return method === 'elicitation/create' ? this.#infer(index, 'client', params) : undefined;
    const record = this.#name(index, frame.seq, sessionId, method);
    if (from === 'client') return this.#clientAsks(asked, record, frame);
    record.confirmed = true;
    const tool = askedToolCall(params);
    const id = str(tool, 'toolCallId');
    nameTool(record, tool);
    if (id !== undefined) this.#tool(index, record, id, record.items.of('tool', id, index));
  }

  #clientAsks({ index, request }: PlacedQuestion, session: SessionRecord, frame: Frame): void {
    const asked = { from: frame.from, seq: frame.seq, request };
    const place = { place: index, time: this.columns.timeOf(index) };
    const window = this.replays.begins(asked, session, place, this.version, this.pins);
    this.columns.turn.set(index, turnNumber(session.activity));
    if (window) this.columns.window.set(index, window.id + 1);
  }

  #notification(index: number, { from, seq: at }: Frame, { method, params }: Notification): void {
    const sessionId = sessionIdOf(params);
    if (sessionId !== undefined) {
      const record = this.#name(index, at, sessionId, method);
      if (method === 'session/cancel' && from === 'client') cancelTurn(record.activity);
    } else if (method === '$/cancel_request') this.#infer(index, from, params);
  }

  /** Returns the request it answers, where one is open. */
  #answer(index: number, event: Frame, message: Success | Failure, size: number) {
    const { columns } = this;
    const { from, seq: at } = event;
    const asked = this.exchanges.answer(from, message.id);
    const method =
      asked?.request.method ?? this.exchanges.answeredBefore(from, message.id) ?? 'answer';
    this.columns.push(event, message.kind === 'success' ? RES : ERR, method, size);
    const id = asked && columns.id.get(asked.index);
    columns.id.set(index, id ?? columns.ids.of(idWords(otherSide(from), message.id.token)));
    const named = sessionOf(message);
    if (asked === undefined) {
      if (!this.exchanges.excuses(from, event.of)) columns.raise(index, FLAG.orphan);
      this.#refused(index, this.exchanges.refusedArray(otherSide(from), message), 'array rejected');
      if (named !== undefined) this.#name(index, at, named, method);
      return undefined;
    }
    columns.partner.set(index, asked.index);
    columns.partner.set(asked.index, index);
    this.told.answered(asked, message, columns.seqOf(asked.index), at);
    const sessionId = named ?? this.#sessionAt(asked.index)?.sessionId;
    const record = sessionId === undefined ? undefined : this.#name(index, at, sessionId, method);
    if (columns.has(asked.index, FLAG.inferred)) columns.raise(index, FLAG.inferred);
    const made = named !== undefined && message.kind === 'success' ? record : undefined;
    if (asked.from === 'client') this.#ends(asked, index, message, event, made);
    this.sessions.answered(asked, message, record, at);
    const inserted = message.kind === 'success' ? str(message.result, 'messageId') : undefined;
    if (inserted !== undefined && record !== undefined && method === 'session/prompt')
      columns.item.set(index, record.items.of('user', inserted, index) + 1);
    columns.window.set(index, columns.window.get(asked.index));
    return asked.request;
  }

  /** Takes a response to the client. `made`: the session that the result names. */
  #ends(
    { index: request, ...asked }: PlacedQuestion,
    name: number,
    message: Success | Failure,
    frame: Frame,
    made: SessionRecord | undefined,
  ): void {
    const sent = { ...asked, seq: this.columns.seqOf(request) };
    const of = { about: this.#sessionAt(request), made };
    const ended = this.replays.responded(sent, message, { frame, name, request }, of);
    if (ended) this.replays.ends(ended, this.columns.timeOf(name), frame.seq);
  }

  /** Of these requests nothing is due any more. */
  #refused(index: number, refused: readonly PlacedQuestion[], problem: string): void {
    for (const asked of refused) {
      this.columns.raise(asked.index, FLAG.refused);
      const record = this.#sessionAt(asked.index);
      if (record) record.view = undefined;
      const sent = { ...asked, seq: this.columns.seqOf(asked.index) };
      const ended = this.replays.rejected(record, sent, asked.index, index, problem);
      if (ended) this.replays.ends(ended, this.columns.timeOf(index));
    }
  }

  #update(index: number, event: Frame, params: SessionUpdate, size: number): void {
    const { columns } = this;
    const { from, seq: at } = event;
    const { sessionId, variant, update } = params;
    columns.raise(index, FLAG.update);
    if (sessionId === undefined) return;
    const record = this.sessions.frame(sessionId, at, 'session/update');
    this.#belongs(index, record);
    const id = itemIdOf(variant, update);
    const kind = itemKindOf(variant);
    let run = 0;
    // Pieces of a text have no status.
    if (isRunnable(variant))
      run = this.runs.join(record.index, columns.name.get(index), columns.side.get(index), id);
    else {
      this.runs.end(record.index);
      const told = str(update, 'status') ?? str(update, 'state');
      if (told !== undefined) columns.status.set(index, columns.statuses.of(told));
    }
    columns.run.set(index, run);
    if (from !== 'agent') return;
    const place = this.replays.placeOf(record, params, event);
    this.sessions.update(record, variant, update, at);
    // What begins a turn belongs to it.
    if (columns.turn.get(index) === 0) columns.turn.set(index, turnNumber(record.activity));
    const isChild = variant === 'subagent_update';
    const child = isChild ? this.sessions.announced(record, update, at) : undefined;
    this.replays.updated(record, place, params, { frame: event, name: index }, child);
    // Chunks that name no item are one message as far as their run goes.
    let item = run > 0 ? -run : index;
    if (kind !== undefined && id !== undefined) {
      item = record.items.of(kind, id, index);
      columns.item.set(index, item + 1);
      if (kind === 'tool') this.#tool(index, record, id, item);
    }
    if (place === undefined || place.as === 'meanwhile') return;
    columns.window.set(index, place.window.id + 1);
    if (place.as === 'late') columns.raise(index, FLAG.late);
    if (place.as !== 'replay') return;
    columns.raise(index, FLAG.replay);
    this.replays.count(place, kind, variant, item, columns.timeOf(index), size);
  }

  /** The frame names its session, which ends the session's run. */
  #name(index: number, at: number, sessionId: string, method: string): SessionRecord {
    const record = this.sessions.frame(sessionId, at, method);
    this.#belongs(index, record);
    this.runs.end(record.index);
    return record;
  }

  #belongs(index: number, record: SessionRecord): void {
    this.columns.session.set(index, record.index + 1);
    this.columns.turn.set(index, turnNumber(record.activity));
  }

  /** A frame about an open request of `asker` belongs to that request's session. */
  #infer(index: number, asker: Side, params: Json | undefined): void {
    const asked = this.exchanges.find(asker, get(params, 'requestId'));
    const session = asked && this.#sessionAt(asked.index);
    if (session === undefined) return;
    this.#belongs(index, session);
    this.columns.raise(index, FLAG.inferred);
  }

  /** `item`: the event that first spoke of it. */
  #tool(index: number, record: SessionRecord, id: string, item: number): void {
    this.columns.item.set(index, item + 1);
    if (item === index) this.toolIds.set(item, id);
    const kind = record.tools.get(id)?.kind;
    if (kind !== undefined) this.columns.tool.set(index, this.columns.toolKinds.of(kind));
  }

  #sessionAt(index: number): SessionRecord | undefined {
    return this.sessions.get(this.columns.session.get(index) - 1);
  }
}
