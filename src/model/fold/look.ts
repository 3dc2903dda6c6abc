// The state of a session as the page asks for it: the last items of its conversation, of which only
// those are sent that it does not have, and everything beside them.
import { obj, str } from '../../acp/json.ts';
import { isFinal } from '../../acp/update.ts';
import { defined } from '../../lib/defined.ts';
import type { Millis } from '../../lib/time.ts';
import type { SessionFacts } from '../facts/facts-view.ts';
import { patchOf, touchedItems, type PatchLine } from './patch.ts';
import { itemNamed } from './items.ts';
import { waitingRequests } from './reduce.ts';
import { sessionFacts, type SessionFact } from './session-facts.ts';
import type { SessionState, Item, ToolBody } from './state.ts';
import type { ConversationItem, PlanItem, ToolPart } from '../sessions/conversation-view.ts';
import { idWords } from '../timeline/digest.ts';
import type { Seq, Side } from '../../trace/event.ts';

export interface StateAsk {
  /** The last event that counts; absent: the live end. */
  readonly at?: Seq;
  /** The version that the page has; 0: none. */
  readonly since: number;
  /** Items wanted, the last ones. */
  readonly most: number;
}

interface ToolMark {
  readonly key: string;
  readonly title: string;
  readonly status: string;
  readonly last: Seq;
}

/** A terminal without its output. */
interface TerminalMark {
  readonly terminalId: string;
  readonly command?: string;
  readonly exit?: string;
  /** Its command is what an open permission request asks for. */
  readonly waits?: true;
  /** Bytes that ever came. */
  readonly total: number;
  readonly last: Seq;
}

/** A request without an answer. */
interface PendingMark {
  readonly seq: Seq;
  readonly from: Side;
  readonly id: string;
  readonly method: string;
  readonly at: Millis;
}

export interface StateView {
  /** To ask again with. */
  readonly version: number;
  /** The frame that changed it last; 0: none has. */
  readonly last: number;
  /** All items, and the first that is sent or known to the page. */
  readonly total: number;
  readonly from: number;
  readonly items: readonly { readonly index: number; readonly item: ConversationItem }[];
  /** `live`: the value at the live end, where it is another. */
  readonly facts: readonly (SessionFact & { readonly live?: string })[];
  readonly plans: readonly PlanItem[];
  /** The oldest, and how many there are in all. */
  readonly pending: readonly PendingMark[];
  readonly pendingCount: number;
  readonly tools: readonly ToolMark[];
  readonly toolCounts: readonly (readonly [status: string, count: number])[];
  readonly terminals: readonly TerminalMark[];
  /** The last bytes of terminals, of those that changed. */
  readonly outputs: readonly { readonly terminalId: string; readonly bytes: Uint8Array }[];
  readonly commands: SessionFacts['commands'];
  /** What the frame `at` changed; absent at the live end. */
  readonly changes?: readonly PatchLine[];
  /** Keys of the items it spoke of, also where it said what was so already. */
  readonly touched?: readonly string[];
}

/** Of a terminal's output, so much is shown in a conversation. */
const OUTPUT = 64 * 1024;
/** Tool calls told one by one. */
const MARKS = 400;
/** Requests without an answer that are told one by one. */
const MOST_PENDING = 100;
/** Looks that the page may ask on from. */
const GIVEN = 4;

interface Given {
  readonly state: SessionState;
  readonly from: number;
}

/** Knows what it gave last, to give only what is new. */
export class StateLooks {
  readonly #given = new Map<number, Given>();
  #version = 0;

  /** `before`: without the last frame of `state`, where what that changed was asked for. */
  give(
    state: SessionState,
    live: SessionState,
    { since, most }: StateAsk,
    before?: SessionState,
  ): StateView {
    const { items, terminals } = state;
    const known = this.#given.get(since);
    const from = Math.max(0, items.length - most);
    const wanted = known
      ? items.changedSince(known.state.items, from).concat(missing(from, known.from, items.length))
      : missing(from, items.length, items.length);
    const list = terminals.list.slice(0, terminals.list.length);
    const fresh = new Set(
      known ? terminals.list.changedSince(known.state.terminals.list) : list.keys(),
    );
    const outputs = list.filter(
      ({ output }, at) => fresh.has(at) && known?.state.terminals.list.get(at)?.output !== output,
    );
    const unpermitted = terminalsAskedFor(state);
    const waiting = waitingRequests(state);
    return {
      version: this.#keep({ state, from }),
      last: state.last,
      total: items.length,
      from,
      items: wanted.flatMap((index) => {
        const item = items.get(index);
        return item ? [{ index, item: withLater(itemView(item), live) }] : [];
      }),
      facts: factsBeside(state, live),
      plans: plansOf(state),
      pending: waiting.slice(0, MOST_PENDING).map(({ seq, from: side, request, at }) => {
        const id = idWords(side, request.id.token);
        return { seq, from: side, id, method: request.method, at };
      }),
      pendingCount: waiting.length,
      tools: lastTools(state),
      toolCounts: state.toolCounts,
      terminals: list.map(({ terminalId, command, exit, output, last }) => ({
        terminalId,
        ...defined({ command, exit }),
        ...(exit === undefined && unpermitted.has(terminalId) ? { waits: true as const } : {}),
        total: output.total,
        last,
      })),
      outputs: outputs.map(({ terminalId, output }) => ({
        terminalId,
        bytes: output.bytes(OUTPUT),
      })),
      commands: state.commands?.value ?? [],
      ...(before && { changes: patchOf(before, state), touched: touchedItems(before, state) }),
    };
  }

