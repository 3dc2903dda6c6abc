// MCP carried over ACP, which is unstable. Family `mcp` of the catalogue.
import { get, isObject, objects, str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { OPENERS } from '../../acp/method-groups.ts';
import type { Asked, Connection } from '../connection.ts';
import { fact } from '../facts.ts';
import { onAnswer, onNotification, onRequest } from '../listen.ts';
import { fail, judged, undecidable, type Fault, type Outcome } from '../outcome.ts';
import { quote } from '../quote.ts';
import type { Fold, Rule } from '../rule.ts';

interface McpFacts {
  /** Servers of the type `acp` that requests of the client declared. */
  readonly servers: Set<string>;
  /** Inner requests that wait, by server and inner id. */
  readonly active: Map<string, Asked>;
}

const mcp = fact<Connection, McpFacts>(() => ({ servers: new Set(), active: new Map() }));

/** Undefined: it names none. */
function innerKey(params: Json | undefined): string | undefined {
  const id = get(params, 'requestId');
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  return JSON.stringify([str(params, 'serverId') ?? null, id]);
}

const mcpFold: Fold = {
  on: [
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
  ],
};

/** What is wrong with the server that a message names. */
function oddServer(params: Json | undefined, connection: Connection): Fault | undefined {
  const server = str(params, 'serverId');
  if (server === undefined || mcp.of(connection).servers.has(server)) return undefined;
  return fail(`the server ${quote(server)}, which no request declared`, {
    pointer: '/params/serverId',
  });
}

function undeclared(odd: Fault): Outcome {
  return undecidable(
    `${odd.seen} in this trace, of which a part is missing`,
    'a recording of the whole connection',
    { pointer: '/params/serverId' },
  );
}

const envelope: Rule = {
  id: 'mcp/envelope',
  versions: [1, 2],
  side: 'sender',
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
      return fail(`the inner id ${quote(get(params, 'requestId'))}, under which nothing waits`, {
        pointer: '/params/requestId',
      });
    }),
    onAnswer(['mcp/message'], ({ params, result }) => {
      if (!isObject(result) || get(params, 'connectionId') !== undefined) return undefined;
      const [inner, error] = [get(result, 'result'), get(result, 'error')];
      if (inner !== undefined && error !== undefined)
        return fail('both `result` and `error`', { pointer: '/result' });
      if (inner === undefined && error === undefined)
        return fail('neither `result` nor `error`', { pointer: '/result' });
      return 'pass';
    }),
  ],
};

const OLD = ['mcp/connect', 'mcp/disconnect'] as const;

function legacy(method: string): Fault {
  return fail(`\`${method}\`, which SDK 2.4.0 took away`);
}

function oldShape(params: Json | undefined): Fault | 'pass' {
  if (get(params, 'connectionId') === undefined) return 'pass';
  return fail('a `connectionId`, which SDK 2.4.0 took away', { pointer: '/params/connectionId' });
}

const legacyShape: Rule = {
  id: 'mcp/legacy',
  versions: [1, 2],
  side: 'sender',
  severity: 'hint',
  clause: 'MCP over ACP names a server in each message; connecting is of older drafts',
  on: [
    onRequest(OLD, ({ method }) => legacy(method)),
    onNotification(OLD, ({ method }) => legacy(method)),
    onRequest(['mcp/message'], ({ params }) => oldShape(params)),
    onNotification(['mcp/message'], ({ params }) => oldShape(params)),
  ],
};

export const MCP: readonly Rule[] = [envelope, legacyShape];
export const MCP_FOLDS: readonly Fold[] = [mcpFold];
