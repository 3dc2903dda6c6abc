// What is due of the surroundings of a restore: its session, cwd, MCP servers and further folders,
// by what the agent advertises. Facts: ACP schemas and pages 2.4.0, v1 and v2.
import { get, isArray, isObject, str } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { isAbsolutePath } from '../../lib/absolute-path.ts';
import { spellingOf } from './cwd-spellings.ts';
import type { Handshake, SessionFacts } from '../facts/facts-view.ts';
import { breaks, holds, open, requestOf, type Due } from './restore-due-words.ts';

export function setupDue(
  method: string,
  params: JsonObject,
  handshake: Handshake,
  sessions: readonly SessionFacts[],
): readonly Due[] {
  const version = (handshake.version ?? 1) >= 2 ? 2 : 1;
  const source = requestOf(method);
  const session = sessions.find(({ sessionId }) => sessionId === str(params, 'sessionId'));
  return [
    ...sessionDue(params, version, session, source),
    ...cwdDue(params, session, source),
    ...serversDue(params['mcpServers'], version, handshake.agentCapabilities, source),
    ...directoriesDue(
      params['additionalDirectories'],
      version,
      handshake.agentCapabilities,
      source,
    ),
  ];
}

function sessionDue(
  params: JsonObject,
  version: 1 | 2,
  session: SessionFacts | undefined,
  source: string,
): readonly Due[] {
  if (str(params, 'sessionId') === undefined)
    return [breaks('sessionId, a string, is missing: −32602 is due.', source)];
  // That we asked for it does not say that the agent knows it.
  if (session && session.askedOnly !== true) return [];
  const must = version === 2 ? 'must' : 'should';
  return [
    open(
      `If the agent does not know this session, it ${must} answer −32002.`,
      'Error',
      'With the id in data.sessionId.',
    ),
  ];
}

function cwdDue(
  params: JsonObject,
  session: SessionFacts | undefined,
  source: string,
): readonly Due[] {
  const cwd = str(params, 'cwd');
  if (cwd === undefined) return [breaks('cwd, a string, is missing: −32602 is due.', source)];
  if (!isAbsolutePath(cwd)) return [breaks('cwd must be an absolute path: −32602 is due.', source)];
  if (session?.cwd === undefined || session.cwd === cwd) return [];
  if (spellingOf(cwd, session.cwd)?.id === 'slash')
    return [
      open(
        `The session’s cwd is ${session.cwd}, the same folder.`,
        source,
        'The protocol does not say how paths are compared.',
      ),
    ];
  return [
    open(
      `The session’s cwd is ${session.cwd}.`,
      source,
      'The agent may reject another one with −32602.',
    ),
  ];
}

function serversDue(
  servers: Json | undefined,
  version: 1 | 2,
  capabilities: JsonObject | undefined,
  request: string,
): readonly Due[] {
  const source = 'McpServer';
  if (servers === undefined) return [];
  if (!isArray(servers)) return [breaks('mcpServers must be an array: −32602 is due.', source)];
  const due: Due[] = [];
  for (const kind of ['stdio', 'http', 'sse'] as const) {
    const names = servers.filter((server) => kindOf(server) === kind).map(nameOf);
    if (names.length === 0) continue;
    const [capability, advertised] = support(kind, version, capabilities);
    if (capability === undefined)
      due.push(breaks(`v2 has no MCP servers over SSE: ${names.join(', ')}.`, source));
    else if (!advertised)
      due.push(
        breaks(
          `The agent does not advertise ${capability}: ${names.join(', ')} may be refused.`,
          'McpCapabilities',
        ),
      );
  }
  const relative = servers.find(
    (server) => kindOf(server) === 'stdio' && !isAbsolutePath(str(server, 'command') ?? ''),
  );
  if (relative !== undefined)
    due.push(
      breaks(`The command of ${nameOf(relative)} must be an absolute path.`, 'McpServerStdio'),
    );
  if (version === 2 && servers.some((server) => str(server, 'type') === undefined))
    due.push(breaks('In v2 each MCP server names its type.', source));
  if (servers.length > 0)
    due.push(holds('The servers are connected anew.', request, 'None is remembered.'));
  return due;
}

/** What must be advertised, and whether it is; of what a version does not know, nothing can be. */
function support(
  kind: 'stdio' | 'http' | 'sse',
  version: 1 | 2,
  capabilities: JsonObject | undefined,
): readonly [capability: string | undefined, advertised: boolean] {
  if (version === 2) {
    if (kind === 'sse') return [undefined, false];
    return [`session.mcp.${kind}`, isObject(get(get(get(capabilities, 'session'), 'mcp'), kind))];
  }
  // Every v1 agent takes stdio servers.
  if (kind === 'stdio') return ['mcpCapabilities', true];
  const advertised = get(get(capabilities, 'mcpCapabilities'), kind) === true;
  return [`mcpCapabilities.${kind}`, advertised];
}

function kindOf(server: Json): string {
  return str(server, 'type') ?? 'stdio';
}

function nameOf(server: Json): string {
  return str(server, 'name') ?? 'a server without a name';
}

function directoriesDue(
  directories: Json | undefined,
  version: 1 | 2,
  capabilities: JsonObject | undefined,
  source: string,
): readonly Due[] {
  if (directories === undefined) return [];
  if (!isArray(directories))
    return [breaks('additionalDirectories must be an array: −32602 is due.', source)];
  const due: Due[] = [];
  const home = version === 2 ? 'session' : 'sessionCapabilities';
  if (!isObject(get(get(capabilities, home), 'additionalDirectories')))
    due.push(
      breaks(`The agent does not advertise ${home}.additionalDirectories.`, 'AgentCapabilities'),
    );
  const relative = directories.filter((path) => typeof path !== 'string' || !isAbsolutePath(path));
  if (relative.length > 0)
    due.push(breaks('Each additional directory must be an absolute path.', source));
  return due;
}
