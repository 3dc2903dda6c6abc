// What became of one item from one state to another, field by field. Text that grew says by how much:
// so every word knows the frame that brought it.
import type { JsonObject } from '../../acp/message.ts';
import type { ContentPart, ToolPart } from '../sessions/conversation-view.ts';
import { metaFields } from './meta.ts';
import type { Body, Item } from './state.ts';

/** `from`: where in the text the added part begins; before that it is as it was. */
export interface FieldChange {
  readonly op: 'add' | 'remove' | 'replace' | 'append';
  /** `status`, `content[0]`. */
  readonly field: string;
  /** Values that are no text stand as JSON. */
  readonly before?: string;
  readonly after?: string;
  readonly from?: number;
}

/** What the item is called: `agent[m1]`, `tool[t1]`, `note`. */
export function itemName({ first, body }: Item): string {
  switch (body.type) {
    case 'message':
      return `${body.role}[${body.messageId ?? `#${first}`}]`;
    case 'tool':
      return `tool[${body.toolCallId}]`;
    case 'plan':
      return body.planId === undefined ? 'plan' : `plan[${body.planId}]`;
    case 'ask':
      return `ask[#${body.request}]`;
    case 'note':
      return 'note';
  }
}

/** All fields of an item that was not there before are added, but the id that is in its name. */
export function fieldChanges(before: Item | undefined, after: Item): readonly FieldChange[] {
  if (before?.body === after.body) return [];
  const then: Fields =
    before?.body.type === after.body.type ? fieldsOf(before.body) : new Map<string, unknown>();
  const now = fieldsOf(after.body);
  const changes: FieldChange[] = [];
  for (const [field, value] of now) {
    const old: unknown = then.get(field);
    if (old === value) continue;
    const text = words(value);
    if (!before && field === 'messageId') continue;
    if (old === undefined) changes.push({ op: 'add', field, after: text });
    else if (isText(field) && typeof old === 'string' && text.startsWith(old))
      changes.push({ op: 'append', field, after: text.slice(old.length), from: old.length });
    else if (words(old) !== text)
      changes.push({ op: 'replace', field, before: words(old), after: text });
  }
  for (const [field, value] of then)
    if (!now.has(field)) changes.push({ op: 'remove', field, before: words(value) });
  return changes;
}

function words(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Fields whose text grows; a word of the others is another word. */
function isText(field: string): boolean {
  return field.startsWith('content[') || field === 'text';
}

type Fields = Map<string, unknown>;

function fieldsOf(body: Body): Fields {
  const fields: Fields = new Map();
  const set = (field: string, value: unknown) => {
    if (value !== undefined) fields.set(field, value);
  };
  const setMeta = (meta: JsonObject | undefined) => {
    for (const [field, value] of metaFields(meta)) fields.set(field, value);
  };
  switch (body.type) {
    case 'message':
      set('messageId', body.messageId);
      body.parts.forEach((part, i) => set(`content[${i}]`, partValue(part)));
      for (const [field, value] of Object.entries(body.peer ?? {})) set(field, value);
      setMeta(body.meta);
      return fields;
    case 'tool':
      set('title', body.title);
      set('name', body.name);
      set('kind', body.kind);
      set('status', body.status);
      body.locations.forEach(({ path, line }, i) =>
        set(`locations[${i}]`, line === undefined ? path : `${path}:${line}`),
      );
      body.content.forEach((part, i) => set(`content[${i}]`, toolValue(part)));
      set('rawInput', body.rawInput);
      set('rawOutput', body.rawOutput);
      set('capabilities', body.capabilities);
      setMeta(body.meta);
      return fields;
    case 'plan':
      body.entries.forEach(({ content, status }, i) =>
        set(`entries[${i}]`, status === '' ? content : `${content} (${status})`),
      );
      return fields;
    case 'ask':
      set('title', body.title);
      set('answer', body.answer?.words);
      return fields;
    case 'note':
      set('text', body.text);
      setMeta(body.compaction?.meta);
      return fields;
  }
}

function partValue(part: ContentPart): unknown {
  return part.type === 'text' ? part.text : part;
}

function toolValue(part: ToolPart): unknown {
  return part.type === 'content' ? partValue(part.part) : part;
}
