// Checks a message against the protocol and warns in words. It forbids nothing: what is sent is up
// to the person. The verdict on params and results is that of validators compiled from the SDK's
// schemas; the words come from walking the same schemas (explain.ts).
import { get, isObject } from '../json.ts';
import type { Json, Message } from '../message.ts';
import type { Role, Version } from '../methods.ts';
import { isUnstable, oddId, oddMethod } from './envelope.ts';
import { explain } from './explain.ts';
import type { Remark } from './explain.ts';
import { loadShapes, loadValidators } from './load.ts';
import { fieldOf } from './lookup.ts';
import { subject, tokens } from './pointer.ts';
import { fieldsOf, layersOf, rootShape } from './resolve.ts';
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
      return [...ids, ...(await partWarnings(version, from, requestMethod, 'result', result))];
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
        ...(await partWarnings(version, from, method, part, params)),
        ...pathWarnings(method, params),
      ];
    }
  }
}

function at(pointer: string, message: string | undefined): readonly Warning[] {
  return message === undefined ? [] : [{ pointer, message }];
}

async function partWarnings(
  version: Version,
  from: Role,
  method: string,
  part: Part,
  value: Json | undefined,
): Promise<readonly Warning[]> {
  const shapes = await loadShapes(version);
  const root = rootShape(shapes, from, method, part);
  if (!root) return [];
  const pointer = part === 'result' ? '/result' : '/params';
  if (value === undefined) {
    const required = Object.entries(fieldsOf(layersOf(shapes, root, undefined)))
      .filter(([, field]) => field.required)
      .map(([name]) => `\`${name}\``);
    if (required.length === 0) return [];
    return [{ pointer: '', message: `\`params\` is missing, with ${required.join(', ')}` }];
  }
  const remarks = explain(shapes, root, value, pointer);
  const verdict = await verdictOf(version, from, method, part, value);
  const wrong = remarks.filter(({ kind }) => kind === 'wrong');
  const kept = verdict === 'wrong' ? remarks : remarks.filter((remark) => !wrong.includes(remark));
  const told = kept.length > 0 ? [] : VERDICT[verdict](version);
  const warnings = await Promise.all(
    kept.map((remark) =>
      otherVersion(3 - version === 1 ? 1 : 2, from, method, part, value, remark),
    ),
  );
  return [...warnings, ...told.map((message) => ({ pointer, message }))];
}

type Verdict = 'fine' | 'unstable' | 'wrong';

/** What is said where the walk found no words for a verdict. */
const VERDICT: Readonly<Record<Verdict, (version: Version) => readonly string[]>> = {
  fine: () => [],
  unstable: (version) => [`only the unstable schema of v${version} allows this`],
  wrong: (version) => [`does not fit the schema of v${version}`],
};

async function verdictOf(
  version: Version,
  from: Role,
  method: string,
  part: Part,
  value: Json,
): Promise<Verdict> {
  const asker = part !== 'result' ? from : from === 'client' ? 'agent' : 'client';
  const keys = handlers(asker).map((side) => `${side} ${method} ${part}`);
  for (const stable of [true, false]) {
    const validators = await loadValidators(version, stable);
    if (keys.some((key) => validators[key]?.(value))) return stable ? 'fine' : 'unstable';
  }
  return 'wrong';
}

/** A field or value unknown here, which the other version knows at the same place, is told so. */
async function otherVersion(
  other: Version,
  from: Role,
  method: string,
  part: Part,
  value: Json,
  remark: Remark,
): Promise<Warning> {
  const { pointer, message, name } = remark;
  if (name === undefined) return { pointer, message };
  const shapes = await loadShapes(other);
  const root = rootShape(shapes, from, method, part);
  const path = tokens(pointer).slice(1);
  const field = root && fieldOf(shapes, root, value, path);
  const knows =
    field !== undefined &&
    (remark.kind === 'unknown-field' ||
      (field.shape.is === 'words' && field.shape.values.some((word) => word.value === name)));
  if (!knows) return { pointer, message };
  const what =
    remark.kind === 'unknown-field' ? 'is a field' : `is ${JSON.stringify(name)}, a value`;
  return {
    pointer,
    message: `${subject(pointer)} ${what} of v${other}; v${3 - other} has none such`,
  };
}

const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/;

/** Paths that the protocol wants absolute, which no schema can say. */
function pathWarnings(method: string, params: Json | undefined): readonly Warning[] {
  if (!isObject(params)) return [];
  const paths: [string, Json | undefined][] = [['cwd', get(params, 'cwd')]];
  if (method.startsWith('fs/')) paths.push(['path', get(params, 'path')]);
  const directories = get(params, 'additionalDirectories');
  if (Array.isArray(directories))
    directories.forEach((path: Json, i) => paths.push([`additionalDirectories/${i}`, path]));
  return paths.flatMap(([place, path]) => {
    if (typeof path !== 'string' || ABSOLUTE.test(path)) return [];
    const pointer = `/params/${place}`;
    const message = `${subject(pointer)} is ${JSON.stringify(path)}; an absolute path is due`;
    return [{ pointer, message }];
  });
}
