// Reconnect truth: what was open when a connection was cut, and what the next one says became of it.
// Only frames decide; where they say nothing, nothing can be known, and the words say why.
import { str } from '../../acp/json.ts';
import { isFinal } from '../../acp/update.ts';
import type { Message, Request } from '../../acp/message.ts';
import { messageOf, saidBy } from '../timeline/digest.ts';
import { find } from '../fold/items.ts';
import { waitingRequests, reduce } from '../fold/reduce.ts';
import { freshState, type Item, type SessionState, type ToolBody } from '../fold/state.ts';
import type { Terminal } from '../fold/terminals.ts';
import { textOf } from '../facts/content-parts.ts';
import { promptText } from '../facts/message-text.ts';
import { isHistory, itemKindOf } from '../facts/variants.ts';
import { FLAG } from '../columns.ts';
import { oneLine } from '../words.ts';
import type { IndexedTrace } from '../indexed-trace.ts';
import type { ConnectionId, Seq, FrameRef } from '../../trace/event.ts';
import { workWords, type BackgroundWork } from '../facts/activity.ts';
import { askedToolCall } from '../facts/permission.ts';
import { deniedTools } from './rulings.ts';

type OpenKind = 'turn' | 'permission' | 'request' | 'tool' | 'terminal' | 'background' | 'child';
export type WorkFate = 'seen again' | 'settled' | 'silently gone' | 'cannot be known';

interface Fated {
  readonly fate: WorkFate;
  /** One clause: what the frames say, or why they do not. */
  readonly why: string;
  readonly after: readonly FrameRef[];
}

export interface OpenThing extends Fated {
  readonly kind: OpenKind;
  /** What a person calls it. */
  readonly words: string;
  readonly before: readonly FrameRef[];
}

export interface ReconnectTruth {
  readonly open: readonly OpenThing[];
  /** Whether the restored session took a prompt. */
  readonly takesPrompts: 'yes' | 'no' | 'not asked';
  readonly prompt: FrameRef | undefined;
}

/** `before`: the connection that was cut; `after`: the one since. */
export function reconnectTruth(
  before: IndexedTrace,
  after: IndexedTrace,
  sessionId: string,
): ReconnectTruth {
  const state = folded(before, sessionId, before.index.length);
  const seen = new After(after, sessionId);
  const open = [
    ...turnOf(state, seen),
    ...requestsOf(state, seen),
    ...toolsOf(state, seen, deniedTools(before, sessionId)),
    ...terminalsOf(state, seen),
    ...backgroundOf(state, seen),
    ...childrenOf(before, after, sessionId),
  ].map(({ seqs, ...thing }): OpenThing => {
    const { connection } = before;
    return { ...thing, before: [...new Set(seqs)].map((seq) => ({ connection, seq: seq as Seq })) };
  });
  return { open, takesPrompts: seen.takesPrompts, prompt: seen.prompt };
}

/** Without the end of the agent, which settles nothing but forgets what is open. */
function folded({ index, eventAt }: IndexedTrace, sessionId: string, until: number): SessionState {
  const { columns } = index;
  let state = freshState(sessionId, index.version);
  for (let place = 0; place < until; place++) {
    const event = eventAt(place);
    if (event.type !== 'frame') continue;
    const flags = { replay: columns.has(place, FLAG.replay), late: columns.has(place, FLAG.late) };
    state = reduce(state, event, messageOf(event), flags);
  }
  return state;
}

/** What the connection after the cut says, up to the next prompt: what follows that may be its doing. */
class After {
  readonly state: SessionState;
  /** A restore of the session was answered with a result. */
  readonly restored: boolean;
  /** The first replayed message or tool call: from then on, what is missing is missing. */
  replay: FrameRef | undefined;
  /** A message or a tool call that no prompt asked for and that is no replay. */
  live: FrameRef | undefined;
  /** v2: where a state was last told. */
  toldState: FrameRef | undefined;
  readonly requests: { readonly request: Request; readonly frame: FrameRef }[] = [];
  takesPrompts: ReconnectTruth['takesPrompts'] = 'not asked';
  prompt: FrameRef | undefined;
  readonly #connection: ConnectionId;

