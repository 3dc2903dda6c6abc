// What a client says of a session it makes or asks for: directories and MCP servers; and the shape of
// the answers. Family `setup` of the catalogue; which session is meant stands in setup.ts.
import { arr, get, isArray, isObject, objects, str, typeWords } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import type { Version } from '../../acp/methods.ts';
import { OPENERS } from '../../acp/method-groups.ts';
import { isAbsolutePath } from '../../lib/absolute-path.ts';
import { onAnswer, onRequest } from '../listen.ts';
import { fail, judged, type Fault, type Outcome } from '../outcome.ts';
import { quote } from '../quote.ts';
import type { Rule } from '../rule.ts';

const cwdAbsolute: Rule = {
  id: 'setup/cwd-absolute',
  versions: [1, 2],
  side: 'client',
  severity: 'error',
  clause:
    'directories are absolute paths of the agent’s system, not URIs and not relative to anything',
  on: [
    onRequest([...OPENERS, 'session/list'], ({ params }) => {
      const paths: (readonly [path: string, pointer: string])[] = arr(
        params,
        'additionalDirectories',
      ).flatMap((path, i) =>
        typeof path === 'string' ? [[path, `/params/additionalDirectories/${i}`] as const] : [],
      );
      const cwd = str(params, 'cwd');
      if (cwd !== undefined) paths.unshift([cwd, '/params/cwd']);
      if (paths.length === 0) return undefined;
      return judged(
        paths
          .filter(([path]) => !isAbsolutePath(path))
          .map(([path, pointer]) => fail(quote(path), { pointer })),
      );
    }),
  ],
};

const mcpMissing: Rule = {
  id: 'setup/mcp-missing',
  versions: [1],
  side: 'client',
  severity: 'error',
  clause:
    '`mcpServers` is an array, `[]` where there are none; leaving it out is the most frequent cause of a load that fails',
  on: [
    onRequest(['session/new', 'session/load'], ({ params }) => {
      const servers = get(params, 'mcpServers');
      if (isArray(servers)) return 'pass';
      if (servers === undefined) return fail('no `mcpServers`', { pointer: '/params' });
      return fail(`\`mcpServers\` is ${typeWords(servers)}`, { pointer: '/params/mcpServers' });
    }),
  ],
};

/** Each MCP server of a request with its pointer. */
function serversOf(params: Json | undefined): readonly (readonly [JsonObject, string])[] {
  return arr(params, 'mcpServers').flatMap((server, i) =>
    isObject(server) ? [[server, `/params/mcpServers/${i}`] as const] : [],
  );
}

/** Judges each server; undefined where there is none to judge. */
function eachServer(
  params: Json | undefined,
  judge: (server: JsonObject, pointer: string) => readonly Fault[] | undefined,
): Outcome {
  const verdicts = serversOf(params).flatMap(([server, pointer]) => {
    const faults = judge(server, pointer);
    return faults === undefined ? [] : [faults];
  });
  return verdicts.length === 0 ? undefined : judged(verdicts.flat());
}

function fieldFaults(
  server: JsonObject,
  pointer: string,
  version: Version | undefined,
): readonly Fault[] | undefined {
  const type = str(server, 'type');
  const faults: Fault[] = [];
  const missing = (key: string, more: { severity?: 'warning' } = {}) => {
    if (version === 1 && !isArray(get(server, key)))
      faults.push(
        fail(`no \`${key}\` in the server ${quote(get(server, 'name'))}`, { pointer, ...more }),
      );
  };
  if (type === 'http' || type === 'sse') {
    missing('headers');
    return faults;
  }
  const isStdio = version === 1 ? type === undefined || type === 'stdio' : type === 'stdio';
  if (!isStdio) return undefined;
  missing('args');
  // Agents that take it as empty are the rule.
  missing('env', { severity: 'warning' });
  const command = str(server, 'command');
  if (command !== undefined && !isAbsolutePath(command)) {
    // A bare name is looked up on the PATH by most agents.
    const bare = !/[\\/]/.test(command);
    faults.push(
      fail(`the command ${quote(command)}`, {
        due: 'the command of an MCP server is an absolute path',
        pointer: `${pointer}/command`,
        ...(bare ? { severity: 'warning' } : {}),
      }),
    );
  }
  return faults;
}

