// Content blocks in one line: the text, and a count of what is not text.
import { get, isObject, num, obj, str } from '../../acp/json.ts';
import type { Json, Request } from '../../acp/message.ts';
import { baseName, facts, oneLine, quoted } from '../words.ts';
import type { ToolName } from '../facts/sessions.ts';

/** What a line needs to know beside its own event. */
export interface SummaryContext {
  /** A result's request: results do not say what they answer. */
  readonly request?: Request | undefined;
  /** An answer to no open request. */
  readonly orphan?: boolean;
  /** A request under an id that was still waiting for an answer. */
  readonly reusedId?: boolean;
  /** The version the connection speaks. */
  readonly version?: number | undefined;
  /** What a tool call of the same session was last said to be. */
  readonly toolOf?: (toolCallId: string) => ToolName | undefined;
}

/** A block, or an array of blocks. Empty where nothing is in them. */
export function contentWords(content: Json | undefined): string {
  if (!Array.isArray(content)) return blockWords(content);
  let text = '';
  const others: string[] = [];
  for (const block of content as readonly Json[]) {
    const said = textOfBlock(block);
    if (said !== undefined) text += text === '' ? said : ` ${said}`;
    else if (others.length < 4) others.push(blockWords(block));
    if (text.length > 1000) break;
  }
  return facts(quoted(text), ...others);
}

/** The text a block holds, as it is. */
function textOfBlock(block: Json | undefined): string | undefined {
  return str(block, 'type') === 'text' ? str(block, 'text') : undefined;
}

function blockWords(block: Json | undefined): string {
  const type = str(block, 'type');
  switch (type) {
    case 'text':
      return quoted(str(block, 'text') ?? '');
    case 'image':
    case 'audio':
      return `${type} ${oneLine(str(block, 'mimeType') ?? '')}`.trim();
    case 'resource_link':
      return `link to ${oneLine(str(block, 'name') ?? baseName(str(block, 'uri') ?? ''))}`;
    case 'resource':
      return `resource ${baseName(str(get(block, 'resource'), 'uri') ?? '')}`;
    default:
      return isObject(block) ? `${oneLine(type ?? 'content without a type', 40)}` : '';
  }
}

/** What a tool call shows: `1 diff`, `a terminal`; text is left to the detail. */
export function toolContentWords(content: Json | undefined): string {
  if (!Array.isArray(content)) return '';
  let diffs = 0;
  let terminals = 0;
  for (const item of content as readonly Json[]) {
    const type = str(item, 'type');
    if (type === 'diff') diffs++;
    else if (type === 'terminal') terminals++;
  }
  return facts(
    diffs > 0 && (diffs === 1 ? '1 diff' : `${diffs} diffs`),
    terminals > 0 && 'terminal',
  );
}

/** `exit 0`, `ended by SIGTERM`; undefined while it runs. */
export function exitStatusWords(status: Json | undefined): string | undefined {
  const code = num(status, 'exitCode');
  const signal = str(status, 'signal');
  if (signal !== undefined) return `ended by ${oneLine(signal, 40)}`;
  if (code !== undefined) return `exit ${code}`;
  return obj(status, 'exitStatus') === undefined ? undefined : 'ended';
}
