// Tool calls and plans: how an update changes them. v1 creates with `tool_call` and patches with
// `tool_call_update`; v2 knows only the update, which creates what it does not know.
import { arr, get, num, objects, str } from '../acp/json.ts';
import type { JsonObject } from '../acp/message.ts';
import { toolPart } from './content-parts.ts';
import type { ToolBody } from './conversation-items.ts';
import type { PlanItem, ToolItem } from './conversation-view.ts';
import { shallow } from './deep.ts';

export function newTool(toolCallId: string): ToolBody {
  return {
    type: 'tool',
    toolCallId,
    kind: 'other',
    status: 'pending',
    content: [],
    locations: [],
  };
}

/**
 * Applies the fields that stand in the update. Omitted: unchanged. `null`: unchanged in v1, back to
 * the default in v2. Arrays replace. A value of a wrong type changes nothing.
 */
export function patchTool(tool: ToolBody, update: JsonObject, version: 1 | 2): void {
  const cleared = (field: string) => version === 2 && get(update, field) === null;
  const title = str(update, 'title');
  const name = str(update, 'name');
  if (title !== undefined) tool.title = title;
  else if (cleared('title')) delete tool.title;
  if (name !== undefined) tool.name = name;
  else if (cleared('name')) delete tool.name;
  tool.kind = str(update, 'kind') ?? (cleared('kind') ? 'other' : tool.kind);
  tool.status = str(update, 'status') ?? (cleared('status') ? 'pending' : tool.status);
  if (Array.isArray(get(update, 'content')) || cleared('content'))
    tool.content = arr(update, 'content').map(toolPart);
  if (Array.isArray(get(update, 'locations')) || cleared('locations'))
    tool.locations = objects(update, 'locations').flatMap(locationOf);
  const rawOutput = get(update, 'rawOutput');
  if (rawOutput !== undefined && (rawOutput !== null || version === 2))
    tool.rawOutput = shallow(rawOutput);
}

function locationOf(location: JsonObject): ToolItem['locations'] {
  const path = str(location, 'path');
  const line = num(location, 'line');
  if (path === undefined) return [];
  return [line === undefined ? { path } : { path, line }];
}

/**
 * The entries of a plan: v1 `plan` carries them itself, `plan_update` in its `plan`; plans that are
 * a file or Markdown become one entry.
 */
export function planEntries(update: JsonObject): PlanItem['entries'] {
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
