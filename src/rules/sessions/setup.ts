// What a client says of a session it makes or asks for: directories and MCP servers; the shape of the
// answers, and the ids. Family `setup` of the catalogue; sessions nobody opened stand in
// setup-unknown.ts. Long, because they share how directories and servers are read.
import { isOpening } from '../connection.ts';
import { arr, get, isArray, isObject, objects, str, typeWords } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { MAKERS, OPENERS, RESTORES, type Version } from '../../acp/methods.ts';
import { isAbsolutePath, sameDirectory } from '../../lib/absolute-path.ts';
import { onAnswer, onRequest, onUpdate } from '../listen.ts';
import {
  catalogue,
  fail,
  judged,
  type RuleFault,
  type Outcome,
  quote,
  undecidable,
  quoteAll,
} from '../rule.ts';
import { frameWords, rootsOf, serversOf, setups } from './setup-facts.ts';
import { twiceIn } from '../../lib/grouped.ts';

/** Each MCP server of a request with its pointer. */
function serversAt(params: Json | undefined): readonly (readonly [JsonObject, string])[] {
  return arr(params, 'mcpServers').flatMap((server, i) =>
    isObject(server) ? [[server, `/params/mcpServers/${i}`] as const] : [],
  );
}

/** Judges each server; undefined where there is none to judge. */
function eachServer(
  params: Json | undefined,
  judge: (server: JsonObject, pointer: string) => readonly RuleFault[] | undefined,
): Outcome {
  const verdicts = serversAt(params).flatMap(([server, pointer]) => {
    const faults = judge(server, pointer);
    return faults === undefined ? [] : [faults];
  });
  return verdicts.length === 0 ? undefined : judged(verdicts.flat());
}

