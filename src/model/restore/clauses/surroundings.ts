// What is due of the surroundings of a restore: its folder, MCP servers and further folders, by what
// the agent advertises.
import { get, isArray, isObject, str } from '../../../acp/json.ts';
import type { Json, JsonObject } from '../../../acp/message.ts';
import type { Version } from '../../../acp/methods.ts';
import { isAbsolutePath, sameDirectory } from '../../../lib/absolute-path.ts';
import {
  breaks,
  holds,
  requestSchema,
  unsure,
  type RestoreAsked,
  type Clause,
  type DueSentence,
} from './clause.ts';

export const CWD: Clause = {
  rule: 'setup/cwd-mismatch',
  versions: [1, 2],
  ofRequest: true,
  due: ({ params }, session) => {
    const cwd = str(params, 'cwd');
    const own = session?.cwd;
    if (cwd === undefined || !isAbsolutePath(cwd) || own === undefined || own === cwd)
      return undefined;
    const text = `The session’s cwd is ${own}.`;
    switch (sameDirectory(cwd, own)) {
      case 'same':
        return unsure(
          `The session’s cwd is ${own}, the same folder.`,
          'The protocol does not say how paths are compared.',
        );
      case 'unclear':
        return unsure(text, 'A symbolic link may make both one folder.');
      case 'different':
        return breaks(text, 'The agent may reject another folder with −32602.');
    }
  },
};

/** Servers as they were sent; what is no list is a fault of the request. */
function serversOf({ params }: RestoreAsked): readonly Json[] {
  const servers = get(params, 'mcpServers');
  return isArray(servers) ? servers : [];
}

export const TRANSPORTS: Clause = {
  versions: [1, 2],
  source: 'McpCapabilities',
  ofRequest: true,
  due: (asked) =>
    (['stdio', 'http', 'sse'] as const).flatMap((kind): DueSentence[] => {
      const names = serversOf(asked)
        .filter((server) => kindOf(server) === kind)
        .map(nameOf)
        .join(', ');
      const [capability, advertised] = support(
        kind,
        asked.version,
        asked.offered.agentCapabilities,
      );
      if (names === '' || advertised) return [];
      return capability === undefined
        ? [breaks(`v2 has no MCP servers over SSE: ${names}.`, undefined, 'McpServer')]
        : [breaks(`The agent does not advertise ${capability}: the agent may reject ${names}.`)];
    }),
};

export const SERVERS: Clause = {
  versions: [1, 2],
  source: 'McpServer',
  ofRequest: true,
  due: (asked) => {
    const servers = serversOf(asked);
    const due: DueSentence[] = [];
    const relative = servers.find(
      (server) => kindOf(server) === 'stdio' && !isAbsolutePath(str(server, 'command') ?? ''),
    );
    if (relative !== undefined) {
      const text = `The command of ${nameOf(relative)} must be an absolute path.`;
      due.push(breaks(text, undefined, 'McpServerStdio'));
    }
    if (asked.version === 2 && servers.some((server) => str(server, 'type') === undefined))
      due.push(breaks('In v2 each MCP server has a type.'));
    if (servers.length > 0)
      due.push(
        holds(
          'The agent connects to these servers again.',
          'An agent remembers no server.',
          requestSchema(asked),
        ),
      );
    return due;
  },
};

/** What must be advertised, and whether it is; of what a version does not know, nothing can be. */
function support(
  kind: 'stdio' | 'http' | 'sse',
  version: Version,
  capabilities: JsonObject,
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

export const DIRECTORIES: Clause = {
  versions: [1, 2],
  source: requestSchema,
  ofRequest: true,
  due: ({ params, version, offered }) => {
    const directories = get(params, 'additionalDirectories');
    if (directories === undefined) return undefined;
    if (!isArray(directories))
      return breaks('additionalDirectories must be an array. Expected error: −32602.');
    const due: DueSentence[] = [];
    const home = version === 2 ? 'session' : 'sessionCapabilities';
    if (!isObject(get(get(offered.agentCapabilities, home), 'additionalDirectories'))) {
      const text = `The agent does not advertise ${home}.additionalDirectories.`;
      due.push(breaks(text, undefined, 'AgentCapabilities'));
    }
    if (directories.some((path) => typeof path !== 'string' || !isAbsolutePath(path)))
      due.push(breaks('Each additional directory must be an absolute path.'));
    return due;
  },
};
