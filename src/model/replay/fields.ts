// The fields of an item of a conversation, so that what says the same is the same, whichever version
// and frames said it.
import type { Json } from '../../acp/message.ts';
import { textOf } from '../facts/content-parts.ts';
import type { MessageBody, PlanBody, ToolBody } from '../fold/state.ts';
import type { Terminal } from '../fold/terminals.ts';
import type { ContentPart, ToolPart } from '../sessions/conversation-view.ts';
import { decodeLossy } from '../../lib/utf8.ts';
import { statusInV1 } from './judge.ts';
import type { FieldValue, Fields } from './normal-form.ts';

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

export function messageFields({ parts }: Pick<MessageBody, 'parts'>): Fields {
  const others = parts.filter((part) => part.type !== 'text');
  return new FieldMap().text('text', textOf(parts)).json('attachments', jsonOf(others)).fields;
}

/** v1 has fewer words for how it stands. */
export function toolInV1(tool: ToolBody): ToolBody {
  return { ...tool, status: statusInV1(tool.status) };
}

/** `shownBy`: what a terminal of the client showed. */
export function toolFields(
  tool: ToolBody,
  version: 1 | 2,
  shownBy: (terminalId: string) => string | undefined,
): Fields {
  const { name, title, kind, status, rawInput, rawOutput, content, locations } = tool;
  return new FieldMap()
    .word('status', status)
    .text('title', title)
    .word('kind', kind === 'other' ? undefined : kind)
    .word('name', name)
    .json('rawInput', rawInput)
    .json('rawOutput', rawOutput)
    .json('locations', jsonOf(locations))
    .text('content', content.flatMap((part) => saidBy(part, version, shownBy)).join('\n'))
    .json('diffs', jsonOf(content.filter((part) => part.type === 'diff' || part.type === 'patch')))
    .json('attachments', jsonOf(content.flatMap(attached)))
    .json('terminals', version === 1 ? undefined : jsonOf(content.flatMap(terminalIn))).fields;
}

/** v1 knows only terminals of the client: what one showed is what the tool call said. */
function saidBy(
  part: ToolPart,
  version: 1 | 2,
  shownBy: (terminalId: string) => string | undefined,
): string[] {
  if (part.type === 'content') return part.part.type === 'text' ? [part.part.text] : [];
  const shown = part.type === 'terminal' && version === 1 ? shownBy(part.terminalId) : undefined;
  return shown === undefined ? [] : [plainText(shown)];
}

/** Colours and the ends of lines are the terminal's, not what was said. */
function plainText(output: string): string {
  return output.replace(TERMINAL_CODES, '').replaceAll('\r\n', '\n');
}

const TERMINAL_CODES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)/g;

function attached(part: ToolPart): (ContentPart | ToolPart)[] {
  if (part.type === 'other') return [part];
  return part.type === 'content' && part.part.type !== 'text' ? [part.part] : [];
}

function terminalIn(part: ToolPart): string[] {
  return part.type === 'terminal' ? [part.terminalId] : [];
}

export function planFields({ entries }: PlanBody): Fields {
  return new FieldMap().json('entries', jsonOf(entries)).fields;
}

export function terminalFields({
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
