// What stands beside client and agent: MCP carried over ACP and proxies, both unstable. Families `mcp` and
// `proxy` of the catalogue.
import { protocolVersionIn } from '../../acp/handshake.ts';
import { get, isObject, objects, str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { OPENERS } from '../../acp/methods.ts';
import { type EarlierRequest, type Connection, fact } from '../connection.ts';
import { onAnswer, onNotification, onRequest } from '../listen.ts';
import {
  catalogue,
  rulesOf,
  fail,
  judged,
  undecidable,
  type RuleFault,
  type Outcome,
  quote,
  type Fold,
  type Unjudged,
} from '../rule.ts';
import type { Seq } from '../../trace/event.ts';

interface McpFacts {
  /** Servers of the type `acp` that requests of the client declared. */
  readonly servers: Set<string>;
  /** Inner requests that wait, by server and inner id. */
  readonly active: Map<string, EarlierRequest>;
}

const mcp = fact<Connection, McpFacts>(() => ({ servers: new Set(), active: new Map() }));

/** Undefined: it names none. */
function innerKey(params: Json | undefined): string | undefined {
  const id = get(params, 'requestId');
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  return JSON.stringify([str(params, 'serverId') ?? null, id]);
}

export const mcpFold: Fold = [
  onRequest(OPENERS, ({ params }, connection) => {
    for (const server of objects(params, 'mcpServers')) {
      const id = str(server, 'type') === 'acp' ? str(server, 'serverId') : undefined;
      if (id !== undefined) mcp.of(connection).servers.add(id);
    }
  }),
  onRequest(['mcp/message'], ({ params, asked }, connection) => {
    const key = innerKey(params);
    const { active } = mcp.of(connection);
    if (key !== undefined && !active.has(key)) active.set(key, asked);
  }),
  onAnswer(['mcp/message'], ({ params, asked }, connection) => {
    const key = innerKey(params);
    const { active } = mcp.of(connection);
    if (key !== undefined && active.get(key) === asked) active.delete(key);
  }),
];

/** What is wrong with the server that a message names. */
function oddServer(params: Json | undefined, connection: Connection): RuleFault | undefined {
  const server = str(params, 'serverId');
  if (server === undefined || mcp.of(connection).servers.has(server)) return undefined;
  return fail(`the server ${quote(server)}, which no request declared`, '/params/serverId');
}

function undeclared(odd: RuleFault): Outcome {
  return undecidable(
    `${odd.seen} in this trace, of which a part is missing`,
    'a recording of the whole connection',
    '/params/serverId',
  );
}

const OLD = ['mcp/connect', 'mcp/disconnect'] as const;

function legacy(method: string): RuleFault {
  return fail(`\`${method}\`, which SDK 2.4.0 took away`);
}

function oldShape(params: Json | undefined): RuleFault | 'pass' {
  if (get(params, 'connectionId') === undefined) return 'pass';
  return fail('a `connectionId`, which SDK 2.4.0 took away', '/params/connectionId');
}

export const MCP = rulesOf({ side: 'sender' })({
  'mcp/envelope': {
    severity: 'error',
    clause:
      'an MCP message is for a declared server, its id is of one request at a time, and its answer holds one of `result` and `error`',
    on: [
      onRequest(['mcp/message'], ({ params, seq }, connection) => {
        // The shape before SDK 2.4.0 is mcp/legacy.
        if (get(params, 'connectionId') !== undefined) return undefined;
        const odd = oddServer(params, connection);
        if (odd !== undefined && connection.gaps > 0) return undeclared(odd);
        const faults = odd === undefined ? [] : [odd];
        const key = innerKey(params);
        const active = key === undefined ? undefined : mcp.of(connection).active.get(key);
        if (active !== undefined)
          faults.push(
            fail(
              `the inner id ${quote(get(params, 'requestId'))} again, while #${active.seq} waits`,
              {
                pointer: '/params/requestId',
                seqs: [active.seq, seq],
              },
            ),
          );
        return judged(faults);
      }),
      onNotification(['mcp/message'], ({ params }, connection) => {
        const key = innerKey(params);
        if (key === undefined || get(params, 'connectionId') !== undefined) return undefined;
        if (mcp.of(connection).active.has(key) || connection.gaps > 0) return 'pass';
        return fail(
          `the inner id ${quote(get(params, 'requestId'))}, under which nothing waits`,
          '/params/requestId',
        );
      }),
      onAnswer(['mcp/message'], ({ params, result }) => {
        if (!isObject(result) || get(params, 'connectionId') !== undefined) return undefined;
        const [inner, error] = [get(result, 'result'), get(result, 'error')];
        if (inner !== undefined && error !== undefined)
          return fail('both `result` and `error`', '/result');
        if (inner === undefined && error === undefined)
          return fail('neither `result` nor `error`', '/result');
        return 'pass';
      }),
    ],
  },
  'mcp/legacy': {
    severity: 'hint',
    clause: 'MCP over ACP names a server in each message; connecting is of older drafts',
    on: [
      onRequest(OLD, ({ method }) => legacy(method)),
      onNotification(OLD, ({ method }) => legacy(method)),
      onRequest(['mcp/message'], ({ params }) => oldShape(params)),
      onNotification(['mcp/message'], ({ params }) => oldShape(params)),
    ],
  },
});

// Proxies between a client and its agent.

interface Forwarded {
  readonly seq: Seq;
  readonly version: number | undefined;
}

/** The last `initialize` that a proxy passed on to its successor. */
const forwarded = fact<Connection, { initialize: Forwarded | undefined }>(() => ({
  initialize: undefined,
}));

function inner(params: Json | undefined): Json | undefined {
  return str(params, 'method') === 'initialize' ? get(params, 'params') : undefined;
}

export const proxyFold: Fold = [
  onRequest(['proxy/initialize'], (_, connection) => {
    forwarded.of(connection).initialize = undefined;
  }),
  onRequest(['proxy/successor'], ({ params, seq, from }, connection) => {
    if (from !== 'agent' || str(params, 'method') !== 'initialize') return;
    const version = protocolVersionIn(inner(params));
    forwarded.of(connection).initialize = { seq, version };
  }),
];

export const PROXY = catalogue({
  'proxy/version': {
    side: 'agent',
    severity: 'error',
    // A proxy is asked by `proxy/initialize`, which settles no version with the proxy itself.
    needs: 'nothing',
    clause:
      'a proxy passes `initialize` on to its successor before it answers, and keeps `protocolVersion`',
    on: onAnswer(['proxy/initialize'], ({ params, result, asked, seq }, connection) => {
      if (!isObject(result)) return undefined;
      const passed = forwarded.of(connection).initialize;
      if (passed === undefined)
        return connection.gaps > 0
          ? undecidable('part of the trace is missing', 'a recording without a gap')
          : fail('no `initialize` for the successor before this answer', {
              seqs: [asked.seq, seq],
            });
      const wanted = protocolVersionIn(params);
      const faults: RuleFault[] = [];
      if (wanted !== undefined && passed.version !== wanted)
        faults.push(
          fail(`the version ${passed.version} passed on in #${passed.seq}, not ${wanted}`, {
            pointer: '/params/params/protocolVersion',
            seqs: [asked.seq, passed.seq],
          }),
        );
      return judged(faults);
    }),
  },
});
export const PROXY_UNJUDGED: readonly Unjudged[] = [
  {
    id: 'proxy/role',
    versions: [1, 2],
    clause: 'a component with a successor gets `proxy/initialize`, the last one `initialize`',
    why: 'needs to know which components stand in the chain; a trace holds one connection of it',
  },
];
