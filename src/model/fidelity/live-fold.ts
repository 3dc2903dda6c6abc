// One session folded as it was said live, over one connection after the other.
import { obj, str } from '../../acp/json.ts';
import { idKey, type Json, type Message } from '../../acp/message.ts';
import { childIdOf, updateOf } from '../../acp/update.ts';
import { ASKS, MAKERS, isMethodOf } from '../../acp/methods.ts';
import { FLAG, RES } from '../columns.ts';
import { isAtWork } from '../facts/activity.ts';
import { askedToolCall } from '../facts/permission.ts';
import { note } from '../fold/items.ts';
import { reduce } from '../fold/reduce.ts';
import { begin } from '../fold/settings.ts';
import { freshState, type SessionState } from '../fold/state.ts';
import type { IndexedTrace } from '../indexed-trace.ts';
import { askTitle } from '../sessions/conversation-words.ts';
import { rulingAt } from '../restore/rulings.ts';
import { messageOf, saidBy } from '../timeline/digest.ts';
import type { IsSure } from '../replay/trace-order.ts';
import type { WindowRecord } from '../timeline/replay-windows.ts';
import { timeOf, type ConnectionId, type Frame, type Seq } from '../../trace/event.ts';
import { commandNames } from './normalize.ts';
import { type Numbering, historyAt } from './numbering.ts';
import type { LiveSource } from './report/report.ts';

/** A setting that was said, whether it holds still or not. */
export interface SaidFact {
  /** `mode`, `title`, `commands`, or the id of a config option. */
  readonly name: string;
  readonly value: Json;
}

/** A stretch in which a child session was live, in numbers of frames of its parent's transcript. */
export interface ChildSpan {
  readonly session: string;
  readonly from: number;
  /** Number of the frame with which the child became idle; undefined: none did. */
  readonly to: number | undefined;
  /** Number of its last announcement. */
  readonly last: number;
}

/** What was known live at one moment. Frames are numbered over all traces. */
export interface LivePart {
  readonly state: SessionState;
  /** A trace holds its beginning. */
  readonly whole: boolean;
  readonly asks: readonly { readonly words: string; readonly number: number }[];
  /** Tool calls that asked for a permission, and whether that which they asked for last was given. */
  readonly asked: ReadonlyMap<string, boolean>;
  readonly said: readonly SaidFact[];
  /** Numbers of the frames after which a connection was left in the middle of a turn. */
  readonly cuts: readonly number[];
  /** Numbers of the first frames on a further connection. */
  readonly joints: readonly number[];
  /** Numbers of prompts that were refused before anything came of them. */
  readonly refused: ReadonlySet<number>;
  /** Numbers of `session/cancel`, and of questions that were answered with a reject option. */
  readonly cancels: readonly number[];
  readonly declines: readonly number[];
  /** Numbers of the frames with which a prompt failed. */
  readonly fails: readonly number[];
  readonly sources: readonly LiveSource[];
  /** When each of its child sessions was live. */
  readonly children: readonly ChildSpan[];
  /** Traces without a clock, of which nothing tells that they are older than the restore. */
  readonly unsure: ReadonlySet<ConnectionId>;
  /** Number of its last frame, and of the last that a fork has from its source. */
  readonly until: number;
  readonly inherited: number;
  /** A trace says that frames are missing. */
  readonly gap: boolean;
}

/** A window among those of all traces. */
export function windowIdOf({ connection }: IndexedTrace, { id }: WindowRecord): string {
  return `${connection} ${id}`;
}

export class LiveFold {
  readonly parts = new Map<string, LivePart>();
  readonly #numbering: Numbering;
  readonly #isSure: IsSure;
  readonly #hasGap: (source: IndexedTrace) => boolean;
  readonly #isRootWhole: boolean;
  readonly #seen = new Set<IndexedTrace>();
  readonly #sources: { connection: ConnectionId; from: Seq; to: Seq }[] = [];
  readonly #asks: { readonly words: string; readonly number: number }[] = [];
  readonly #asked = new Map<string, boolean>();
  readonly #said: SaidFact[] = [];
  readonly #cuts: number[] = [];
  readonly #joints: number[] = [];
  readonly #cancels: number[] = [];
  readonly #declines: number[] = [];
  readonly #fails: number[] = [];
  readonly #refused = new Set<number>();
  #children: ChildSpan[] = [];
  #state: SessionState;
  #whole = false;
  #inherited = 0;
  #gap = false;
  #on: IndexedTrace | undefined;
  #last = 0;
  /** The next live frame begins a stretch: what was before it on its connection is not all live. */
  #isApart = true;

