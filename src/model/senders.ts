// Who sent a bare JSON-RPC line, told from what it says: a method that only one side calls; an answer,
// by the request it answers. For logs that do not say it.
import { str } from '../acp/json.ts';
import { methodsNamed } from '../acp/methods.ts';
import { idKey, parseMessage } from '../acp/message.ts';
import type { Senders } from '../trace/import/format.ts';
import { otherSide, type Side } from '../trace/event.ts';

/** Of one file, in its order. */
export function senders(): Senders {
  const open: Record<Side, Set<string>> = { client: new Set(), agent: new Set() };
  return {
    next(line) {
      const message = parseMessage(line);
      switch (message.kind) {
        case 'request':
        case 'notification': {
          const from = callerOf(message.method);
          if (message.kind === 'request' && from) open[from].add(idKey(message.id));
          return from;
        }
        case 'success':
        case 'failure': {
          const key = idKey(message.id);
          const asking = (['client', 'agent'] as const).filter((side) => open[side].has(key));
          const [asker] = asking;
          // Both count their requests by themselves: the same id may wait on either side.
          if (asker === undefined || asking.length > 1) return undefined;
          open[asker].delete(key);
          return otherSide(asker);
        }
        case 'invalid':
          // Without "jsonrpc" it is no message; its method says as much.
          return callerOf(str(message.value, 'method') ?? '');
      }
    },
  };
}

/** Undefined: nobody calls it, or both do. */
function callerOf(name: string): Side | undefined {
  const callers = new Set(methodsNamed(name).map(({ from }) => from));
  const [caller] = callers;
  return callers.size === 1 && caller !== 'both' ? caller : undefined;
}
