// Checks a message for the composer and warns in words. It forbids nothing: what is sent is up to
// the person. To what the schemas say of any frame (frame-check.ts) it adds what is odd about the
// envelope and about paths.
import { isAbsolutePath } from '../../lib/absolute-path.ts';
import { get, isArray, isObject } from '../json.ts';
import type { Json, Message } from '../message.ts';
import type { Role, Version } from '../methods.ts';
import { oddId, oddMethod } from './envelope.ts';
import { frameRemarks, loadSchemaSet } from './frame-check.ts';
import { remarkWords } from './remark-words.ts';
import { subject } from './words.ts';

interface Warning {
  /** JSON Pointer into the message: `/params/cwd`; the empty one is the message itself. */
  readonly pointer: string;
  /** One clause: what the message has, and what the schema expects. */
  readonly message: string;
}

/**
 * @param from who sends the message
 * @param requestMethod the method of the request that an answer answers, where it is known
 */
export async function checkMessage(
  version: Version,
  from: Role,
  message: Message,
  requestMethod?: string,
): Promise<readonly Warning[]> {
  const odd = oddEnvelope(version, from, message);
  if (message.kind === 'invalid' || odd.some(({ pointer }) => pointer === '/method')) return odd;
  const set = await loadSchemaSet(version);
  // What a later edition than the schemas' made of it is no slip of the person who writes.
  const remarks = frameRemarks(set, from, message, requestMethod).filter(
    ({ lacking }) => lacking === undefined,
  );
  const paths =
    'method' in message && !isOwn(message.method)
      ? pathWarnings(message.method, message.params)
      : [];
  return [
    ...odd,
    ...remarks.map((remark) => ({
      pointer: remark.pointer,
      message: remarkWords(remark).message,
    })),
    ...paths,
  ];
}

function oddEnvelope(version: Version, from: Role, message: Message): readonly Warning[] {
  switch (message.kind) {
    case 'invalid':
      return at('', message.why);
    case 'failure':
    case 'success':
      return at('/id', oddId(version, message.id, message.kind === 'failure'));
    case 'request':
    case 'notification': {
      const { kind, method } = message;
      const ids = kind === 'request' ? at('/id', oddId(version, message.id, false)) : [];
      if (isOwn(method)) return ids;
      return [...ids, ...at('/method', oddMethod(version, from, method, kind))];
    }
  }
}

/** One's own: nothing is known of it. */
function isOwn(method: string): boolean {
  return method.startsWith('_');
}

function at(pointer: string, message: string | undefined): readonly Warning[] {
  return message === undefined ? [] : [{ pointer, message }];
}

/** Paths that the protocol wants absolute, which no schema can say. */
function pathWarnings(method: string, params: Json | undefined): readonly Warning[] {
  if (!isObject(params)) return [];
  const paths: [string, Json | undefined][] = [['cwd', get(params, 'cwd')]];
  if (method.startsWith('fs/')) paths.push(['path', get(params, 'path')]);
  const directories = get(params, 'additionalDirectories');
  if (isArray(directories))
    directories.forEach((path, i) => paths.push([`additionalDirectories/${i}`, path]));
  return paths.flatMap(([place, path]) => {
    if (typeof path !== 'string' || isAbsolutePath(path)) return [];
    const pointer = `/params/${place}`;
    const message = `${subject(pointer)} is ${JSON.stringify(path)}; expected an absolute path`;
    return [{ pointer, message }];
  });
}
