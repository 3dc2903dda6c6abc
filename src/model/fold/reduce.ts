// The reducer: what one session is after a frame, as a correct client believes it, from what it was
// before. v1 and v2; what each variant does stands in updates.ts. Long, because it is one switch over
// what may cross, with the few lines that each takes.
//
// History replay replaces, it doubles nothing. v1: `session/load` makes the agent re-send everything,
// so a client rebuilds from empty: the conversation begins anew at the first history of a load, or at
// an answer without any. A v1 resume allows no history; if some comes all the same, it is added, as a
// trusting client would. v2: replay is upserts by id like all else: what is known stays in its place
// and takes the replayed value, what is not known is added at the end.
import { nearestVersion, protocolVersionIn } from '../../acp/handshake.ts';
import { str } from '../../acp/json.ts';
import {
  idKey,
  type Failure,
  type Json,
  type Message,
  type Request,
  type Success,
} from '../../acp/message.ts';
import { updateOf } from '../../acp/update.ts';
import { ASKS, effectOf, effectOfAnswer, RESTORES, isMethodOf } from '../../acp/methods.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { PersistentMap } from '../../lib/persistent-map.ts';
import {
  type Frame,
  otherSide,
  refusedBy,
  type Side,
  timeOf,
  type TraceEvent,
  type Transport,
} from '../../trace/event.ts';
import {
  answerWords,
  askTitle,
  exitNote,
  failureWords,
  gapWords,
  quiet,
  turnEnd,
} from '../sessions/conversation-words.ts';
import { settled } from '../facts/echo.ts';
import { askOf } from '../facts/facts.ts';
import { makesItem } from '../facts/variants.ts';
import { errorWords, sleepWords } from '../words.ts';
import { add, change, find, freshKey, nameAlso, remove, note } from './items.ts';
import { addPrompt } from './prompts.ts';
import { begin, listed, mode, options } from './settings.ts';
import type {
  Activity,
  WaitingRequest,
  Draft,
  FoldedFrame,
  ReplayFlags,
  SessionState,
} from './state.ts';
import { lives, replayBegins, restored } from './restores.ts';
import { terminalAnswered } from './terminals.ts';
import { patchTool } from './tools.ts';
import { applyUpdate } from './updates.ts';
import { askedToolCall } from '../facts/permission.ts';

/** Their answers may name the session, or say what the connection speaks. */
const ABOUT_ANY: ReadonlySet<string> = new Set([
  'initialize',
  'session/new',
  'session/fork',
  'session/list',
]);

/**
 * The state after the next event of the connection; the same value where it changes nothing, so
 * frames of other sessions may be given too. `message`: what a frame says. Never throws.
 */
export function reduce(
  state: SessionState,
  event: TraceEvent,
  message: Message | undefined,
  flags: ReplayFlags,
): SessionState {
  switch (event.type) {
    case 'frame':
      return message ? frame(state, event, message, flags) : state;
    case 'exit': {
      const [draft, place] = drafted(state, event, flags);
      ended(draft, place);
      note(draft, exitNote(event), place);
      return draft;
    }
    case 'gap': {
      const [draft, place] = drafted(state, event, flags);
      note(draft, gapWords(event), place);
      return draft;
    }
    case 'sleep': {
      const [draft, place] = drafted(state, event, flags);
      note(draft, quiet(sleepWords(event)), place);
      return draft;
    }
    case 'start':
    case 'stderr':
    case 'mark':
    case 'suppress':
      return state;
    case 'transport':
      return refused(state, event, flags);
    case 'intercept': {
      if (event.did !== 'cut') return state;
      const [draft, place] = drafted(state, event, flags);
      note(draft, quiet('The intercept cut the stream'), place);
      return draft;
    }
  }
}

function drafted(
  state: SessionState,
  event: TraceEvent,
  { replay, late }: ReplayFlags,
): [Draft, FoldedFrame] {
  const restoring = state.restoring.length > 0;
  return [
    { ...state, last: event.seq },
    { seq: event.seq, at: timeOf(event), replay, late, restoring },
  ];
}