  /** `isRootWhole`, of a child: what owns it was seen from its beginning, so no announcement was missed. */
  constructor(
    sessionId: string,
    numbering: Numbering,
    { isSure, hasGap }: { isSure: IsSure; hasGap: (source: IndexedTrace) => boolean },
    source: LivePart | undefined,
    isRootWhole: boolean,
  ) {
    this.#numbering = numbering;
    this.#isSure = isSure;
    this.#hasGap = hasGap;
    this.#isRootWhole = isRootWhole;
    this.#state = source ? { ...source.state, sessionId } : freshState(sessionId);
    if (!source) return;
    this.#inherited = source.until;
    this.#whole = source.whole;
    this.#gap = source.gap;
    this.#said.push(...source.said);
    this.#cuts.push(...source.cuts);
    this.#joints.push(...source.joints);
    this.#cancels.push(...source.cancels);
    this.#declines.push(...source.declines);
    this.#fails.push(...source.fails);
    for (const number of source.refused) this.#refused.add(number);
    for (const [tool, isGiven] of source.asked) this.#asked.set(tool, isGiven);
    this.#sources.push(...source.sources);
    this.#children.push(...source.children);
  }

  take(source: IndexedTrace, place: number): void {
    const event = source.eventAt(place);
    if (event.type !== 'frame') return;
    const { index } = source;
    const number = this.#numbering.next(source, place);
    const window = index.window(place);
    if (window?.request === place) {
      this.parts.set(windowIdOf(source, window), this.#part(source));
      this.#isApart = true;
      return;
    }
    if (index.session(place)?.sessionId !== this.#state.sessionId) {
      if (!index.columns.has(place, FLAG.replay)) this.#announced(source, place, number);
      return;
    }
    if (source !== this.#on) this.#goesOn(source, number);
    const isHistory = historyAt(source, place) !== undefined;
    if (!window && !isHistory) this.#stretch(source, event.seq);
    const message = messageOf(event);
    const name = index.columns.nameOf(place);
    const isMade = isMethodOf(MAKERS, name) && index.columns.kind.get(place) === RES;
    this.#whole ||= isMade && name === 'session/new';
    if (isMade || window?.answer === place) return this.#restored(message, number, event);
    if (isHistory) return;
    if (this.#isAside(message, number, source, place)) return;
    if (message.kind === 'notification' && message.method === 'session/cancel')
      this.#cancels.push(number);
    if (message.kind === 'failure' && name === 'session/prompt') {
      this.#refuse();
      this.#fails.push(number);
    }
    this.#last = number;
    const before = this.#state;
    const flags = { replay: false, late: false };
    this.#state = reduce(before, { ...event, seq: number }, scoped(message, source), flags);
    this.#worked(before);
    if (name === 'subagent_update') this.#child(source, place, number);
    this.#note(before);
  }

  #child(source: IndexedTrace, place: number, number: number): void {
    const { sessionId: session, state } = toldChild(source, place) ?? {};
    if (session === undefined) return;
    const to = state === 'idle' ? number : undefined;
    const at = this.#children.findLastIndex((one) => one.session === session);
    const before = this.#children[at];
    if (before && before.to === undefined)
      this.#children = this.#children.with(at, { ...before, to, last: number });
    else if (!before || isAtWork(state))
      this.#children = [...this.#children, { session, from: number, to, last: number }];
  }

  #worked({ activity: before }: SessionState): void {
    const { activity } = this.#state;
    if (activity === before) return;
    if (activity?.value.stopReason === 'cancelled') this.#cancels.push(this.#last);
    if (activity?.value.stopReason === 'error') this.#fails.push(this.#last);
  }

  /** In v2 also with a prompt of whose work nothing was told yet. */
  #isAtWork(): boolean {
    const { activity, version, prompted } = this.#state;
    return isAtWork(activity?.value.state) || (version === 2 && prompted);
  }

