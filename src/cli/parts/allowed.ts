// `--allow-command`: what a page may start without a question, as a list of words, or as an object that
// allows more. None of the sentences here says a value: it may be a secret.
import { resolve } from 'node:path';
import type { Allowed } from '../../relay/approval/approvals.ts';
import { refuseVariable, UsageError } from '../command.ts';

const FIELDS = ['argv', 'cwd', 'env', 'roots', 'terminals'] as const;
type Fields = Partial<Record<(typeof FIELDS)[number], unknown>>;

const FORM =
  '--allow-command takes a JSON list of words, such as ["node","agent.js"], or an object of argv, cwd, env, roots and terminals';

/** Folders are those seen from where we are; nothing that is not said is allowed. */
export function allowedOf(text: string): Allowed {
  const { argv, cwd = '.', env = {}, roots = [], terminals = false } = fieldsOf(text);
  if (!isTexts(argv) || argv.length === 0)
    throw new UsageError(`${FORM}; argv is no list of words.`);
  refuseVariable(argv);
  if (typeof cwd !== 'string') throw new UsageError(`${FORM}; cwd is no path.`);
  if (!isTextRecord(env)) throw new UsageError(`${FORM}; env is no object of texts.`);
  if (!isTexts(roots)) throw new UsageError(`${FORM}; roots is no list of paths.`);
  if (typeof terminals !== 'boolean') throw new UsageError(`${FORM}; terminals is true or false.`);
  return {
    ...{ argv, cwd: resolve(cwd), env, roots: roots.map((root) => resolve(root)) },
    ...(terminals && { terminals }),
  };
}

function fieldsOf(text: string): Fields {
  const value = parsed(text);
  if (Array.isArray(value)) return { argv: value };
  if (typeof value !== 'object' || value === null)
    throw new UsageError(`${FORM}; this is neither.`);
  const unknown = Object.keys(value).find((name) => !FIELDS.some((field) => field === name));
  if (unknown !== undefined)
    throw new UsageError(`${FORM}; there is no ${JSON.stringify(unknown)}.`);
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${FORM}; this is no JSON.`);
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((word) => typeof word === 'string');
}

function isTextRecord(value: unknown): value is Readonly<Record<string, string>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((text) => typeof text === 'string')
  );
}
