// What one frame changed in the state of a session, as a patch in the words of that state.
import type { JsonObject } from '../../acp/message.ts';
import { itemNamed } from './items.ts';
import { metaFields } from './meta.ts';
import { waitingRequests } from './reduce.ts';
import { sessionFacts } from './session-facts.ts';
import type { SessionState, ItemBody, Item } from './state.ts';
import type { Terminal } from './terminals.ts';
import type { ContentPart, ToolPart } from '../sessions/conversation-view.ts';
import { idWords } from '../timeline/digest.ts';
import type { Seq } from '../../trace/event.ts';

export interface PatchLine {
  readonly op: 'add' | 'remove' | 'replace' | 'append';
  /** `agent[m1].content[0]`, `mode`, `pending[←0]`, `terminal[t].output`. */
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
  /** The item whose field it is, and where in its text an added part begins. */
  readonly item?: string;
  readonly field?: string;
  readonly from?: number;
}

/** More lines than anybody reads are counted. */
const MOST = 100;

/** Nothing: the frame says what was so already, or is not about this session. */
export function patchOf(before: SessionState, after: SessionState): readonly PatchLine[] {
  if (before === after) return [];
  const changes = [
    ...pendingChanges(before, after),
    ...itemChanges(before, after),
    ...terminalChanges(before, after),
    ...factChanges(before, after),
  ];
  if (changes.length <= MOST) return changes;
  const more = changes.length - MOST;
  return [...changes.slice(0, MOST), { op: 'replace', path: `and ${more} more` }];
}

/** Keys of the items that the frame made or spoke of. */
export function touchedItems(before: SessionState, after: SessionState): readonly string[] {
  return after.items.changedSince(before.items).flatMap((at) => {
    const item = after.items.get(at);
    return item && item !== itemNamed(before, item.key) ? [item.key] : [];
  });
}

function itemChanges(before: SessionState, after: SessionState): PatchLine[] {
  const changes: PatchLine[] = [];
  const gone = before.items
    .changedSince(after.items)
    .flatMap((at) => before.items.get(at) ?? [])
    .filter((item) => after.places.get(item.key) === undefined);
  if (gone.length > 3) changes.push({ op: 'remove', path: `conversation, ${gone.length} items` });
  else changes.push(...gone.map((item): PatchLine => ({ op: 'remove', path: itemName(item) })));
  for (const at of after.items.changedSince(before.items)) {
    const item = after.items.get(at);
    if (!item) continue;
    const then = itemNamed(before, item.key);
    const name = itemName(item);
    if (!then) changes.push({ op: 'add', path: name, item: item.key });
    for (const { field, ...change } of fieldChanges(then, item))
      changes.push({ ...change, path: `${name}.${field}`, item: item.key, field });
  }
  return changes;
}

function pendingChanges(before: SessionState, after: SessionState): PatchLine[] {
  if (before.open === after.open) return [];
  const then = waitingRequests(before);
  const now = waitingRequests(after);
  const path = ({ from, request }: (typeof now)[number]) =>
    `pending[${idWords(from, request.id.token)}]`;
  const added = now.filter(({ seq }) => !then.some((other) => other.seq === seq));
  const gone = then.filter(({ seq }) => !now.some((other) => other.seq === seq));
  return [
    ...added.map((asked): PatchLine => ({
      op: 'add',
      path: path(asked),
      after: asked.request.method,
    })),
    ...gone.map((asked): PatchLine => ({
      op: 'remove',
      path: path(asked),
      before: asked.request.method,
    })),
  ];
}

function terminalChanges(before: SessionState, after: SessionState): PatchLine[] {
  return after.terminals.list
    .changedSince(before.terminals.list)
    .flatMap((at) => terminalChange(before.terminals.list.get(at), after.terminals.list.get(at)));
}

function terminalChange(before: Terminal | undefined, after: Terminal | undefined): PatchLine[] {
  if (!after) return [];
  const name = `terminal[${after.terminalId}]`;
  const changes: PatchLine[] = before ? [] : [{ op: 'add', path: name }];
  for (const field of ['command', 'cwd', 'exit', 'size'] as const)
    changes.push(...valueChange(`${name}.${field}`, before?.[field], after[field]));
  const json = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value));
  const can = `${name}.capabilities`;
  changes.push(...valueChange(can, json(before?.capabilities), json(after.capabilities)));
  const then = new Map(metaFields(before?.meta));
  const now = new Map(metaFields(after.meta));
  for (const field of new Set([...then.keys(), ...now.keys()]))
    changes.push(...valueChange(`${name}.${field}`, then.get(field), now.get(field)));
  const was = before?.output.total ?? 0;
  const { total } = after.output;
  if (before?.output !== after.output && total !== was)
    changes.push(
      total > was
        ? { op: 'append', path: `${name}.output`, after: `${total - was} bytes` }
        : { op: 'replace', path: `${name}.output`, after: `${total} bytes` },
    );
  return changes;
}

function factChanges(before: SessionState, after: SessionState): PatchLine[] {
  const then = new Map(sessionFacts(before).map(({ path, value }) => [path, value]));
  const now = new Map(sessionFacts(after).map(({ path, value }) => [path, value]));
  const paths = new Set([...then.keys(), ...now.keys()]);
  return [...paths].flatMap((path) => valueChange(path, then.get(path), now.get(path)));
}

function valueChange(
  path: string,
  before: string | undefined,
  after: string | undefined,
): PatchLine[] {
  if (before === after) return [];
  if (after === undefined) return [{ op: 'remove', path, ...(before !== undefined && { before }) }];
  if (before === undefined) return [{ op: 'add', path, after }];
  return [{ op: 'replace', path, before, after }];
}

/** A place in the text of an item, and the frame that brought what begins there. */
export interface TextOrigin {
  readonly field: string;
  readonly from: number;
  readonly seq: Seq;
}

/** Follows one item frame by frame, to tell which frame each part of its text came with. */
export class Provenance {
  readonly #key: string;
  readonly #spans = new Map<string, TextOrigin[]>();

  constructor(key: string) {
    this.#key = key;
  }

  see(before: SessionState, after: SessionState, seq: Seq): void {
    const then = itemNamed(before, this.#key);
    const now = itemNamed(after, this.#key);
    if (then === now || !now) return;
    for (const { op, field, from } of fieldChanges(then, now)) {
      const begun = { field, from: from ?? 0, seq };
      if (op === 'append') this.#spans.set(field, [...(this.#spans.get(field) ?? []), begun]);
      else if (op === 'remove') this.#spans.delete(field);
      else this.#spans.set(field, [begun]);
    }
  }

  spans(): readonly TextOrigin[] {
    return [...this.#spans.values()].flat();
  }
}

// What became of one item from one state to another, field by field. Text that grew says by how much:
// so every word knows the frame that brought it.

/** `from`: where in the text the added part begins; before that it is as it was. */
interface FieldChange {
  readonly op: 'add' | 'remove' | 'replace' | 'append';
  /** `status`, `content[0]`. */
  readonly field: string;
  /** Values that are no text stand as JSON. */
  readonly before?: string;
  readonly after?: string;
  readonly from?: number;
}

/** What the item is called: `agent[m1]`, `tool[t1]`, `note`. */
function itemName({ first, body }: Item): string {
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
function fieldChanges(before: Item | undefined, after: Item): readonly FieldChange[] {
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

function fieldsOf(body: ItemBody): Fields {
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
