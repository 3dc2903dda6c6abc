// Content blocks and tool content as the conversation draws them, read without trust: what is no
// known block keeps its JSON.
import { get, isObject, objects, str } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import type { ContentPart, ToolPart } from '../sessions/conversation-view.ts';
import { defined } from '../../lib/defined.ts';
import { shallow } from './deep.ts';

export function contentPart(block: Json | undefined): ContentPart {
  const type = str(block, 'type');
  switch (type) {
    case 'text': {
      const text = str(block, 'text');
      if (text !== undefined) return { type, text };
      break;
    }
    case 'image':
    case 'audio': {
      const data = str(block, 'data');
      if (data !== undefined) return { type, data, mimeType: str(block, 'mimeType') ?? '' };
      break;
    }
    case 'resource_link': {
      const uri = str(block, 'uri');
      if (uri !== undefined) return { type: 'link', uri, name: str(block, 'name') ?? uri };
      break;
    }
    case 'resource': {
      const resource = get(block, 'resource');
      const uri = str(resource, 'uri');
      const text = str(resource, 'text');
      const mimeType = str(resource, 'mimeType');
      const data = str(resource, 'blob');
      if (uri !== undefined) return { type, uri, ...defined({ text, mimeType, data }) };
      break;
    }
  }
  return { type: 'other', name: type ?? 'not a content block', value: shallow(block ?? null) };
}

/** The blocks of a content array; a single block counts as an array of one. */
export function contentParts(content: Json | undefined): ContentPart[] {
  if (Array.isArray(content)) return content.map(contentPart);
  return isObject(content) ? [contentPart(content)] : [];
}

/** With one streamed block more. Text goes on where the last text ended: chunks split anywhere. */
export function withPart(parts: readonly ContentPart[], part: ContentPart): readonly ContentPart[] {
  const last = parts[parts.length - 1];
  if (part.type !== 'text' || last?.type !== 'text') return [...parts, part];
  const joined: ContentPart = { type: 'text', text: last.text + part.text };
  return parts.length === 1 ? [joined] : [...parts.slice(0, -1), joined];
}

/** What the parts say, without what is not text. */
export function textOf(parts: readonly ContentPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** The text of a message, or of a piece of it, that an update tells. */
export function updateText(update: JsonObject): string {
  return textOf(contentParts(get(update, 'content')));
}

export function toolPart(item: Json): ToolPart {
  switch (str(item, 'type')) {
    case 'content': {
      const content = get(item, 'content');
      if (content !== undefined) return { type: 'content', part: contentPart(content) };
      break;
    }
    case 'diff':
      return diffPart(item);
    case 'terminal': {
      const terminalId = str(item, 'terminalId');
      if (terminalId !== undefined) return { type: 'terminal', terminalId };
      break;
    }
  }
  return { type: 'other', value: shallow(item) };
}

/** v1 sends both texts of one file; v2 a list of changes and perhaps a git patch. */
function diffPart(item: Json): ToolPart {
  const path = str(item, 'path');
  const newText = str(item, 'newText');
  if (path !== undefined && newText !== undefined) {
    const oldText = str(item, 'oldText');
    return { type: 'diff', path, newText, ...(oldText === undefined ? {} : { oldText }) };
  }
  const paths = objects(item, 'changes').flatMap((change) => {
    const to = str(change, 'path');
    const from = str(change, 'oldPath');
    if (to === undefined) return [];
    return [from === undefined ? to : `${from} → ${to}`];
  });
  const text = str(get(item, 'patch'), 'text') ?? '';
  if (paths.length > 0 || text !== '') return { type: 'patch', paths, text };
  return { type: 'other', value: shallow(item) };
}
