// From a folded state to the normal form: what says the same becomes the same.
import type { Json } from '../acp/message.ts';
import { textOf } from '../model/content-parts.ts';
import type { ContentPart, ToolPart } from '../model/conversation-view.ts';
import type { Item, MessageBody, PlanBody, SessionState, ToolBody } from '../model/fold/state.ts';
import type { Terminal } from '../model/fold/terminals.ts';
import { optionWords } from '../model/fold/settings.ts';
import { count } from '../lib/format-count.ts';
import { decodeLossy } from '../lib/utf8.ts';
import type { FieldValue, Fields, ItemKind, NormalFact, NormalItem } from './normal-form.ts';
import type { Numbering } from './numbering.ts';

/** An item before it is numbered into turns. */
interface Loose {
  readonly kind: ItemKind;
  readonly id: string | undefined;
  readonly first: number;
  readonly last: number;
  readonly frames: number;
  readonly late: boolean;
  readonly fields: Fields;
}

/** An item, and the numbers of its first and last frame. */
export interface Numbered extends NormalItem {
  readonly from: number;
  readonly to: number;
}

/**
 * Items in the order they began. Messages that say nothing and have no id are none. `baselines`: how
 * many frames only emptied the message of this key, and are no chunks of it.
 */
export function itemsOf(
  state: SessionState,
  numbering: Numbering,
  baselines: ReadonlyMap<string, number> = new Map(),
): Numbered[] {
  const { items, terminals, version } = state;
  const loose = items
    .slice(0, items.length)
    .flatMap((item) => looseOf(item, state, baselines.get(item.key) ?? 0));
  // Terminals of v1 are the client's own.
  if (version === 2) loose.push(...terminals.list.slice(0, terminals.list.length).map(terminalOf));
  let turn = 0;
  return loose
    .filter(({ fields, id }) => fields.size > 0 || id !== undefined)
    .map((item, at) => ({ item, at }))
    .sort((a, b) => a.item.first - b.item.first || a.at - b.at)
    .map(({ item: { first, last, ...item } }) => {
      if (item.kind === 'user') turn++;
      const frames = { first: numbering.frame(first), last: numbering.frame(last) };
      return { ...item, ...frames, turn, from: first, to: last };
    });
}

function looseOf(
  { first, last, frames, late, body }: Item,
  state: SessionState,
  emptied: number,
): Loose[] {
  const base = { first, last, frames: Math.max(1, frames - emptied), late };
  switch (body.type) {
    case 'message':
      return [{ ...base, kind: body.role, id: body.messageId, fields: messageFields(body) }];
    case 'tool':
      return [{ ...base, kind: 'tool', id: body.toolCallId, fields: toolFields(body, state) }];
    case 'plan':
      return [{ ...base, kind: 'plan', id: body.planId, fields: planFields(body) }];
    case 'ask':
    case 'note':
      return [];
  }
}

function terminalOf({ terminalId, first, last, ...terminal }: Terminal): Loose {
  const fields = terminalFields(terminal);
  return { kind: 'terminal', id: terminalId, first, last, frames: 1, late: false, fields };
}

class FieldMap {
  readonly fields = new Map<string, FieldValue>();

  text(name: string, text: string | undefined): this {
    if (text !== undefined && text !== '') this.fields.set(name, { type: 'text', text });
    return this;
  }
  word(name: string, word: string | undefined): this {
    if (word !== undefined) this.fields.set(name, { type: 'word', word });
    return this;
  }
  json(name: string, value: Json | undefined): this {
    if (!saysNothing(value)) this.fields.set(name, { type: 'json', value });
    return this;
  }
}

function saysNothing(value: Json | undefined): value is undefined | null {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function messageFields({ parts }: MessageBody): Fields {
  const others = parts.filter((part) => part.type !== 'text');
  return new FieldMap().text('text', textOf(parts)).json('attachments', jsonOf(others)).fields;
}

function toolFields(tool: ToolBody, state: SessionState): Fields {
  const { name, title, kind, status, rawInput, rawOutput, content, locations } = tool;
  return new FieldMap()
    .word('status', status)
    .text('title', title)
    .word('kind', kind === 'other' ? undefined : kind)
    .word('name', name)
    .json('rawInput', rawInput)
    .json('rawOutput', rawOutput)
    .json('locations', jsonOf(locations))
    .text('content', content.flatMap((part) => saidBy(part, state)).join('\n'))
    .json('diffs', jsonOf(content.filter((part) => part.type === 'diff' || part.type === 'patch')))
    .json('attachments', jsonOf(content.flatMap(attached)))
    .json('terminals', state.version === 1 ? undefined : jsonOf(content.flatMap(terminalIn)))
    .fields;
}

/** A terminal of v1 is the client's: what it showed is what the tool call said. */
function saidBy(part: ToolPart, { version, terminals, sessionId }: SessionState): string[] {
  if (part.type === 'content') return part.part.type === 'text' ? [part.part.text] : [];
  if (part.type !== 'terminal' || version !== 1) return [];
  const at = terminals.places.get(JSON.stringify([sessionId, part.terminalId]));
  const terminal = at === undefined ? undefined : terminals.list.get(at);
  return terminal ? [decodeLossy(terminal.output.bytes())] : [];
}

function attached(part: ToolPart): (ContentPart | ToolPart)[] {
  if (part.type === 'other') return [part];
  return part.type === 'content' && part.part.type !== 'text' ? [part.part] : [];
}

function terminalIn(part: ToolPart): string[] {
  return part.type === 'terminal' ? [part.terminalId] : [];
}

function planFields({ entries }: PlanBody): Fields {
  return new FieldMap().json('entries', jsonOf(entries)).fields;
}

function terminalFields({
  command,
  cwd,
  exit,
  output,
}: Pick<Terminal, 'command' | 'cwd' | 'exit' | 'output'>): Fields {
  return new FieldMap()
    .text('command', command)
    .text('cwd', cwd)
    .word('exit', exit)
    .text('output', decodeLossy(output.bytes())).fields;
}

/** Readonly interfaces of plain data are JSON, which their types cannot say. */
function jsonOf(value: unknown): Json {
  return value as Json;
}

/** What the session is set to. The state of v2 is no setting, but each restore must tell it. */
export function factsOf(state: SessionState, numbering: Numbering): NormalFact[] {
  const { modes, config, commands, title, activity, version } = state;
  const facts: NormalFact[] = [];
  const frame = (number: number) => numbering.frame(number);
  if (modes) {
    const { current, available } = modes.value;
    const words = available.find(({ id }) => id === current)?.name ?? current;
    facts.push({ kind: 'mode', name: 'mode', words, value: current, frame: frame(modes.seq) });
  }
  for (const { value, seq } of config) {
    const words = optionWords(value) ?? value.name;
    facts.push({ kind: 'config', name: value.id, words, value: value.value, frame: frame(seq) });
  }
  if (commands) {
    const value = commands.value.map(({ name }) => name);
    const words = count(value.length, 'command');
    facts.push({ kind: 'commands', name: 'commands', words, value, frame: frame(commands.seq) });
  }
  if (title) {
    const { value, seq } = title;
    facts.push({ kind: 'title', name: 'title', words: value, value, frame: frame(seq) });
  }
  if (version === 2 && activity) {
    const { state: words } = activity.value;
    facts.push({ kind: 'state', name: 'state', words, value: words, frame: frame(activity.seq) });
  }
  return facts;
}
