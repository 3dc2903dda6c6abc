// How much of a trace leaves: four levels, each shows all that the one before it shows.

export const LEVELS = ['shape', 'no-content', 'no-secrets', 'all'] as const;
export type RedactionLevel = (typeof LEVELS)[number];

/** What leaves unless a person chose otherwise. */
export const DEFAULT_LEVEL: RedactionLevel = 'no-secrets';

/** What each level leaves out, for a person who chooses. */
export const LEVEL_WORDS: Readonly<Record<RedactionLevel, string>> = {
  shape: 'Only the shape: methods, ids, kinds, numbers and times. Every other text is left out.',
  'no-content':
    'No prompts, messages, files, outputs or tool arguments. Paths, names and errors stay.',
  'no-secrets': 'All but secrets: tokens, passwords, keys, values of variables and headers.',
  all: 'Everything, secrets included, byte for byte.',
};

/** Keys whose texts are words of the protocol, ids or times: they stay at every level. */
const WORDS: ReadonlySet<string> = new Set([
  ...['jsonrpc', 'method', 'id', 'type', 'kind', 'status', 'sessionUpdate', 'role', 'outcome'],
  ...['stopReason', 'priority', 'protocolVersion', 'mimeType', 'operation', 'state', 'category'],
  ...['cursor', 'nextCursor', 'replayFrom', 'updatedAt', 'createdAt', 'timestamp', 'signal'],
  ...['format', 'created', 'tool', 'connection', 'mode', 'clock', 'from', 'origin', 'stream'],
  ...['step', 'inferred', 'sha256', 'level', 'session', 'event', 'rule'],
]);
const ID = /(?:^|[a-z_])(?:Id|_id|Ids)$/;

/** Keys whose texts stay where content is left out: places, names, commands, why something failed. */
const NAMES: ReadonlySet<string> = new Set([
  ...[
    'path',
    'cwd',
    'uri',
    'url',
    'name',
    'version',
    'command',
    'args',
    'argv',
    'roots',
    'headers',
  ],
  ...['additionalDirectories', 'workspaceRoots', 'message', 'problem', 'reason', 'label', 'env'],
  ...['request', 'response'],
]);

/** What stands under these is an agent's own: no key in it is known to be harmless. */
const OPAQUE: ReadonlySet<string> = new Set([
  ...['rawInput', 'rawOutput', '_meta', 'arguments', 'data'],
]);

/** Whether a level leaves out what was said, written and put out. */
export function hidesContent(level: RedactionLevel): boolean {
  return level === 'shape' || level === 'no-content';
}

export function isOpaque(key: string): boolean {
  return OPAQUE.has(key);
}

/** Whether texts under a key are ids, which are no leftovers either. */
function isId(key: string): boolean {
  return key === 'id' || ID.test(key);
}

/** Whether a level shows the texts under a key; `opaque`: of something that is an agent's own. */
export function shows(level: RedactionLevel, key: string, opaque: boolean): boolean {
  if (!hidesContent(level)) return true;
  if (opaque) return isId(key);
  return WORDS.has(key) || isId(key) || (level === 'no-content' && NAMES.has(key));
}
