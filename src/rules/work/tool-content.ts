// What tool calls hold: paths, line numbers and diffs. Family `tool` of the catalogue; and what any content
// block holds, in prompts too: family `content`.
import { arr, get, isArray, num, obj, objects, str } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import type { Version } from '../../acp/methods.ts';
import { isAbsolutePath } from '../../lib/absolute-path.ts';
import { decodeLossy, encodeUtf8 } from '../../lib/utf8.ts';
import { onRequest, onUpdate } from '../listen.ts';
import { catalogue, fail, judged, type RuleFault, type Outcome, quote } from '../rule.ts';
import { oddBase64 } from './terminals.ts';
import { permissionToolCall } from './tool-facts.ts';

const REPORTS = ['tool_call', 'tool_call_update'] as const;
/** Updates that bring content of tool calls. */
export const TOOL_UPDATES = [...REPORTS, 'tool_call_content_chunk'] as const;

/** An item of a tool call's content, and where it stands. */
type Item = readonly [item: JsonObject, at: string];

function itemsOf(call: JsonObject, at: string): readonly Item[] {
  if (arr(call, 'content').length === 0) return [];
  return objects(call, 'content').map((item, i) => [item, `${at}/content/${i}`]);
}

/** The links to sessions in an update of a tool call. */
export function sessionLinks(update: JsonObject): readonly Item[] {
  const chunk = obj(update, 'content');
  const items: readonly Item[] = chunk
    ? [[chunk, '/params/update/content']]
    : itemsOf(update, '/params/update');
  return items.filter(([item]) => str(item, 'type') === 'session');
}

/** Faults with the paths of a tool call; undefined: it names none. */
function pathFaults(
  call: JsonObject,
  at: string,
  items: readonly Item[],
  version: Version | undefined,
): Outcome {
  const faults: RuleFault[] = [];
  let any = false;
  const absolute = (holder: JsonObject, key: string, where: string) => {
    const path = str(holder, key);
    if (path === undefined) return;
    any = true;
    if (!isAbsolutePath(path))
      faults.push(fail(`\`${key}\` is ${quote(path)}, which is not absolute`, `${where}/${key}`));
  };
  for (const [i, location] of objects(call, 'locations').entries()) {
    absolute(location, 'path', `${at}/locations/${i}`);
    const line = num(location, 'line');
    if (line !== undefined && line < 1)
      faults.push(
        fail(`\`locations[${i}].line\` is ${line}`, {
          pointer: `${at}/locations/${i}/line`,
          due: 'a line number from 1 on',
          // The schema of v1 lets 0 pass.
          ...(version === 1 && line === 0 ? { severity: 'warning' } : {}),
        }),
      );
  }
  for (const [item, place] of items)
    for (const [holder, where] of diffPlaces(item, place)) {
      absolute(holder, 'path', where);
      absolute(holder, 'oldPath', where);
    }
  return any || faults.length > 0 ? judged(faults) : undefined;
}

/** v1: the diff itself names its path; v2: each of its changes. */
function diffPlaces(item: JsonObject, at: string): readonly Item[] {
  if (str(item, 'type') !== 'diff') return [];
  const changes = objects(item, 'changes').map((change, i) => {
    return [change, `${at}/changes/${i}`] as const;
  });
  return get(item, 'changes') === undefined ? [[item, at]] : changes;
}

