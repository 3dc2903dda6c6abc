// Tool calls and plans: how an update changes them. v1 creates with `tool_call` and patches with
// `tool_call_update`; v2 knows only the update, which creates what it does not know.
import { arr, get, num, obj, objects, str } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { toolPart, withPart } from '../facts/content-parts.ts';
import type { PlanItem, ToolItem, ToolPart } from '../sessions/conversation-view.ts';
import { shallow } from '../facts/deep.ts';
import { add, change, find, freshKey, remove } from './items.ts';
import { patchedMeta } from './meta.ts';
import type { Draft, FoldedFrame, ToolBody } from './state.ts';

/** Applies a tool call as an update, a permission or a `tool_call` carries it. */
export function patchTool(draft: Draft, update: JsonObject, place: FoldedFrame): void {
  const toolCallId = str(update, 'toolCallId');
  if (toolCallId === undefined) return;
  const known = find(draft, `t:${toolCallId}`, 'tool');
  const body = patched(known?.item.body ?? newTool(toolCallId), update, draft.version);
  count(draft, known?.item.body.status, body.status);
  if (known) change(draft, known, body, place);
  else add(draft, `t:${toolCallId}`, body, place);
}

/** One tool call has become of this status; `before`: absent for a new one. */
function count(draft: Draft, before: string | undefined, now: string): void {
  if (before === now) return;
  const isKnown = draft.toolCounts.some(([status]) => status === now);
  const counts = isKnown ? draft.toolCounts : [...draft.toolCounts, [now, 0] as const];
  draft.toolCounts = counts
    .map(([status, n]) => [status, n + Number(status === now) - Number(status === before)] as const)
    .filter(([, n]) => n > 0);
}

function withChunk(tool: ToolBody, update: JsonObject): ToolBody {
  const piece = get(update, 'content');
  return piece === undefined
    ? tool
    : { ...tool, content: withPiece(tool.content, toolPart(piece)) };
}

/** v2: one more piece of content. */
export function toolChunk(draft: Draft, update: JsonObject, place: FoldedFrame): void {
  const toolCallId = str(update, 'toolCallId');
  if (toolCallId === undefined) return;
  const known = find(draft, `t:${toolCallId}`, 'tool');
  const body = withChunk(known?.item.body ?? newTool(toolCallId), update);
  if (!known) count(draft, undefined, body.status);
  if (known) change(draft, known, body, place);
  else add(draft, `t:${toolCallId}`, body, place);
}

/** Text goes on where the last text ended. */
function withPiece(content: readonly ToolPart[], piece: ToolPart): readonly ToolPart[] {
  const last = content.at(-1);
  if (piece.type !== 'content' || last?.type !== 'content') return [...content, piece];
  const joined = withPart([last.part], piece.part);
  return [...content.slice(0, -1), ...joined.map((part) => ({ ...piece, part }))];
}

function newTool(toolCallId: string): ToolBody {
  return {
    type: 'tool',
    toolCallId,
    name: undefined,
    title: undefined,
    kind: 'other',
    status: 'pending',
    content: [],
    rawInput: undefined,
    rawOutput: undefined,
    locations: [],
    capabilities: undefined,
    meta: undefined,
  };
}

/**
 * The fields that stand in the update. Omitted: unchanged. `null`: unchanged in v1, back to the
 * default in v2. Arrays replace. A value of a wrong type changes nothing.
 */
function patched(tool: ToolBody, update: JsonObject, version: 1 | 2): ToolBody {
  const cleared = (field: string) => version === 2 && get(update, field) === null;
  const list = (field: string) => Array.isArray(get(update, field)) || cleared(field);
  const raw = (field: string, before: Json | undefined) => {
    const value = get(update, field);
    return value === undefined || (value === null && version === 1) ? before : shallow(value);
  };
  return {
    type: 'tool',
    toolCallId: tool.toolCallId,
    name: str(update, 'name') ?? (cleared('name') ? undefined : tool.name),
    title: str(update, 'title') ?? (cleared('title') ? undefined : tool.title),
    kind: str(update, 'kind') ?? (cleared('kind') ? 'other' : tool.kind),
    status: str(update, 'status') ?? (cleared('status') ? 'pending' : tool.status),
    content: list('content') ? arr(update, 'content').map(toolPart) : tool.content,
    rawInput: raw('rawInput', tool.rawInput),
    rawOutput: raw('rawOutput', tool.rawOutput),
    locations: list('locations')
      ? objects(update, 'locations').flatMap(locationOf)
      : tool.locations,
    capabilities: cleared('capabilities') ? undefined : toldCapabilities(update, tool.capabilities),
    meta: version === 1 ? tool.meta : patchedMeta(tool.meta, update, version),
  };
}

/** v2: replaced whole. */
function toldCapabilities(update: JsonObject, before: Json | undefined): Json | undefined {
  const said = obj(update, 'capabilities');
  return said === undefined ? before : shallow(said);
}

function locationOf(location: JsonObject): ToolItem['locations'] {
  const path = str(location, 'path');
  const line = num(location, 'line');
  if (path === undefined) return [];
  return [line === undefined ? { path } : { path, line }];
}

/** v1: replaces the plan of this turn. */
export function wholePlan(draft: Draft, update: JsonObject, place: FoldedFrame): void {
  const body = { type: 'plan' as const, planId: undefined, entries: planEntries(update) };
  const known = draft.turnPlan === undefined ? undefined : find(draft, draft.turnPlan, 'plan');
  if (known) return change(draft, known, body, place);
  const key = freshKey(draft, place.seq);
  add(draft, key, body, place);
  draft.turnPlan = key;
  draft.plans = [key];
}

export function planById(draft: Draft, update: JsonObject, place: FoldedFrame): void {
  const planId = str(get(update, 'plan'), 'planId');
  const key = `p:${planId}`;
  const body = { type: 'plan' as const, planId, entries: planEntries(update) };
  const known = find(draft, key, 'plan');
  if (known) return change(draft, known, body, place);
  add(draft, key, body, place);
  draft.plans = [...draft.plans, key];
}

export function planRemoved(draft: Draft, update: JsonObject): void {
  const key = `p:${str(update, 'planId')}`;
  const known = find(draft, key, 'plan');
  if (!known) return;
  remove(draft, known);
  draft.plans = draft.plans.filter((other) => other !== key);
}

/**
 * The entries of a plan: v1 `plan` carries them itself, `plan_update` in its `plan`; plans that are a
 * file or Markdown become one entry.
 */
function planEntries(update: JsonObject): PlanItem['entries'] {
  const plan = get(update, 'plan') ?? update;
  const text = str(plan, 'content') ?? str(plan, 'uri');
  if (!Array.isArray(get(plan, 'entries')) && text !== undefined)
    return [{ content: text, status: '' }];
  return objects(plan, 'entries').map((entry) => {
    const priority = str(entry, 'priority');
    const content = str(entry, 'content') ?? '';
    const status = str(entry, 'status') ?? 'pending';
    return { content, status, ...(priority === undefined ? {} : { priority }) };
  });
}