function frame(
  state: SessionState,
  event: Frame,
  message: Message,
  flags: ReplayFlags,
): SessionState {
  switch (message.kind) {
    case 'notification': {
      if (str(message.params, 'sessionId') !== state.sessionId) return state;
      const isUpdate = message.method === 'session/update';
      const found = isUpdate ? updateOf(message.params) : undefined;
      if (!found && message.method !== 'session/cancel') return state;
      const [draft, place] = drafted(state, event, flags);
      if (!found) note(draft, quiet('Cancel requested'), place);
      else {
        if (place.restoring && makesItem(found.variant))
          for (const restoring of draft.restoring) replayBegins(draft, restoring);
        applyUpdate(draft, found, place);
      }
      return draft;
    }
    case 'request': {
      const isOurs = str(message.params, 'sessionId') === state.sessionId;
      if (!isOurs && !ABOUT_ANY.has(message.method)) return state;
      const [draft, place] = drafted(state, event, flags);
      if (!isOurs) draft.last = state.last;
      ask(draft, event, message, isOurs, place);
      return draft;
    }
    case 'success':
    case 'failure': {
      const key = openKey(otherSide(event.from), message);
      const [asked, ...others] = state.open.get(key) ?? [];
      if (!asked) return state;
      const [draft, place] = drafted(state, event, flags);
      if (!asked.isOurs) draft.last = state.last;
      draft.open = others.length > 0 ? state.open.set(key, others) : state.open.delete(key);
      answer(draft, asked, message, place);
      return draft;
    }
    case 'invalid':
      return state;
  }
}

/** A request that the transport could not hand over: the agent never got it, and answers it never. */
function refused(state: SessionState, event: Transport, flags: ReplayFlags): SessionState {
  const { of, problem = '' } = refusedBy(event) ?? {};
  const asked =
    of &&
    state.open
      .values()
      .flat()
      .find(({ seq }) => seq === of);
  if (!asked) return state;
  const [draft, place] = drafted(state, event, flags);
  const { request, isOurs, item } = asked;
  const key = openKey('client', request);
  const others = state.open.get(key)?.filter(({ seq }) => seq !== of) ?? [];
  draft.open = others.length > 0 ? state.open.set(key, others) : state.open.delete(key);
  draft.restoring = draft.restoring.filter(({ seq }) => seq !== of);
  if (item !== undefined) unprompted(draft, item, { state: 'idle', error: problem }, place);
  if (isOurs) note(draft, failureWords(request.method, problem), place);
  else draft.last = state.last;
  return draft;
}

function openKey(asker: Side, { id }: Request | Success | Failure): string {
  return `${asker} ${idKey(id)}`;
}

function ask(
  draft: Draft,
  event: Frame,
  request: Request,
  isOurs: boolean,
  place: FoldedFrame,
): void {
  const { seq, from } = event;
  const item = isOurs ? asks(draft, request, from, place) : undefined;
  const asked: WaitingRequest = { seq, at: timeOf(event), from, request, isOurs, item };
  const key = openKey(from, request);
  draft.open = draft.open.set(key, [...(draft.open.get(key) ?? []), asked]);
}

/** The key of the item that the request makes, if it makes one. */
function asks(draft: Draft, request: Request, from: Side, place: FoldedFrame): string | undefined {
  const { method, params } = request;
  const { seq } = place;
  if (from === 'client') {
    if (isMethodOf(RESTORES, method))
      draft.restoring = [...draft.restoring, { seq, method, replayed: false }];
    if (method !== 'session/prompt') return undefined;
    draft.turnPlan = undefined;
    draft.prompts++;
    draft.prompted = true;
    if (draft.version === 1) draft.activity = { value: { state: 'running' }, seq };
    return addPrompt(draft, params, place);
  }
  if (!isMethodOf(ASKS, method)) return undefined;
  const tool = askedToolCall(params);
  if (tool) patchTool(draft, tool, place);
  const known = find(draft, `t:${str(tool, 'toolCallId')}`, 'tool');
  const title = askTitle(method, params, known?.item.body.title ?? known?.item.body.name);
  const key = freshKey(draft, seq);
  const { options: offered = [] } = askOf(request);
  const body = { type: 'ask', method, title, options: offered, request: seq } as const;
  add(draft, key, { ...body, answer: undefined }, place);
  return key;
}

function answer(
  draft: Draft,
  asked: WaitingRequest,
  message: Success | Failure,
  place: FoldedFrame,
): void {
  const { request, item, from, isOurs } = asked;
  const { method, params } = request;
  if (draft.restoring.some(({ seq }) => seq === asked.seq))
    return restored(draft, asked, message, place);
  if (from === 'agent') {
    if (item !== undefined) answered(draft, item, answerWords(method, params, message), place);
    if (method.startsWith('terminal/') && message.kind === 'success')
      draft.terminals = terminalAnswered(
        draft.terminals,
        method,
        params,
        message.result,
        place.seq,
      );
    return;
  }
  if (method === 'session/prompt' && item !== undefined) prompted(draft, item, message, place);
  if (message.kind === 'success') succeeded(draft, request, message, place);
  else {
    if (effectOfAnswer(method, message.error) === 'closes')
      lives(draft, 'closed', undefined, place);
    if (isOurs) note(draft, failureWords(method, message), place);
  }
}

