// What is kept of a session: a file of JSON lines, a head and then one entry a line, appended as
// things happen. An update stands in it as the agent wrote it, byte for byte.
import { isObject, num, obj, parseJson, str } from '../../acp/json.ts';
import type { Version } from '../../acp/methods.ts';
import { assertNever } from '../../lib/assert-never.ts';

const FORMAT = 'acp-scope-adapt';
const VERSION = 1;

/** The first line. */
export interface StoreHead {
  readonly session: string;
  /** The agent's own name: ids of two agents may be alike. */
  readonly agent: string;
  /** Whether the session is known from its begin, or only from the moment it was first seen. */
  readonly begin: 'new' | 'middle';
  readonly tool: string;
}

export type StoreEntry =
  /** Taken up by a process, or made by a fork: what ran before runs no more, here. */
  | { readonly type: 'open'; readonly at: string; readonly acp: Version; readonly fork?: true }
  /** The client's prompt; `blocks` is the JSON array of the request as it stood there. */
  | { readonly type: 'prompt'; readonly id: string; readonly blocks: string }
  /** Its answer; `messageId` is v2's. */
  | {
      readonly type: 'end';
      readonly prompt: string;
      readonly failed: boolean;
      readonly messageId?: string;
    }
  /** `line`: the agent's `session/update`, the whole frame. */
  | { readonly type: 'update'; readonly line: string }
  /** v1: what a terminal of the client showed when the agent last asked. */
  | { readonly type: 'terminal'; readonly terminalId: string; readonly output: string }
  /** Something that is not here, as a sentence. */
  | { readonly type: 'gap'; readonly why: string };

type HeadRead =
  | { readonly ok: true; readonly head: StoreHead }
  | { readonly ok: false; readonly problem: string };

export function headLine({ session, agent, begin, tool }: StoreHead): string {
  return JSON.stringify({ format: FORMAT, version: VERSION, session, agent, begin, tool });
}

export function readHead(line: string): HeadRead {
  const value = parseJson(line);
  const session = str(value, 'session');
  const version = num(value, 'version');
  if (str(value, 'format') !== FORMAT || version === undefined || session === undefined)
    return { ok: false, problem: 'it does not begin as a history of acp-scope adapt' };
  if (version > VERSION)
    return {
      ok: false,
      problem: `it has version ${version}, and this acp-scope reads up to ${VERSION}`,
    };
  const begin = str(value, 'begin') === 'new' ? 'new' : 'middle';
  const [agent, tool] = [str(value, 'agent') ?? '', str(value, 'tool') ?? ''];
  return { ok: true, head: { session, agent, begin, tool } };
}

const UPDATE = '{"update":';

export function entryLine(entry: StoreEntry): string {
  switch (entry.type) {
    case 'update':
      return `${UPDATE}${entry.line}}`;
    case 'prompt':
      return `${promptBegin(entry.id)}${entry.blocks}}}`;
    case 'open':
    case 'end':
    case 'terminal':
    case 'gap': {
      const { type, ...rest } = entry;
      return JSON.stringify({ [type]: rest });
    }
    default:
      return assertNever(entry);
  }
}

/** Undefined: no entry, or the torn rest of one. */
export function readEntry(line: string): StoreEntry | undefined {
  const value = parseJson(line);
  if (!isObject(value)) return undefined;
  if (line.startsWith(UPDATE)) return { type: 'update', line: line.slice(UPDATE.length, -1) };
  return (
    openOf(obj(value, 'open')) ??
    promptOf(obj(value, 'prompt'), line) ??
    endOf(obj(value, 'end')) ??
    terminalOf(obj(value, 'terminal')) ??
    gapOf(obj(value, 'gap'))
  );
}

type Fields = ReturnType<typeof obj>;

function openOf(fields: Fields): StoreEntry | undefined {
  const at = str(fields, 'at');
  const acp = num(fields, 'acp');
  if (at === undefined || (acp !== 1 && acp !== 2)) return undefined;
  return { type: 'open', at, acp, ...(fields?.['fork'] === true && { fork: true }) };
}

function promptOf(fields: Fields, line: string): StoreEntry | undefined {
  const id = str(fields, 'id');
  if (id === undefined || !line.startsWith(promptBegin(id))) return undefined;
  return { type: 'prompt', id, blocks: line.slice(promptBegin(id).length, -2) };
}

function endOf(fields: Fields): StoreEntry | undefined {
  const prompt = str(fields, 'prompt');
  if (prompt === undefined) return undefined;
  const messageId = str(fields, 'messageId');
  const failed = fields?.['failed'] === true;
  return { type: 'end', prompt, failed, ...(messageId === undefined ? {} : { messageId }) };
}

function terminalOf(fields: Fields): StoreEntry | undefined {
  const [terminalId, output] = [str(fields, 'terminalId'), str(fields, 'output')];
  if (terminalId === undefined || output === undefined) return undefined;
  return { type: 'terminal', terminalId, output };
}

function gapOf(fields: Fields): StoreEntry | undefined {
  const why = str(fields, 'why');
  return why === undefined ? undefined : { type: 'gap', why };
}

function promptBegin(id: string): string {
  return `{"prompt":{"id":${JSON.stringify(id)},"blocks":`;
}
