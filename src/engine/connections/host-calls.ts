// What the agent asks of this machine, as the relay takes it. The params are the agent's words:
// what is missing or of another type is answered -32602 and never guessed.
import { CODE } from '../../acp/errors.ts';
import { arr, get, isObject, num, str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import type { HostCall } from '../../link/messages.ts';
import { defined } from '../../lib/defined.ts';

/** The call, or the error due for params that do not say one. */
type AskedOfHost =
  { readonly call: HostCall } | { readonly code: number; readonly message: string };

export function hostCall(method: string, params: Json | undefined): AskedOfHost {
  switch (method) {
    case 'fs/read_text_file': {
      const path = str(params, 'path');
      if (path === undefined) return wrong('path');
      const [line, limit] = [num(params, 'line'), num(params, 'limit')];
      return { call: { op: method, path, ...defined({ line, limit }) } };
    }
    case 'fs/write_text_file': {
      const [path, content] = [str(params, 'path'), str(params, 'content')];
      if (path === undefined) return wrong('path');
      if (content === undefined) return wrong('content');
      return { call: { op: method, path, content } };
    }
    case 'terminal/create':
      return create(params);
    case 'terminal/output':
    case 'terminal/wait_for_exit':
    case 'terminal/kill':
    case 'terminal/release': {
      const terminalId = str(params, 'terminalId');
      return terminalId === undefined ? wrong('terminalId') : { call: { op: method, terminalId } };
    }
    default:
      return { code: CODE.methodNotFound, message: `Method not found: ${method}` };
  }
}

function create(params: Json | undefined): AskedOfHost {
  const command = str(params, 'command');
  if (command === undefined) return wrong('command');
  const args = arr(params, 'args');
  if (!args.every((arg) => typeof arg === 'string')) return wrong('args');
  const env: [string, string][] = [];
  for (const entry of arr(params, 'env')) {
    const [name, value] = [str(entry, 'name'), str(entry, 'value')];
    if (!isObject(entry) || name === undefined || value === undefined) return wrong('env');
    env.push([name, value]);
  }
  const cwd = get(params, 'cwd') ?? undefined;
  if (cwd !== undefined && typeof cwd !== 'string') return wrong('cwd');
  const outputByteLimit = num(params, 'outputByteLimit');
  const call = { op: 'terminal/create', command, args, env: Object.fromEntries(env) } as const;
  return { call: { ...call, ...defined({ cwd, outputByteLimit }) } };
}

function wrong(field: string): AskedOfHost {
  return { code: CODE.invalidParams, message: `Invalid params: ${field} is missing or wrong` };
}