function answered(
  draft: Draft,
  key: string,
  words: string,
  place: FoldedFrame,
  never?: true,
): void {
  const found = find(draft, key, 'ask');
  if (!found) return;
  const { body } = found.item;
  change(
    draft,
    found,
    { ...body, answer: { seq: place.seq, words, ...(never && { never }) } },
    place,
  );
}

/** v1: the turn is over. v2: the prompt is inserted, under this id. */
function prompted(draft: Draft, key: string, message: Success | Failure, place: FoldedFrame): void {
  if (message.kind === 'failure')
    return unprompted(draft, key, { state: 'idle', error: errorWords(message.error) }, place);
  const { result } = message;
  settle(draft, key, turnOver(result), place);
  const messageId = str(result, 'messageId');
  if (messageId === undefined || str(result, 'stopReason') !== undefined) {
    if (draft.version === 1) note(draft, turnEnd(result), place);
    return;
  }
  const prompt = find(draft, key, 'message');
  if (!prompt || prompt.item.body.messageId !== undefined) return;
  const name = `m:user:${messageId}`;
  if (find(draft, name, 'message')) return remove(draft, prompt);
  const named = nameAlso(draft, prompt, name);
  change(draft, named, { ...named.item.body, messageId }, place);
}

/** A prompt that came to nothing. */
function unprompted(draft: Draft, key: string, over: Activity, place: FoldedFrame): void {
  settle(draft, key, over, place);
  draft.prompted &&= draft.prompts > 0;
}

function settle(draft: Draft, key: string, over: Activity, { seq }: FoldedFrame): void {
  draft.echoes = settled(draft.echoes, key);
  draft.prompts--;
  if (draft.version === 1 && draft.prompts === 0) draft.activity = { value: over, seq };
}

function turnOver(result: Json): Activity {
  const stopReason = str(result, 'stopReason');
  return { state: 'idle', ...(stopReason === undefined ? {} : { stopReason }) };
}

function succeeded(
  draft: Draft,
  { method, params }: Request,
  { result }: Success,
  place: FoldedFrame,
): void {
  switch (method) {
    case 'initialize':
      draft.version = nearestVersion(protocolVersionIn(result) ?? draft.version);
      return;
    case 'session/list':
      return listed(draft, result, place);
    case 'session/set_mode':
      return mode(draft, str(params, 'modeId'), place);
    case 'session/set_config_option':
      return options(draft, result, place);
    case 'session/set_title': {
      const value = str(result, 'title') ?? str(params, 'title');
      if (value !== undefined) draft.title = { value, seq: place.seq };
      return;
    }
  }
  const effect = effectOf(method);
  switch (effect) {
    case 'makes':
      if (str(result, 'sessionId') !== draft.sessionId) return;
      draft.last = place.seq;
      begin(draft, result, place);
      return lives(draft, 'active', str(params, 'cwd'), place);
    case 'closes':
      lives(draft, 'closed', undefined, place);
      return note(draft, quiet('Session closed'), place);
    case 'deletes':
      lives(draft, 'deleted', undefined, place);
      return note(draft, quiet('Session deleted'), place);
    // Restores are folded with their windows.
    case 'restores':
    case 'none':
      return;
    default:
      assertNever(effect);
  }
}

/** The transport is gone: no answer will come, and what became of a turn nobody knows. */
function ended(draft: Draft, place: FoldedFrame): void {
  const open = draft.open.values().flat();
  open.sort((a, b) => a.seq - b.seq);
  for (const { item } of open)
    if (item !== undefined)
      answered(draft, item, 'Never answered: the agent had ended', place, true);
  draft.open = PersistentMap.empty();
  draft.restoring = [];
  draft.prompts = 0;
  draft.life = { value: 'ended', seq: place.seq };
  if (draft.activity && draft.activity.value.state !== 'idle')
    draft.activity = { value: { state: 'unknown' }, seq: place.seq };
}

/** Requests that wait for an answer, oldest first. */
export function waitingRequests({ open }: SessionState): readonly WaitingRequest[] {
  return open
    .values()
    .flat()
    .filter(({ isOurs }) => isOurs)
    .sort((a, b) => a.seq - b.seq);
}
