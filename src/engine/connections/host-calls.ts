// What the agent asks of this machine, as the relay takes it. The params are the agent's words: what
// is missing, of another type, or no value that JSON can hold is answered -32602 and never guessed.
import { CODE, type Json } from '../../acp/message.ts';
import { isArray, isObject, str } from '../../acp/json.ts';
import { hostCall as readCall } from '../../link/host-call.ts';
import type { HostCall } from '../../link/messages.ts';

/** The call, or the error due for params that do not say one. */
type AskedOfHost =
  { readonly call: HostCall } | { readonly code: number; readonly message: string };

export function askedOfHost(method: string, params: Json | undefined): AskedOfHost {
  // What may be left out may be null.
  const given = Object.entries(isObject(params) ? params : {}).filter(
    ([, value]) => value !== null,
  );
  const fields = Object.fromEntries(given);
  const read = readCall(
    method === 'terminal/create'
      ? { args: [], ...fields, env: envOf(fields['env']), op: method }
      : { ...fields, op: method },
  );
  if (read.ok) return { call: read.value };
  if (read.at === 'op')
    return { code: CODE.methodNotFound, message: `Method not found: ${method}` };
  return { code: CODE.invalidParams, message: `Invalid params: ${read.at} is missing or wrong` };
}

/** ACP's list of variables as a record; undefined: it is no such list. */
function envOf(list: Json | undefined): Readonly<Record<string, string>> | undefined {
  if (list === undefined) return {};
  if (!isArray(list)) return undefined;
  const entries: [string, string][] = [];
  for (const entry of list) {
    const [name, value] = [str(entry, 'name'), str(entry, 'value')];
    if (name === undefined || value === undefined) return undefined;
    entries.push([name, value]);
  }
  return Object.fromEntries(entries);
}
