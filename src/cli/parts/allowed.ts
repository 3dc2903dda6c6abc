// `--allow-command`: what a page may start without a question, as a list of words, or as an object that
// allows more. No sentence here says a value: it may be a secret.
import { resolve } from 'node:path';
import { is, isFields, isText, isTextRecord, maybe, object } from '../../lib/shape.ts';
import type { Allowed } from '../../relay/approval/approvals.ts';
import { refuseVariable, UsageError } from '../command.ts';

const FORM =
  '--allow-command takes a JSON list of words, such as ["node","agent.js"], or an object of argv, cwd, env, roots and terminals';

const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);

const FIELDS = {
  argv: is<readonly string[]>((value) => isTexts(value) && value.length > 0),
  cwd: maybe(is<string>(isText)),
  env: maybe(is<Allowed['env']>(isTextRecord)),
  roots: maybe(is<readonly string[]>(isTexts)),
  terminals: maybe(is<boolean>((value) => typeof value === 'boolean')),
};
const wish = object<Partial<Omit<Allowed, 'terminals'>> & { readonly terminals?: boolean }>(FIELDS);

/** Folders are seen from where we are; what is not said is not allowed. */
export function allowedOf(text: string): Allowed {
  const value = parsed(text);
  const fields = Array.isArray(value) ? { argv: value as unknown } : value;
  const unknown =
    isFields(fields) && Object.keys(fields).find((name) => !Object.hasOwn(FIELDS, name));
  if (unknown) throw new UsageError(`${FORM}; there is no ${JSON.stringify(unknown)}.`);
  const read = wish(fields);
  if (!read.ok) throw new UsageError(`${FORM}; ${read.at || 'this'} is missing or wrong.`);
  const { argv = [], cwd = '.', env = {}, roots = [], terminals = false } = read.value;
  refuseVariable(argv);
  return {
    ...{ argv, cwd: resolve(cwd), env, roots: roots.map((root) => resolve(root)) },
    ...(terminals && { terminals }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${FORM}; this is no JSON.`);
  }
}
