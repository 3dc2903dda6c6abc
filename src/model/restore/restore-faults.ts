// What is wrong with the parameters of a restore request, by its schema: each makes −32602 due.
import { get, isArray, str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { isAbsolutePath } from '../../lib/absolute-path.ts';

export interface RequestFault {
  readonly field: 'sessionId' | 'cwd' | 'mcpServers';
  readonly what: 'missing' | 'relative' | 'type';
  /** A clause: `mcpServers is missing`. */
  readonly words: string;
}

export function requestFaults(method: string, params: Json | undefined): RequestFault[] {
  const faults: RequestFault[] = [];
  const add = (field: RequestFault['field'], what: RequestFault['what'], words: string) =>
    faults.push({ field, what, words: `${field} ${words}` });
  if (str(params, 'sessionId') === undefined) add('sessionId', 'missing', 'must be a string');
  const cwd = str(params, 'cwd');
  if (cwd === undefined) add('cwd', 'missing', 'is missing');
  else if (!isAbsolutePath(cwd)) add('cwd', 'relative', 'is not absolute');
  const servers = get(params, 'mcpServers');
  if (servers === undefined) {
    if (method === 'session/load') add('mcpServers', 'missing', 'is missing');
  } else if (!isArray(servers)) add('mcpServers', 'type', 'is no array');
  return faults;
}
