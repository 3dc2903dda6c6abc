// Checks a message against the protocol and warns in words. It forbids nothing: what is sent is up
// to the person. The words come from walking the schemas beside the message (explain.ts); that none
// are missing is made sure of by validators compiled from the same schemas.
import { isAbsolutePath } from '../../lib/absolute-path.ts';
import { get, isArray, isObject } from '../json.ts';
import type { Json, Message } from '../message.ts';
import type { Role, Version } from '../methods.ts';
import { isUnstable, oddId, oddMethod } from './envelope.ts';
import { explain } from './explain.ts';
import type { Remark } from './explain.ts';
import { loadShapes, loadValidators } from './load.ts';
import { fieldOf } from './lookup.ts';
import { subject, tokens } from './pointer.ts';
import { deref, fieldsOf, layersOf, rootShape } from './resolve.ts';
import { handlers } from './shape.ts';
import type { Part } from './shape.ts';

export interface Warning {
  /** JSON Pointer into the message: `/params/cwd`; the empty one is the message itself. */
  readonly pointer: string;
  /** One clause: what is there and what is due. */
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
  switch (message.kind) {
    case 'invalid':
      return [{ pointer: '', message: message.why }];
    case 'failure':
      return at('/id', oddId(version, message.id, true));
    case 'success': {
      const ids = at('/id', oddId(version, message.id, false));
      if (requestMethod === undefined) return ids;
      const { result } = message;
      const target = {
        version,
        from,
        method: requestMethod,
        part: 'result',
        value: result,
      } as const;
      return [...ids, ...(await partWarnings(target))];
    }
    case 'request':
    case 'notification': {
      const { kind, method, params } = message;
      const ids = kind === 'request' ? at('/id', oddId(version, message.id, false)) : [];
      if (method.startsWith('_')) return ids; // one's own: nothing is known of it
      const odd = oddMethod(version, from, method, kind);
      if (odd !== undefined) return [...ids, ...at('/method', odd)];
      const part = kind === 'request' ? 'params' : 'notification';
      const unstable = `only the unstable schema of v${version} has \`${method}\``;
      return [
        ...ids,
        ...at('/method', isUnstable(version, method) ? unstable : undefined),
        ...(params === undefined
          ? await missingParams(version, from, method, part)
          : await partWarnings({ version, from, method, part, value: params })),
        ...pathWarnings(method, params),
      ];
    }
  }
}

function at(pointer: string, message: string | undefined): readonly Warning[] {
  return message === undefined ? [] : [{ pointer, message }];
}

/** The params or the result of a message, and where its schema is found. */
interface Target {
  readonly version: Version;
  readonly from: Role;
  readonly method: string;
  readonly part: Part;
  readonly value: Json;
}

async function partWarnings(target: Target): Promise<readonly Warning[]> {
  const { version, from, method, part, value } = target;
  const shapes = await loadShapes(version);
  const root = rootShape(shapes, from, method, part);
  if (!root) return [];
  const pointer = part === 'result' ? '/result' : '/params';
  const remarks = explain(shapes, root, value, pointer);
  const told = await Promise.all(remarks.map((remark) => orOtherVersion(target, remark)));
  const verdict = await verdictOf(target);
  if (verdict === 'fine' || remarks.some(({ kind }) => kind === verdict)) return told;
  if (verdict === 'unstable' && isUnstable(version, method)) return told;
  return [...told, { pointer, message: BARE[verdict] }];
}

async function missingParams(
  version: Version,
  from: Role,
  method: string,
  part: Part,
): Promise<readonly Warning[]> {
  const shapes = await loadShapes(version);
  const root = rootShape(shapes, from, method, part);
  const required = Object.entries(root ? fieldsOf(layersOf(shapes, root, undefined)) : {})
    .filter(([, field]) => field.required)
    .map(([name]) => `\`${name}\``);
  if (required.length === 0) return [];
  return at('', `\`params\` is missing; ${required.join(', ')} must be in it`);
}

type Verdict = 'fine' | 'unstable' | 'wrong';

/** For a verdict of the validators that the walk found no words for. */
const BARE: Readonly<Record<Exclude<Verdict, 'fine'>, string>> = {
  unstable: 'only the unstable schema allows this',
  wrong: 'does not fit the schema',
};

async function verdictOf({ version, from, method, part, value }: Target): Promise<Verdict> {
  const asker = part !== 'result' ? from : from === 'client' ? 'agent' : 'client';
  const keys = handlers(asker).map((side) => `${side} ${method} ${part}`);
  for (const stable of [true, false]) {
    const validators = await loadValidators(version, stable);
    if (keys.some((key) => validators[key]?.(value))) return stable ? 'fine' : 'unstable';
  }
  return 'wrong';
}

/** A field or value unknown here, which the other version knows at the same place, is told so. */
async function orOtherVersion(target: Target, remark: Remark): Promise<Warning> {
  const { pointer, message, name } = remark;
  if (name === undefined) return { pointer, message };
  const { version, from, method, part, value } = target;
  const other = version === 1 ? 2 : 1;
  const shapes = await loadShapes(other);
  const root = rootShape(shapes, from, method, part);
  const field = root && fieldOf(shapes, root, value, tokens(pointer).slice(1));
  const isField = remark.kind === 'unknown-field';
  const shape = field && deref(shapes, field.shape);
  const words = shape?.is === 'words' ? shape.values : [];
  if (!field || !(isField || words.some((word) => word.value === name)))
    return { pointer, message };
  const what = isField ? 'is a field' : `is ${JSON.stringify(name)}, a value`;
  return {
    pointer,
    message: `${subject(pointer)} ${what} of v${other}; v${version} has none such`,
  };
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
    const message = `${subject(pointer)} is ${JSON.stringify(path)}; an absolute path is due`;
    return [{ pointer, message }];
  });
}