  #keep(given: Given): number {
    this.#given.set(++this.#version, given);
    this.#given.delete(this.#version - GIVEN);
    return this.#version;
  }
}

/** Terminals that an open permission request names, or that stand in the tool call it is about. */
function terminalsAskedFor(state: SessionState): ReadonlySet<string> {
  const named = waitingRequests(state).flatMap(({ request: { method, params } }) => {
    if (method !== 'session/request_permission') return [];
    const about = obj(params, 'subject') ?? obj(params, 'toolCall');
    const id = str(about, 'toolCallId') ?? str(obj(about, 'toolCall'), 'toolCallId');
    const body = itemNamed(state, `t:${id}`)?.body;
    const shown = body?.type === 'tool' ? body.content : [];
    return [
      str(about, 'terminalId'),
      ...shown.map((part) => (part.type === 'terminal' ? part.terminalId : undefined)),
    ];
  });
  return new Set(named.filter((id) => id !== undefined));
}

/** Places from `from` up to, not with, the first that is there already. */
function missing(from: number, known: number, length: number): number[] {
  const count = Math.max(0, Math.min(known, length) - from);
  return Array.from({ length: count }, (_, i) => from + i);
}

/** Adds the answer that a question got later. */
export function withLater(item: ConversationItem, live: SessionState): ConversationItem {
  if (item.type !== 'ask' || item.answer) return item;
  const body = itemNamed(live, item.key)?.body;
  return body?.type === 'ask' && body.answer ? { ...item, later: body.answer } : item;
}

function factsBeside(state: SessionState, live: SessionState): StateView['facts'] {
  if (state === live) return sessionFacts(state);
  const then = new Map(sessionFacts(live).map(({ path, value }) => [path, value]));
  return sessionFacts(state).map((fact) => {
    const now = then.get(fact.path) ?? 'not set';
    return now === fact.value ? fact : { ...fact, live: now };
  });
}

function plansOf(state: SessionState): PlanItem[] {
  return state.plans.flatMap((key) => {
    const item = itemNamed(state, key);
    const view = item && itemView(item);
    return view?.type === 'plan' ? [view] : [];
  });
}

function lastTools({ items, toolCounts }: SessionState): ToolMark[] {
  const marks: ToolMark[] = [];
  const all = toolCounts.reduce((sum, [, count]) => sum + count, 0);
  for (let at = items.length - 1; at >= 0 && marks.length < Math.min(all, MARKS); at--) {
    const item = items.get(at);
    if (item?.body.type !== 'tool') continue;
    const { status } = item.body;
    marks.push({ key: item.key, title: toolTitle(item.body), status, last: item.last });
  }
  return marks.reverse();
}

// Tool calls that are under way in a session.

export interface RunningTool {
  readonly title: string;
  readonly status: string;
  /** The frame that first spoke of it, and the last that did. */
  readonly first: Seq;
  readonly last: Seq;
}

const MOST = 50;

/** Oldest first. Where a turn has ended, what is still said to run does not. */
export function runningTools({ items, toolCounts, activity, life }: SessionState): RunningTool[] {
  if (activity?.value.state === 'idle' || life?.value !== 'active') return [];
  const found: RunningTool[] = [];
  let left = toolCounts.reduce((sum, [status, n]) => sum + (isFinal(status) ? 0 : n), 0);
  for (let at = items.length - 1; at >= 0 && left > 0 && found.length < MOST; at--) {
    const item = items.get(at);
    if (item?.body.type !== 'tool' || isFinal(item.body.status)) continue;
    left--;
    const { first, last } = item;
    found.push({ title: toolTitle(item.body), status: item.body.status, first, last });
  }
  return found.reverse();
}

// Items as views show them: without what only the reducer needs.

export function itemView({ alias: _, body, ...base }: Item): ConversationItem {
  switch (body.type) {
    case 'message': {
      const { type, role, messageId, parts, peer } = body;
      const { senderSessionId: sender, recipientSessionId: recipient } = peer ?? {};
      return { ...base, type, role, parts, ...defined({ messageId, sender, recipient }) };
    }
    case 'tool': {
      const { type, toolCallId, kind, status, locations } = body;
      const [title, parts] = [toolTitle(body), toolParts(body)];
      return { ...base, type, toolCallId, title, kind, status, locations, parts };
    }
    case 'plan':
      return { ...base, type: 'plan', entries: body.entries };
    case 'ask': {
      const { answer, ...asked } = body;
      return { ...base, ...asked, ...(answer && { answer }) };
    }
    case 'note':
      return { ...base, type: 'note', tone: body.tone, text: body.text };
  }
}

function toolTitle({ title, name, toolCallId }: ToolBody): string {
  return title ?? name ?? toolCallId;
}

/** Some agents give no content at all: then what the tool put out is better than nothing. */
function toolParts({ content, rawOutput }: ToolBody): readonly ToolPart[] {
  if (content.length > 0 || rawOutput === undefined || rawOutput === null) return content;
  if (typeof rawOutput !== 'string') return [{ type: 'other', value: rawOutput }];
  return [{ type: 'content', part: { type: 'text', text: rawOutput } }];
}