function fieldFaults(
  server: JsonObject,
  pointer: string,
  version: Version | undefined,
): readonly RuleFault[] | undefined {
  const type = str(server, 'type');
  const faults: RuleFault[] = [];
  const missing = (key: string, more: { severity?: 'warning' } = {}) => {
    // Of a value of another type the schema speaks.
    if (version === 1 && (get(server, key) ?? null) === null)
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

function repeated(items: readonly JsonObject[]): readonly string[] {
  return twiceIn(items.map((item) => str(item, 'name')));
}

/** Undefined: no directory is named. */
function directoryFaults(holder: Json | undefined, at: string, side: 'client' | 'agent'): Outcome {
  const named: [name: string, path: Json | undefined][] = [['cwd', get(holder, 'cwd')]];
  for (const [i, path] of arr(holder, 'additionalDirectories').entries())
    named.push([`additionalDirectories/${i}`, path]);
  const paths = named.filter(([, path]) => typeof path === 'string');
  if (paths.length === 0) return undefined;
  return judged(
    paths.flatMap(([name, path]) => {
      if (isAbsolutePath(String(path))) return [];
      const words = name.replace(/\/(\d+)$/, '[$1]');
      const seen = `\`${words}\` is ${quote(path)}, which is not absolute`;
      return fail(seen, { pointer: `${at}/${name}`, side });
    }),
  );
}

export const SETUP_PARAMS = catalogue({
  'setup/cwd-absolute': {
    side: 'client',
    severity: 'error',
    clause:
      'directories are absolute paths of the agent’s system, not URIs and not relative to anything',
    on: [
      onRequest([...OPENERS, 'session/list'], ({ params }) =>
        directoryFaults(params, '/params', 'client'),
      ),
      // Where an agent put a child session.
      onUpdate(['subagent_update'], ({ update }) =>
        directoryFaults(update, '/params/update', 'agent'),
      ),
    ],
  },
  'setup/mcp-missing': {
    versions: [1],
    side: 'client',
    severity: 'error',
    clause:
      '`mcpServers` is an array, `[]` where there are none; leaving it out is the most frequent cause of a load that fails',
    on: onRequest(['session/new', 'session/load'], ({ params }) => {
      const servers = get(params, 'mcpServers');
      if (isArray(servers)) return 'pass';
      if (servers === undefined) return fail('no `mcpServers`', '/params');
      return fail(`\`mcpServers\` is ${typeWords(servers)}`, '/params/mcpServers');
    }),
  },
  'setup/mcp-stdio-fields': {
    side: 'client',
    severity: 'error',
    clause:
      'a stdio server has `args` and `env`, a remote one `headers`, as arrays even where they are empty',
    on: onRequest(OPENERS, ({ params }, { version }) =>
      eachServer(params, (server, pointer) => fieldFaults(server, pointer, version)),
    ),
  },
  'setup/mcp-type-missing': {
    versions: [2],
    side: 'client',
    severity: 'error',
    clause: 'every MCP server says its `type`; v2 has no default',
    on: onRequest(OPENERS, ({ params }) =>
      eachServer(params, (server, pointer) =>
        str(server, 'type') === undefined
          ? [fail(`no \`type\` in the server ${quote(get(server, 'name'))}`, pointer)]
          : [],
      ),
    ),
  },
  'setup/mcp-duplicate-name': {
    versions: [2],
    side: 'client',
    severity: 'warning',
    clause: 'names of MCP servers, and of the variables of one server, are unique',
    on: onRequest(OPENERS, ({ params }) => {
      const servers = serversAt(params);
      if (servers.length === 0) return undefined;
      const faults = repeated(servers.map(([server]) => server)).map((name) =>
        fail(`two servers are named ${quote(name)}`, '/params/mcpServers'),
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
  },
  'setup/null-arrays': {
    versions: [2],
    side: 'agent',
    severity: 'warning',
    clause: '`configOptions` and `availableCommands` are arrays or left out, never null',
    on: onAnswer(['session/new', 'session/resume', 'session/fork'], ({ result }) => {
      if (!isObject(result)) return undefined;
      return judged(
        ['configOptions', 'availableCommands']
          .filter((key) => get(result, key) === null)
          .map((key) => fail(`\`${key}\` is null`, `/result/${key}`)),
      );
    }),
  },
  'setup/null-result': {
    versions: [1],
    side: 'agent',
    severity: 'hint',
    clause: 'a result is an object, `{}` where there is nothing to say',
    on: onAnswer(
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
        return fail(
          '`result` is null; the documentation once showed that, and SDKs take it',
          '/result',
        );
      },
    ),
  },
});

export const SETUP = catalogue({
  'setup/session-id-unique': {
    side: 'agent',
    severity: 'error',
    clause: 'a new session gets an id that no other session has',
    on: onAnswer(MAKERS, ({ result, asked, params }, connection) => {
      const id = str(result, 'sessionId');
      if (id === undefined) return undefined;
      if (id === str(params, 'sessionId'))
        return fail(`${quote(id)}, which is the session to be forked`, {
          pointer: '/result/sessionId',
          session: id,
        });
      const known = connection.sessions.get(id);
      const pointer = '/result/sessionId';
      // Updates may come before the answer, and a list asked for meanwhile may know it already.
      if (known?.announced !== undefined && known.announced < asked.seq)
        return fail(
          known.deleted === undefined
            ? `${quote(id)}, which #${known.announced} named already`
            : `${quote(id)}, which named the session that #${known.deleted} deleted`,
          {
            pointer,
            session: id,
            // No text says whether an id may return after its session.
            ...(known.deleted === undefined ? {} : { severity: 'warning' }),
          },
        );
      const made = known?.stored.made;
      if (made !== undefined)
        return undecidable(
          `${quote(id)} is also the session that ${frameWords(made, connection)} made: both record one process, or its store was emptied in between and the id was given again`,
          'one recording in which a process gives out both',
          { pointer, session: id },
        );
      return 'pass';
    }),
  },
  'setup/cwd-mismatch': {
    side: 'client',
    severity: 'warning',
    clause: 'a session is restored in its own working directory',
    on: onRequest(RESTORES, ({ session, params }, connection) => {
      const cwd = str(params, 'cwd');
      if (session === undefined || cwd === undefined) return undefined;
      const known = [...setups.of(session.stored).cwds];
      const first = known[0];
      if (first === undefined) return undefined;
      const sameness = known.map(([one]) => sameDirectory(one, cwd));
      if (sameness.includes('same')) return 'pass';
      const [own, where] = first;
      const pointer = '/params/cwd';
      const seen = `\`cwd\` is ${quote(cwd)}, where ${frameWords(where, connection)} has ${quote(own)}`;
      if (sameness.includes('unclear'))
        return undecidable(
          `${seen}; a symbolic link may make them one directory`,
          'a recording in which both are spelled alike',
          pointer,
        );
      return fail(seen, pointer);
    }),
  },
  'setup/dirs-not-restored': {
    side: 'client',
    severity: 'hint',
    clause:
      'a restore gives the whole lists of further roots and MCP servers again; an agent brings none of them back by itself',
    on: onRequest(RESTORES, ({ session, params }, connection) => {
      if (session === undefined) return undefined;
      const { roots, servers, given } = setups.of(session.stored);
      if (given === undefined || roots.length + servers.length === 0) return undefined;
      const where = frameWords(given, connection);
      const faults: RuleFault[] = [];
      if (roots.length > 0 && rootsOf(params).length === 0)
        faults.push(
          fail(`no \`additionalDirectories\`; ${where} gave ${quoteAll(roots)}`, '/params'),
        );
      if (servers.length > 0 && serversOf(params).length === 0)
        faults.push(
          fail(`no MCP servers; ${where} gave ${quoteAll(servers)}`, {
            pointer: '/params',
            sentence: 'servers',
          }),
        );
      return judged(faults);
    }),
  },
  'setup/concurrent-restore': {
    side: 'client',
    severity: 'hint',
    clause: 'a restore is answered before the session is restored again or prompted',
    on: onRequest([...RESTORES, 'session/prompt'], ({ session, method, from }) => {
      if (session === undefined || from !== 'client') return undefined;
      if (!isOpening(session)) return 'pass';
      if (method === 'session/prompt' && session.active) return 'pass';
      return fail(`\`${method}\` while a restore of ${quote(session.id)} is open`);
    }),
  },
});