  constructor(source: IndexedTrace, sessionId: string) {
    const { index, eventAt, connection } = source;
    this.#connection = connection;
    let end = 0;
    for (; end < index.length && this.prompt === undefined; end++) {
      if (index.session(end)?.sessionId === sessionId)
        this.#take(source, end, saidBy(eventAt(end)));
    }
    this.state = folded(source, sessionId, end);
    // What is answered after the first prompt restored nothing that it could show.
    this.restored = index.windowRecords.some(
      ({ session, method, outcome, answer }) =>
        session.sessionId === sessionId &&
        method !== 'session/fork' &&
        outcome === 'answered' &&
        answer < end,
    );
  }

  at(seq: number): FrameRef {
    return { connection: this.#connection, seq: seq as Seq };
  }

  #take({ index, eventAt }: IndexedTrace, place: number, message: Message | undefined): void {
    const { columns } = index;
    const name = columns.nameOf(place);
    const frame = this.at(columns.seqOf(place));
    const event = eventAt(place);
    const isOurs = event.type === 'frame' && event.from === 'client';
    if (message?.kind === 'request' && !isOurs) this.requests.push({ request: message, frame });
    if (message?.kind === 'request' && isOurs && name === 'session/prompt') {
      const answer = columns.partnerOf(place);
      this.prompt = frame;
      // A turn that only began counts: the agent took the prompt.
      const isTaken = answer !== undefined && saidBy(eventAt(answer))?.kind === 'success';
      this.takesPrompts = isTaken ? 'yes' : 'no';
    }
    if (isOurs || !columns.has(place, FLAG.update)) return;
    if (name === 'state_update') this.toldState = frame;
    if (!isHistory(itemKindOf(name))) return;
    if (columns.has(place, FLAG.replay) || columns.has(place, FLAG.late)) this.replay ??= frame;
    else this.live ??= frame;
  }
}

type Left = Omit<OpenThing, 'before'> & { readonly seqs: readonly number[] };

function fate(fate: WorkFate, why: string, ...after: readonly FrameRef[]): Fated {
  return { fate, why, after };
}

function turnOf(state: SessionState, seen: After): Left[] {
  const prompt = waitingRequests(state).findLast(
    ({ request }) => request.method === 'session/prompt',
  );
  const told = state.version === 2 ? state.activity : undefined;
  const seq = prompt?.seq ?? (told?.value.state === 'idle' ? undefined : told?.seq);
  if (seq === undefined) return [];
  const said = prompt ? promptText(prompt.request.params) : lastPrompt(state);
  const text = oneLine(said, 60).replace(/…$/, '');
  const words = text === '' ? 'a turn' : `the turn “${text}”`;
  return [{ kind: 'turn', words, seqs: [seq], ...fateOfTurn(text, seen) }];
}

/** v2 answers a prompt at once: its text is that of the last user message. */
function lastPrompt({ items }: SessionState): string {
  const all = items.slice(0, items.length);
  const last = all.findLast(({ body }) => body.type === 'message' && body.role === 'user');
  return last?.body.type === 'message' ? textOf(last.body.parts) : '';
}

function fateOfTurn(text: string, seen: After): Fated {
  const { restored, live, toldState, replay, state } = seen;
  if (!restored) return fate('cannot be known', 'the session was not restored');
  if (live) return fate('seen again', 'updates go on without a new prompt', live);
  const user = state.items
    .slice(0, state.items.length)
    .find(
      ({ body }) =>
        body.type === 'message' &&
        body.role === 'user' &&
        oneLine(textOf(body.parts), 1000).includes(text),
    );
  const now = state.activity?.value.state;
  const isGone = replay !== undefined && text !== '' && user === undefined;
  if (isGone && (now === undefined || now === 'idle'))
    return fate('silently gone', 'the replay does not hold its prompt', replay);
  if (toldState)
    return now === 'idle'
      ? fate('settled', 'the agent says that it is idle', toldState)
      : fate('seen again', `the agent says ${now}`, toldState);
  if (replay === undefined)
    return fate('cannot be known', 'nothing was replayed, and v1 does not say whether a turn runs');
  const why =
    text === ''
      ? 'no trace holds its prompt, and v1 does not say whether a turn runs'
      : 'its prompt was replayed; v1 does not say whether the turn runs';
  return fate('cannot be known', why, ...(text !== '' && user ? [seen.at(user.first)] : []));
}

