// The fields of an item of a conversation, so that what says the same is the same, whichever version
// and frames said it.
import type { Json } from '../../acp/message.ts';
import { textOf } from '../facts/content-parts.ts';
import type { MessageBody, PlanBody, ToolBody } from '../fold/state.ts';
import type { Terminal } from '../fold/terminals.ts';
import type { ContentPart, ToolPart } from '../sessions/conversation-view.ts';
import { decodeLossy } from '../../lib/utf8.ts';
import { statusInV1 } from './judge.ts';
import type { FieldValue, NormalFields } from './normal-form.ts';

type Named = readonly (readonly [name: string, value: FieldValue | undefined])[];

/** Fields that say nothing are left out. */
function fieldsOf(...named: Named): NormalFields {
  const fields = new Map<string, FieldValue>();
  for (const [name, value] of named) if (value) fields.set(name, value);
  return fields;
}

const text = (said: string | undefined): FieldValue | undefined =>
  said ? { type: 'text', text: said } : undefined;
const word = (said: string | undefined): FieldValue | undefined =>
  said === undefined ? undefined : { type: 'word', word: said };
const json = (value: Json | undefined): FieldValue | undefined =>
  saysNothing(value) ? undefined : { type: 'json', value };

function saysNothing(value: Json | undefined): value is undefined | null {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

export function messageFields({ parts }: Pick<MessageBody, 'parts'>): NormalFields {
  const others = parts.filter((part) => part.type !== 'text');
  return fieldsOf(['text', text(textOf(parts))], ['attachments', json(jsonOf(others))]);
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
): NormalFields {
  const { name, title, kind, status, rawInput, rawOutput, content, locations } = tool;
  const diffs = content.filter((part) => part.type === 'diff' || part.type === 'patch');
  const said = content.flatMap((part) => saidBy(part, version, shownBy));
  return fieldsOf(
    ['status', word(status)],
    ['title', text(title)],
    ['kind', word(kind === 'other' ? undefined : kind)],
    ['name', word(name)],
    ['rawInput', json(rawInput)],
    ['rawOutput', json(rawOutput)],
    ['locations', json(jsonOf(locations))],
    ['content', text(said.join('\n'))],
    ['diffs', json(jsonOf(diffs))],
    ['attachments', json(jsonOf(content.flatMap(attached)))],
    ['terminals', version === 1 ? undefined : json(jsonOf(content.flatMap(terminalIn)))],
  );
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

export function planFields({ entries }: PlanBody): NormalFields {
  return fieldsOf(['entries', json(jsonOf(entries))]);
}

export function terminalFields({
  command,
  cwd,
  exit,
  output,
}: Pick<Terminal, 'command' | 'cwd' | 'exit' | 'output'>): NormalFields {
  return fieldsOf(
    ['command', text(command)],
    ['cwd', text(cwd)],
    ['exit', word(exit)],
    ['output', text(decodeLossy(output.bytes()))],
  );
}

/** Readonly interfaces of plain data are JSON, which their types cannot say. */
function jsonOf(value: unknown): Json {
  return value as Json;
}
