// What is odd about a message before its params are looked at: its id and its method, in words.
import { isWhole, type RequestId } from '../message.ts';
import {
  METHODS,
  methodsNamed,
  supportOf,
  type Method,
  type Role,
  type Version,
} from '../methods.ts';
import { nearestField } from './remark.ts';

/** @param answersError an error may carry a null id, where the request's could not be read */
export function oddId(version: Version, id: RequestId, answersError: boolean): string | undefined {
  if (id.type === 'null') {
    if (answersError) return undefined;
    return version === 1 ? 'a null id is discouraged' : 'the id is null; v2 has no null ids';
  }
  if (id.type === 'string' || isWhole(id)) return undefined;
  return `the id is ${id.token}; expected a whole number or a string`;
}

/** What has the place of a method in the other version. */
const COUNTERPART: Readonly<Record<string, string>> = {
  authenticate: 'auth/login',
  logout: 'auth/logout',
  'auth/login': 'authenticate',
  'auth/logout': 'logout',
  'session/load': 'session/resume',
  'session/set_mode': 'session/set_config_option',
};

/** The method under which the other version has what this one has under `name`. */
export function counterpartOf(name: string, other: Version): string {
  const isThere = methodsNamed(name).some((method) => supportOf(method, other));
  return isThere ? name : (COUNTERPART[name] ?? name);
}

/** Why params cannot be judged: the method is unknown here, or goes another way. */
export function oddMethod(
  version: Version,
  from: Role,
  name: string,
  kind: Method['kind'],
): string | undefined {
  const quoted = `\`${name}\``;
  const all = methodsNamed(name);
  if (all.length === 0) {
    const meant = nearestField(name, [...new Set(METHODS.map((method) => method.name))]);
    if (meant !== undefined) return `${quoted} is not a method of ACP; did you mean \`${meant}\`?`;
    return `${quoted} is not a method of ACP; methods of one's own begin with _`;
  }
  const here = all.filter((method) => supportOf(method, version));
  if (here.length === 0) {
    const instead = COUNTERPART[name];
    const how = name === 'session/load' ? ' with `replayFrom`' : '';
    const hint = instead === undefined ? '' : `, v${version} has \`${instead}\`${how}`;
    return `${quoted} is not a method of v${version}; v${3 - version} has it${hint}`;
  }
  const mine = here.filter((method) => method.from === from || method.from === 'both');
  if (mine.length === 0)
    return `${quoted} is for the ${from === 'client' ? 'agent' : 'client'} to send`;
  if (mine.some((method) => method.kind === kind)) return undefined;
  return kind === 'request'
    ? `${quoted} is a notification; the id asks for an answer that is not due`
    : `${quoted} is a request, which needs an id; nobody responds to a notification`;
}

/** True if only the unstable schema of a version has a method. */
export function isUnstable(version: Version, name: string): boolean {
  return !methodsNamed(name).some((method) => supportOf(method, version)?.stable);
}
