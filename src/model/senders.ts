// Who sent a bare JSON-RPC line: the method that only one side calls; the result that only one side gives; the request
// that is answered. For logs that do not say it.
import { isObject, str } from '../acp/json.ts';
import { methodsNamed } from '../acp/methods.ts';
import { idKey, parseMessage, type Json } from '../acp/message.ts';
import type { Senders } from '../trace/import/format.ts';
import { otherSide, type Side } from '../trace/event.ts';

const HELLO = 'initialize';
/** Fields of results by who gives them. */
const RESULT_FIELDS: Readonly<Record<Side, readonly string[]>> = {
  agent: ['protocolVersion', 'agentCapabilities', 'sessionId', 'stopReason', 'sessions'],
  client: ['outcome', 'content', 'terminalId', 'output'],
};
/** The field that the result of a request has. */
const RESULT_FIELD: Readonly<Record<string, string>> = {
  initialize: 'protocolVersion',
  'session/new': 'sessionId',
  'session/fork': 'sessionId',
  'session/list': 'sessions',
  'session/request_permission': 'outcome',
  'fs/read_text_file': 'content',
  'terminal/create': 'terminalId',
  'terminal/output': 'output',
};

/** Of one file, in its order. */
export function senders(): Senders {
  /** Methods of open requests by id. */
  let open: Record<Side, Map<string, string>> = { client: new Map(), agent: new Map() };
  /** Requests that were open at a later `initialize`: their agent has ended, or they are of another connection. */
  let stale: typeof open | undefined;
  let isGreeted = false;
  return {
    next(line) {
      const message = parseMessage(line);
      switch (message.kind) {
        case 'request':
        case 'notification': {
          const from = callerOf(message.method);
          if (!from) return undefined;
          const sender = { side: from, isSure: true, isAnswer: false };
          if (message.kind === 'notification') return sender;
          const key = idKey(message.id);
          const isHello = message.method === HELLO;
          // After a second `initialize`, an id that is used twice, and a request before its response, are of two clients.
          const isBeside = isHello
            ? open[from].get(key) === HELLO
            : stale !== undefined && (open[from].has(key) || isGreeting(open.client));
          if (isHello && isGreeted) {
            stale = open;
            open = { client: new Map(), agent: new Map() };
          }
          isGreeted ||= isHello;
          open[from].set(key, message.method);
          return isBeside ? { ...sender, beginsBeside: true } : sender;
        }
        case 'success':
        case 'failure': {
          const key = idKey(message.id);
          const result = message.kind === 'success' ? message.result : undefined;
          const giver = giverOf(result);
          // Both count their requests by themselves: the same id may wait on either side.
          const asking = (['client', 'agent'] as const).filter((side) =>
            mayAnswer(open[side].get(key), result),
          );
          const [asker] = giver ? [otherSide(giver)] : asking;
          // The connection from before goes on.
          const late = (['client', 'agent'] as const).find(
            (side) => (asker ?? side) === side && mayAnswer(stale?.[side].get(key), result),
          );
          const isBeside = late !== undefined && !open[late].has(key);
          const by = asker ?? (isBeside ? late : undefined);
          if (by === undefined || (!giver && asking.length > 1)) return undefined;
          if (!open[by].delete(key)) stale?.[by].delete(key);
          const said = { side: otherSide(by), isSure: giver !== undefined, isAnswer: true };
          return isBeside ? { ...said, beginsBeside: true } : said;
        }
        case 'invalid': {
          // Without "jsonrpc" it is no message; its method says as much.
          const from = callerOf(str(message.value, 'method') ?? '');
          return from && { side: from, isSure: true, isAnswer: false };
        }
      }
    },
  };
}

function isGreeting(open: ReadonlyMap<string, string>): boolean {
  return [...open.values()].includes(HELLO);
}

/** The side that gives such a result; undefined if either may. */
function giverOf(result: Json | undefined): Side | undefined {
  if (!isObject(result)) return undefined;
  const givers = (['agent', 'client'] as const).filter((side) =>
    RESULT_FIELDS[side].some((field) => Object.hasOwn(result, field)),
  );
  return givers.length === 1 ? givers[0] : undefined;
}

/** True if a result may be that of the open request. `result`: undefined for an error. */
function mayAnswer(method: string | undefined, result: Json | undefined): boolean {
  if (method === undefined) return false;
  const field = RESULT_FIELD[method];
  return result === undefined || field === undefined || (isObject(result) && field in result);
}

/** Undefined: nobody calls it, or both do. */
function callerOf(name: string): Side | undefined {
  const callers = new Set(methodsNamed(name).map(({ from }) => from));
  const [caller] = callers;
  return callers.size === 1 && caller !== 'both' ? caller : undefined;
}