function diffFaults(item: JsonObject, at: string): readonly RuleFault[] {
  const faults: RuleFault[] = [];
  const named = new Set<string>();
  for (const [i, change] of objects(item, 'changes').entries()) {
    const operation = str(change, 'operation') ?? '';
    const pair = operation === 'move' || operation === 'copy';
    if (pair && str(change, 'oldPath') === undefined)
      faults.push(fail(`a ${operation} without \`oldPath\``, `${at}/changes/${i}`));
    for (const key of ['path', 'oldPath']) named.add(str(change, key) ?? '');
  }
  const patch = obj(item, 'patch');
  if (str(patch, 'format') !== 'git_patch') return faults;
  const pointer = `${at}/patch/text`;
  const told = new Set<string>();
  for (const { where, path } of patchPaths(str(patch, 'text') ?? '')) {
    if (told.has(path)) continue;
    told.add(path);
    const words = `\`${where}\` with ${quote(path)}`;
    if (/^[ab]\//.test(path)) faults.push(fail(`${words}, Git’s prefix before it`, pointer));
    else if (!isAbsolutePath(path)) faults.push(fail(`${words}, not absolute`, pointer));
    else if (!named.has(path)) faults.push(fail(`${words}, not among \`changes\``, pointer));
  }
  return faults;
}

/** Undefined: no diffs in it. */
function diffOutcome(items: readonly Item[]): Outcome {
  const diffs = items.filter(([item]) => str(item, 'type') === 'diff');
  if (diffs.length === 0) return undefined;
  return judged(diffs.flatMap(([item, at]) => diffFaults(item, at)));
}

/** Binary data of content blocks, those in the content of tool calls too. */
function dataFaults(content: Json | undefined, at: string): (RuleFault | 'pass')[] {
  if (isArray(content)) return content.flatMap((one, i) => dataFaults(one, `${at}/${i}`));
  switch (str(content, 'type')) {
    case 'image':
    case 'audio':
      return binary(get(content, 'data'), `${at}/data`, 'data');
    case 'resource':
      return binary(get(get(content, 'resource'), 'blob'), `${at}/resource/blob`, 'blob');
    case 'content':
      return dataFaults(get(content, 'content'), `${at}/content`);
    default:
      return [];
  }
}

function binary(data: Json | undefined, pointer: string, key: string): (RuleFault | 'pass')[] {
  const url = typeof data === 'string' ? /^data:[^,]{0,100},/.exec(data)?.[0] : undefined;
  if (url !== undefined)
    return [
      fail(`\`${key}\` is a data URL`, { pointer, due: `base64 alone, without ${quote(url)}` }),
    ];
  const said = oddBase64(data, pointer, key);
  return said === undefined ? [] : [said];
}

function dataOutcome(content: Json | undefined, at: string): Outcome {
  const said = dataFaults(content, at);
  return said.length === 0 ? undefined : judged(said.filter((one) => one !== 'pass'));
}

export const TOOL_CONTENT = catalogue({
  'content/base64': {
    side: 'sender',
    severity: 'error',
    clause: 'images, audio and binary resources are base64, and nothing else',
    on: [
      onRequest(['session/prompt'], ({ params }) =>
        dataOutcome(get(params, 'prompt'), '/params/prompt'),
      ),
      onUpdate('all', ({ update }) =>
        dataOutcome(get(update, 'content'), '/params/update/content'),
      ),
    ],
  },
  'tool/path-absolute': {
    side: 'agent',
    severity: 'error',
    clause: 'paths of locations and diffs are absolute, and their lines count from 1',
    on: [
      onUpdate(REPORTS, ({ update }, { version }) =>
        pathFaults(update, '/params/update', itemsOf(update, '/params/update'), version),
      ),
      onUpdate(['tool_call_content_chunk'], ({ update }, { version }) => {
        const content = obj(update, 'content');
        return content && pathFaults({}, '', [[content, '/params/update/content']], version);
      }),
      onRequest(['session/request_permission'], ({ params }, { version }) => {
        const call = permissionToolCall(params, version);
        const at = version === 1 ? '/params/toolCall' : '/params/subject/toolCall';
        return call && pathFaults(call, at, itemsOf(call, at), version);
      }),
    ],
  },
  'tool/diff-consistent': {
    versions: [2],
    side: 'agent',
    severity: 'warning',
    clause:
      'a move or copy has `oldPath`, and a patch names the absolute paths of `changes` without prefix',
    on: [
      onUpdate(['tool_call_update'], ({ update }) =>
        diffOutcome(itemsOf(update, '/params/update')),
      ),
      onUpdate(['tool_call_content_chunk'], ({ update }) => {
        const content = obj(update, 'content');
        return content && diffOutcome([[content, '/params/update/content']]);
      }),
    ],
  },
});

// The paths that a patch in Git's format names: read from the headers of its sections only, since a
// hunk may hold any line at all.

interface PatchPath {
  /** The word it stands behind: `---`, `+++`, `rename from`, … */
  readonly where: string;
  readonly path: string;
}

const HEADER = /^(---|\+\+\+|rename from|rename to|copy from|copy to) (.*)$/;

/** Paths in order; `/dev/null` is left out. A section without such lines has what follows `diff --git`. */
function patchPaths(text: string): readonly PatchPath[] {
  const paths: PatchPath[] = [];
  let header = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('diff --git ')) {
      header = true;
      const rest = line.slice('diff --git '.length);
      // Two paths with blanks in them cannot be told apart here; a prefix can.
      if (/^"?a\//.test(rest)) paths.push({ where: 'diff --git', path: unquoted(rest) });
    } else if (line.startsWith('@@')) header = false;
    else if (header) {
      const found = HEADER.exec(line.endsWith('\r') ? line.slice(0, -1) : line);
      const path = found && unquoted((found[2] ?? '').replace(/\t.*$/, ''));
      if (path && path !== '/dev/null') paths.push({ where: found[1] ?? '', path });
    }
  }
  return paths;
}

const ESCAPES: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  '\\': 92,
};

/** Git quotes paths with unusual characters as C does, bytes in octal. */
function unquoted(word: string): string {
  const inner = /^"(.*)"$/.exec(word)?.[1];
  if (inner === undefined) return word;
  const bytes: number[] = [];
  for (const [part, octal, letter] of inner.matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/g)) {
    if (octal !== undefined) bytes.push(parseInt(octal, 8) & 255);
    else if (letter !== undefined) bytes.push(ESCAPES[letter] ?? letter.charCodeAt(0) & 255);
    else for (const byte of encodeUtf8(part)) bytes.push(byte);
  }
  return decodeLossy(Uint8Array.from(bytes));
}