  /** A child, live: its beginning is at hand, or how it goes on. */
  #announced(source: IndexedTrace, place: number, seq: Seq): void {
    this.#whole ||= this.#last === 0 && (this.parts.size === 0 || this.#isRootWhole);
    const state = toldChild(source, place)?.state;
    if (state !== undefined) this.#state = { ...this.#state, activity: { value: { state }, seq } };
  }

  /** A further connection: nothing of the one before is answered or echoed any more. */
  #goesOn(source: IndexedTrace, number: Seq): void {
    const { index } = source;
    if (this.#on) this.#joints.push(number);
    if (this.#on && this.#isAtWork()) this.#cuts.push(this.#last);
    this.#children = this.#children.map((child) => ({ ...child, to: child.to ?? this.#last }));
    this.#isApart = true;
    this.#seen.add(source);
    this.#gap ||= this.#hasGap(source);
    const { open, activity, echoes, ...fresh } = freshState(this.#state.sessionId, index.version);
    const { version } = fresh;
    this.#on = source;
    this.#state = {
      ...this.#state,
      version,
      echoes,
      echo: undefined,
      turnPlan: undefined,
      prompts: 0,
      prompted: false,
      open,
      activity,
    };
  }

  /** What lies in a replay window, settings too, is told again: no stretch holds it. */
  #stretch({ connection }: IndexedTrace, at: Seq): void {
    const last = this.#sources.at(-1);
    if (last && !this.#isApart) last.to = at;
    else this.#sources.push({ connection, from: at, to: at });
    this.#isApart = false;
  }

  #part(source: IndexedTrace): LivePart {
    const cut = this.#last > 0 && this.#isAtWork() ? [this.#last] : [];
    const unsure = [...this.#seen].filter((one) => one !== source && !this.#isSure(one, source));
    const elsewhere = this.#on !== undefined && this.#on !== source;
    return {
      state: this.#state,
      whole: this.#whole,
      asks: [...this.#asks],
      asked: new Map(this.#asked),
      said: [...this.#said],
      cuts: [...this.#cuts, ...cut],
      joints: elsewhere ? [...this.#joints, Number.MAX_SAFE_INTEGER] : [...this.#joints],
      cancels: [...this.#cancels],
      declines: [...this.#declines],
      fails: [...this.#fails],
      refused: new Set(this.#refused),
      sources: this.#sources.map((one) => ({ ...one })),
      children: this.#children,
      unsure: new Set(unsure.map(({ connection }) => connection)),
      until: this.#last,
      inherited: this.#inherited,
      gap: this.#gap || this.#hasGap(source),
    };
  }

  /** What the answer to a restore says of the settings is so from then on. */
  #restored(message: Message, number: Seq, event: Frame): void {
    if (message.kind !== 'success') return;
    const before = this.#state;
    const draft = { ...before };
    const place = { seq: number, at: timeOf(event), replay: false, late: false, restoring: false };
    begin(draft, message.result, place);
    this.#state = draft;
    this.#note(before);
  }

  /** Permissions and the like are told apart: they are no history, and their tool call none of its own. */
  #isAside(message: Message, number: number, source: IndexedTrace, place: number): boolean {
    if (message.kind !== 'request' || !isMethodOf(ASKS, message.method)) return false;
    const tool = askedToolCall(message.params);
    const [id, title] = [str(tool, 'toolCallId'), str(tool, 'title')];
    const ruling = rulingAt(source, place, message.params);
    if (id !== undefined) this.#asked.set(id, ruling === 'approved');
    if (ruling === 'rejected') this.#declines.push(number);
    this.#asks.push({ words: askTitle(message.method, message.params, title), number });
    this.#breakMessage(number);
    return true;
  }

  /** A client shows the question between what was said before it and after it. */
  #breakMessage(seq: number): void {
    const { version, items } = this.#state;
    const { last } = items;
    if (version === 2 || last?.body.type !== 'message' || last.body.messageId !== undefined) return;
    const draft = { ...this.#state };
    const place = { seq: seq as Seq, at: last.at, replay: false, late: false, restoring: false };
    note(draft, { tone: 'quiet', text: '' }, place);
    this.#state = draft;
  }

  /** Of a prompt that nothing came of, the agent need not keep anything. */
  #refuse(): void {
    const { last } = this.#state.items;
    if (last?.body.type === 'message' && last.body.prompt !== undefined)
      this.#refused.add(last.body.prompt);
  }

  #note(before: SessionState): void {
    const { modes, title, config, commands } = this.#state;
    if (modes && modes !== before.modes)
      this.#said.push({ name: 'mode', value: modes.value.current });
    if (commands && commands !== before.commands)
      this.#said.push({ name: 'commands', value: commandNames(commands.value) });
    if (title && title !== before.title) this.#said.push({ name: 'title', value: title.value });
    if (config === before.config) return;
    for (const { value } of config) this.#said.push({ name: value.id, value: value.value });
  }
}

export const FRAMES_MISSING = 'a trace says that frames are missing';

/** Each connection counts its requests from 0. */
function scoped(message: Message, { connection }: IndexedTrace): Message {
  if (message.kind === 'notification' || message.kind === 'invalid') return message;
  const token = `${connection} ${message.id.type} ${idKey(message.id)}`;
  return { ...message, id: { type: 'number', token } };
}

/** What a `subagent_update` tells, and of whom. */
export function toldChild({ index, eventAt }: IndexedTrace, place: number) {
  if (index.columns.nameOf(place) !== 'subagent_update') return undefined;
  const message = saidBy(eventAt(place));
  const update = message?.kind === 'notification' ? updateOf(message.params)?.update : undefined;
  return update && { sessionId: childIdOf(update), state: str(obj(update, 'state'), 'state') };
}
