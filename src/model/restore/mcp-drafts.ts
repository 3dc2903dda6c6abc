// MCP servers of a session request as a person writes them, and the JSON each version of ACP wants.
// v1: stdio servers carry no `type`, and all fields are required; v2: `type` is, and there is no sse.
// Source: McpServer of the schemas, SDK 2.4.0.
import { isArray, isObject, objects, parseJson, str } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { isAbsolutePath } from '../../lib/absolute-path.ts';

export type McpTransport = 'stdio' | 'http' | 'sse';

export interface McpDraft {
  readonly transport: McpTransport;
  readonly name: string;
  /** stdio. */
  readonly command: string;
  /** stdio: one argument a line. */
  readonly args: string;
  /** http and sse. */
  readonly url: string;
  /** Variables of stdio as NAME=VALUE, headers of the others as Name: value; one a line. */
  readonly pairs: string;
}

export const NO_SERVER: McpDraft = {
  transport: 'stdio',
  name: '',
  command: '',
  args: '',
  url: '',
  pairs: '',
};

/** Undefined: it is no list of servers that the form could show without losing something. */
export function readServers(text: string): readonly McpDraft[] | undefined {
  const value = parseJson(text);
  if (!isArray(value)) return undefined;
  const drafts = value.map(readServer);
  return drafts.every((draft) => draft !== undefined) ? drafts : undefined;
}

export function printServers(drafts: readonly McpDraft[], version: 1 | 2): string {
  return JSON.stringify(drafts.map((draft) => serverOf(draft, version)));
}

interface DraftFault {
  readonly field: keyof McpDraft;
  readonly words: string;
}

/** What is wrong with a server as written; it can be sent all the same. */
export function draftFaults(draft: McpDraft, others: readonly McpDraft[]): DraftFault[] {
  const faults: DraftFault[] = [];
  const add = (field: keyof McpDraft, words: string) => void faults.push({ field, words });
  if (draft.name.trim() === '') add('name', 'Enter a name.');
  else if (others.some(({ name }) => name === draft.name))
    add('name', `Another server is called ${draft.name}.`);
  if (draft.transport === 'stdio') {
    if (draft.command.trim() === '') add('command', 'Enter a command.');
    else if (!isAbsolutePath(draft.command)) add('command', 'Enter an absolute path.');
  } else if (!/^https?:\/\/\S+$/.test(draft.url)) add('url', 'Enter an http or https address.');
  const broken = lines(draft.pairs).find((line) => pairOf(line, draft.transport) === undefined);
  if (broken !== undefined)
    add(
      'pairs',
      draft.transport === 'stdio'
        ? `“${broken}” is not NAME=VALUE.`
        : `“${broken}” is not Name: value.`,
    );
  return faults;
}

function serverOf(draft: McpDraft, version: 1 | 2): JsonObject {
  const { transport, name, command, url } = draft;
  const pairs = lines(draft.pairs).flatMap((line) => pairOf(line, transport) ?? []);
  if (transport !== 'stdio') return { type: transport, name, url, headers: pairs };
  const type = version === 2 ? { type: 'stdio' } : {};
  return { ...type, name, command, args: lines(draft.args), env: pairs };
}

function readServer(value: Json): McpDraft | undefined {
  if (!isObject(value) || Object.keys(value).some((key) => !KNOWN.has(key))) return undefined;
  const type = str(value, 'type') ?? 'stdio';
  const [name, command, url] = [str(value, 'name'), str(value, 'command'), str(value, 'url')];
  if (name === undefined) return undefined;
  if (type === 'stdio' && command !== undefined) {
    const args = isArray(value['args']) ? value['args'] : [];
    if (!args.every((arg) => typeof arg === 'string' && !arg.includes('\n'))) return undefined;
    const pairs = printPairs(value, 'env', '=');
    return { ...NO_SERVER, name, command, args: args.join('\n'), pairs };
  }
  if ((type !== 'http' && type !== 'sse') || url === undefined) return undefined;
  return { ...NO_SERVER, transport: type, name, url, pairs: printPairs(value, 'headers', ': ') };
}

const KNOWN = new Set(['type', 'name', 'command', 'args', 'env', 'url', 'headers']);

function printPairs(value: JsonObject, key: string, between: string): string {
  return objects(value, key)
    .map((pair) => `${str(pair, 'name') ?? ''}${between}${str(pair, 'value') ?? ''}`)
    .join('\n');
}

function pairOf(
  line: string,
  transport: McpTransport,
): { readonly name: string; readonly value: string } | undefined {
  const found =
    transport === 'stdio' ? /^([^\s=]+)=(.*)$/.exec(line) : /^([^\s:]+):\s*(.*)$/.exec(line);
  const [, name, value] = found ?? [];
  return name === undefined || value === undefined ? undefined : { name, value };
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}
