// What the frames so far say of each tool call of a session on one connection: who named it first,
// its status, and what was last said of it.
import { get, isArray, isObject, obj, str } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import type { Version } from '../../acp/methods.ts';
import { isFinal } from '../../acp/update.ts';
import type { Seq } from '../../trace/event.ts';
import { type Session, fact } from '../connection.ts';
import { onRequest, onUpdate } from '../listen.ts';
import type { UpdateStep } from '../steps.ts';
import type { Fold } from '../rule.ts';

export interface ToolCall {
  readonly id: string;
  /** The frame that named it first: an update or a permission request. */
  readonly first: Seq;
  /** v1: its `tool_call`; v2: its first update, or the permission request that brought it. */
  created: Seq | undefined;
  /** v1: its last `tool_call`, since a replay tells it anew. */
  begun: Seq | undefined;
  /** Undefined: nothing was said, which is `pending`. */
  status: string | undefined;
  /** Where it got the final status that it has; undefined: it has none. */
  final: Seq | undefined;
  title: string | undefined;
  name: string | undefined;
  kind: string | undefined;
  /** A list with something in it was given; undefined: none, or it was emptied. */
  content: true | undefined;
  locations: true | undefined;
  /** The frames that last gave them a value that is not empty; undefined: none, or it was emptied. */
  rawInput: Seq | undefined;
  rawOutput: Seq | undefined;
  /** An update has the output of a terminal in `_meta`, an extension of some agents. */
  extended: boolean;
  /** v2: the client may cancel it, as last advertised. */
  cancel: boolean;
  /** What was said last of it was history replay. */
  replayed: boolean;
}

/** Tool calls of a session by id, in the order they were named. */
export const toolCalls = fact<Session, Map<string, ToolCall>>(() => new Map());

/** Whether capabilities of a tool call or a terminal let the client cancel it. */
export function offersCancel(capabilities: Json | undefined): boolean {
  return isObject(get(capabilities, 'cancel'));
}

/** The tool call that a permission request is about, as an update of it. */
export function permissionToolCall(
  params: Json | undefined,
  version: Version | undefined,
): JsonObject | undefined {
  if (version === 1) return obj(params, 'toolCall');
  const subject = obj(params, 'subject');
  return str(subject, 'type') === 'tool_call' ? obj(subject, 'toolCall') : undefined;
}

export const toolFold: Fold = [
  onUpdate(['tool_call'], (step) => {
    const call = named(step.session, step.itemId, step.seq);
    if (call === undefined) return;
    call.created ??= step.seq;
    call.begun = step.seq;
    call.status = undefined;
    call.final = undefined;
    call.rawInput = undefined;
    call.rawOutput = undefined;
    patch(call, step.update, step.seq, 1);
    call.replayed = isReplay(step);
  }),
  onUpdate(['tool_call_update', 'tool_call_content_chunk'], (step, { version }) => {
    const call = named(step.session, step.itemId, step.seq);
    if (call === undefined) return;
    if (version === 2) call.created ??= step.seq;
    if (step.variant === 'tool_call_update') patch(call, step.update, step.seq, version);
    call.replayed = isReplay(step);
  }),
  onRequest(['session/request_permission'], ({ session, params, seq }, { version }) => {
    const update = permissionToolCall(params, version);
    if (session === undefined || update === undefined) return;
    const call = named(session, str(update, 'toolCallId'), seq);
    if (call === undefined) return;
    if (version === 2) call.created ??= seq;
    patch(call, update, seq, version);
  }),
];

/** History that is told again says nothing of what a tool call does now. */
export function isReplay({ replay, late }: Pick<UpdateStep, 'replay' | 'late'>): boolean {
  return replay || late;
}

function named(session: Session, id: string | undefined, seq: Seq): ToolCall | undefined {
  if (id === undefined) return undefined;
  const calls = toolCalls.of(session);
  const known = calls.get(id);
  if (known !== undefined) return known;
  const made: ToolCall = {
    id,
    first: seq,
    created: undefined,
    begun: undefined,
    status: undefined,
    final: undefined,
    title: undefined,
    name: undefined,
    kind: undefined,
    content: undefined,
    locations: undefined,
    rawInput: undefined,
    rawOutput: undefined,
    extended: false,
    cancel: false,
    replayed: false,
  };
  calls.set(id, made);
  return made;
}

/** True for a text, list or object with nothing in it. */
export function isEmpty(value: Json | undefined): boolean {
  if (value === '' || (isArray(value) && value.length === 0)) return true;
  return isObject(value) && Object.keys(value).length === 0;
}

/** What is left out stays as it is; null clears in v2 and says nothing in v1. */
function patch(call: ToolCall, update: JsonObject, seq: Seq, version: Version | undefined): void {
  const meta = get(update, '_meta');
  if (isObject(meta))
    call.extended ||= Object.keys(meta).some((key) => key.startsWith('terminal_'));
  for (const key of ['title', 'name', 'kind'] as const) {
    const value = get(update, key);
    if (typeof value === 'string') call[key] = value;
    else if (value === null && version === 2) call[key] = undefined;
  }
  for (const key of ['content', 'locations'] as const) {
    const value = get(update, key);
    if (isArray(value)) call[key] = value.length > 0 ? true : undefined;
    else if (value === null && version === 2) call[key] = undefined;
  }
  for (const key of ['rawInput', 'rawOutput'] as const) {
    const value = get(update, key);
    if (value === undefined || (value === null && version !== 2)) continue;
    call[key] = value === null || isEmpty(value) ? undefined : seq;
  }
  const status = get(update, 'status');
  if (typeof status === 'string' || (status === null && version === 2)) {
    const was = call.status;
    call.status = status ?? undefined;
    if (!isFinal(call.status)) call.final = undefined;
    else if (call.final === undefined || was !== call.status) call.final = seq;
  }
  const capabilities = get(update, 'capabilities');
  if (capabilities !== undefined) call.cancel = offersCancel(capabilities);
}