function requestsOf(state: SessionState, seen: After): Left[] {
  return waitingRequests(state)
    .filter(({ from }) => from === 'agent')
    .map(({ request, seq }) => {
      const { method, params } = request;
      const tool = askedToolCall(request.params);
      const isPermission = method === 'session/request_permission';
      const title = str(tool, 'title') ?? str(params, 'title') ?? str(params, 'message');
      const about = title === undefined ? '' : ` for “${oneLine(title, 60)}”`;
      return {
        kind: isPermission ? 'permission' : 'request',
        words: `${isPermission ? 'the permission request' : method}${about}`,
        seqs: [seq],
        ...fateOfRequest(method, str(tool, 'toolCallId'), seen),
      };
    });
}

function fateOfRequest(method: string, id: string | undefined, seen: After): Fated {
  const again = seen.requests.find(
    ({ request }) =>
      request.method === method && str(askedToolCall(request.params), 'toolCallId') === id,
  );
  if (again) return fate('seen again', 'asked again', again.frame);
  const tool = id === undefined ? undefined : toolSeen(id, seen);
  if (tool?.isOver) return fate('settled', `its tool call is ${tool.status}`, tool.frame);
  if (seen.replay === undefined)
    return fate('cannot be known', 'nothing was replayed that could tell');
  return tool
    ? fate('silently gone', `its tool call is ${tool.status}, and nobody asks`, tool.frame)
    : fate('silently gone', 'not asked again, and nothing replayed tells of it', seen.replay);
}

/** `denied`: tool calls by the response that denied them. One without an update since never ran. */
function toolsOf(state: SessionState, seen: After, denied: ReadonlyMap<string, Seq>): Left[] {
  const open = openTools(state).filter(
    ({ body, last }) => !((denied.get(body.toolCallId) ?? 0) > last),
  );
  return open.map(({ body, first, last }) => {
    const { toolCallId, status, title, name } = body;
    const words = `the tool call “${oneLine(title ?? name ?? toolCallId, 60)}”, ${status}`;
    const again = toolSeen(toolCallId, seen);
    return { kind: 'tool', words, seqs: [first, last], ...fateOf(again, seen, 'tool call') };
  });
}

function terminalsOf(state: SessionState, seen: After): Left[] {
  return openTerminals(state).map(({ terminalId, command, first, last }) => {
    const words = `the terminal “${oneLine(command ?? terminalId, 60)}”`;
    const again = terminalSeen(terminalId, seen);
    return { kind: 'terminal', words, seqs: [first, last], ...fateOf(again, seen, 'terminal') };
  });
}

function backgroundOf({ background }: SessionState, seen: After): Left[] {
  return (background?.value ?? []).map((work) => ({
    kind: 'background',
    words: `background work: ${workWords(work)}`,
    seqs: [background?.seq ?? 0],
    ...fateOfWork(work, seen),
  }));
}

function fateOfWork(work: BackgroundWork, seen: After): Fated {
  const now = seen.state.background;
  const frame = seen.at(now?.seq ?? 0);
  if (now?.value.some(({ type, id }) => id !== undefined && id === work.id && type === work.type))
    return fate('seen again', 'listed again', frame);
  const { id } = work;
  if (id === undefined)
    return fate('cannot be known', 'background work of a type that is not known');
  const again = toolSeen(id, seen) ?? terminalSeen(id, seen);
  if (again?.isOver) return fate('settled', `it is ${again.status}`, again.frame);
  return now
    ? fate('silently gone', 'no longer listed, and not ended', frame)
    : fate('cannot be known', 'background work was not reported');
}