const mcpFields: Rule = {
  id: 'setup/mcp-stdio-fields',
  versions: [1, 2],
  side: 'client',
  severity: 'error',
  clause:
    'a stdio server has `args` and `env`, a remote one `headers`, as arrays even where they are empty',
  on: [
    onRequest(OPENERS, ({ params }, { version }) =>
      eachServer(params, (server, pointer) => fieldFaults(server, pointer, version)),
    ),
  ],
};

const mcpType: Rule = {
  id: 'setup/mcp-type-missing',
  versions: [2],
  side: 'client',
  severity: 'error',
  clause: 'every MCP server says its `type`; v2 has no default',
  on: [
    onRequest(OPENERS, ({ params }) =>
      eachServer(params, (server, pointer) =>
        str(server, 'type') === undefined
          ? [fail(`no \`type\` in the server ${quote(get(server, 'name'))}`, { pointer })]
          : [],
      ),
    ),
  ],
};

function repeated(items: readonly JsonObject[]): readonly string[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const item of items) {
    const name = str(item, 'name');
    if (name === undefined) continue;
    if (seen.has(name)) twice.add(name);
    seen.add(name);
  }
  return [...twice];
}

const mcpNames: Rule = {
  id: 'setup/mcp-duplicate-name',
  versions: [2],
  side: 'client',
  severity: 'warning',
  clause: 'names of MCP servers, and of the variables of one server, are unique',
  on: [
    onRequest(OPENERS, ({ params }) => {
      const servers = serversOf(params);
      if (servers.length === 0) return undefined;
      const faults = repeated(servers.map(([server]) => server)).map((name) =>
        fail(`two servers are named ${quote(name)}`, { pointer: '/params/mcpServers' }),
      );
      for (const [server, pointer] of servers)
        for (const name of repeated(objects(server, 'env')))
          faults.push(
            fail(`two variables are named ${quote(name)}`, {
              pointer: `${pointer}/env`,
              sentence: 'env',
            }),
          );
      return judged(faults);
    }),
  ],
};

const nullArrays: Rule = {
  id: 'setup/null-arrays',
  versions: [2],
  side: 'agent',
  severity: 'warning',
  clause: '`configOptions` and `availableCommands` are arrays or left out, never null',
  on: [
    onAnswer(['session/new', 'session/resume', 'session/fork'], ({ result }) => {
      if (!isObject(result)) return undefined;
      return judged(
        ['configOptions', 'availableCommands']
          .filter((key) => get(result, key) === null)
          .map((key) => fail(`\`${key}\` is null`, { pointer: `/result/${key}` })),
      );
    }),
  ],
};

const nullResult: Rule = {
  id: 'setup/null-result',
  versions: [1],
  side: 'agent',
  severity: 'hint',
  clause: 'a result is an object, `{}` where there is nothing to say',
  on: [
    onAnswer(
      [
        'session/load',
        'session/resume',
        'session/close',
        'session/delete',
        'session/set_mode',
        'authenticate',
        'logout',
      ],
      ({ result, from }) => {
        if (from !== 'agent' || result === undefined) return undefined;
        if (result !== null) return 'pass';
        return fail('`result` is null; the documentation once showed that, and SDKs take it', {
          pointer: '/result',
        });
      },
    ),
  ],
};

export const SETUP_PARAMS: readonly Rule[] = [
  cwdAbsolute,
  mcpMissing,
  mcpFields,
  mcpType,
  mcpNames,
  nullArrays,
  nullResult,
];