/** Child sessions that were at work. */
function childrenOf(before: IndexedTrace, after: IndexedTrace, sessionId: string): Left[] {
  const at = (place: number): FrameRef => {
    return { connection: after.connection, seq: after.index.columns.seqOf(place) };
  };
  const later = childrenIn(after, sessionId);
  return childrenIn(before, sessionId)
    .filter(({ state }) => state !== 'idle')
    .map(({ id, told }) => {
      const again = later.find((child) => child.id === id);
      const fated =
        again === undefined
          ? fate('cannot be known', 'it was not announced again, and an agent need not keep it')
          : fate(
              again.state === 'idle' ? 'settled' : 'seen again',
              `it is ${again.state ?? 'announced again'}`,
              at(again.told),
            );
      const seqs = [before.index.columns.seqOf(told)];
      return { kind: 'child', words: `the child session ${id}`, seqs, ...fated };
    });
}

function childrenIn({ index }: IndexedTrace, sessionId: string) {
  const parent = index.sessionNamed(sessionId);
  if (parent === undefined) return [];
  return index.children.below(parent, true).map(({ session, announced, now, past }) => ({
    id: session.sessionId,
    told: now.told ?? past?.told ?? announced,
    state: str(now.state, 'state') ?? str(past?.state, 'state') ?? session.activity.state,
  }));
}

interface SeenAgain {
  readonly status: string;
  readonly isOver: boolean;
  readonly frame: FrameRef;
}

function toolSeen(id: string, seen: After): SeenAgain | undefined {
  const item = find(seen.state, `t:${id}`, 'tool')?.item;
  if (!item) return undefined;
  const { status } = item.body;
  return { status, isOver: isFinal(status), frame: seen.at(item.last) };
}

function terminalSeen(id: string, seen: After): SeenAgain | undefined {
  const { list } = seen.state.terminals;
  const found = list.slice(0, list.length).find(({ terminalId }) => terminalId === id);
  if (!found) return undefined;
  const isOver = found.exit !== undefined;
  // Whether it runs is not known: some agents show a terminal before its command is allowed.
  const status = isOver ? 'ended' : 'shown without an exit status';
  return { status, isOver, frame: seen.at(found.last) };
}

function fateOf(again: SeenAgain | undefined, { replay }: After, what: string): Fated {
  if (again)
    return fate(again.isOver ? 'settled' : 'seen again', `it is ${again.status}`, again.frame);
  return replay
    ? fate('silently gone', `the replay does not hold this ${what}`, replay)
    : fate('cannot be known', 'nothing was replayed that could tell');
}

/** Tool calls whose last status says no end, in the order they began. */
export function openTools({ items }: SessionState): readonly Item<ToolBody>[] {
  return items
    .slice(0, items.length)
    .filter((item): item is Item<ToolBody> => item.body.type === 'tool')
    .filter(({ body }) => !isFinal(body.status));
}

/** Terminals of the agent that have not exited; those of v1 are the client's own, and end with it. */
export function openTerminals({ version, terminals: { list } }: SessionState): readonly Terminal[] {
  return version === 1 ? [] : list.slice(0, list.length).filter(({ exit }) => exit === undefined);
}

/**
 * Returns what was open in a session when the connection ended that it was live on before this trace, and what
 * the first restore in this trace shows of it; undefined if no earlier connection had the session live.
 * `earlier`: older traces that name the session, oldest first.
 */
export function leftOpenBefore(
  earlier: readonly IndexedTrace[],
  after: IndexedTrace,
  sessionId: string,
): readonly OpenThing[] | undefined {
  const before = earlier.findLast((one) => wasLive(one, sessionId));
  return before?.index.isOver() ? reconnectTruth(before, after, sessionId).open : undefined;
}

/** True if the session did something in this trace that is not a replay. */
function wasLive({ index }: IndexedTrace, sessionId: string): boolean {
  const { columns } = index;
  const session = index.sessionNamed(sessionId);
  if (session === undefined) return false;
  for (const place of columns.placesOf(session.index)) {
    const name = columns.nameOf(place);
    if (name === 'session/prompt') return true;
    const isLive = columns.has(place, FLAG.update) && !columns.has(place, FLAG.replay | FLAG.late);
    if (isLive && isHistory(itemKindOf(name))) return true;
  }
  return false;
}
