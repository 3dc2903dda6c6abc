// A path into a message, and what is asked of the values it leads to: `$.params.update.title~"bash"`.
import { isArray, isObject, parseJson, type Json } from '../../acp/json.ts';

/** A key, a place from 0, or any of them. */
type Step = string | number | typeof ANY;
const ANY = null;

export const PATH_OPERATORS = ['=', '!=', '~', '>', '>=', '<', '<='] as const;
export type PathOperator = (typeof PATH_OPERATORS)[number];

/** It is met if one of the values is. Plain data, which can be sent to a worker. */
export interface PathTest {
  readonly path: readonly Step[];
  /** Absent: it is enough that there is a value. */
  readonly compare?: {
    readonly operator: PathOperator;
    readonly value: Json | RegExp;
  };
}

/** The steps of what begins with `$`, and where they end; a number: they cannot be read from there. */
export function readPath(
  query: string,
  from: number,
): { readonly path: readonly Step[]; readonly to: number } | number {
  const path: Step[] = [];
  let at = from + 1;
  for (;;) {
    const next = /^\.([\p{L}\p{N}_$-]+)|^(\.\*|\[\*\])|^\[(\d+)\]|^\[("(?:[^"\\]|\\.)*")\]/u.exec(
      query.slice(at),
    );
    if (next === null) break;
    const [whole, key, any, place, quoted] = next;
    if (any !== undefined) path.push(ANY);
    else if (place !== undefined) path.push(Number(place));
    else {
      const named = key ?? parseJson(quoted ?? '');
      if (typeof named !== 'string') return at;
      path.push(named);
    }
    at += whole.length;
  }
  return /^(?:$|[\s|)]|[=!~<>])/.test(query.slice(at)) ? { path, to: at } : at;
}

/** Whether a message says so. */
export function matchesPath({ path, compare }: PathTest, message: Json): boolean {
  const found = valuesAt(message, path, 0);
  return compare === undefined
    ? found.length > 0
    : found.some((value) => compares(value, compare.operator, compare.value));
}

function valuesAt(value: Json, path: readonly Step[], depth: number): readonly Json[] {
  const step = path[depth];
  if (step === undefined) return [value];
  const next = (inner: Json) => valuesAt(inner, path, depth + 1);
  if (isArray(value)) {
    if (step === ANY) return value.flatMap(next);
    const one = typeof step === 'number' ? value[step] : undefined;
    return one === undefined ? [] : next(one);
  }
  if (!isObject(value)) return [];
  if (step === ANY) return Object.values(value).flatMap(next);
  const key = String(step);
  return Object.hasOwn(value, key) ? next(value[key] ?? null) : [];
}

function compares(value: Json, operator: PathOperator, wanted: Json | RegExp): boolean {
  if (operator === '~') {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (wanted instanceof RegExp) return wanted.test(text);
    return text.toLowerCase().includes(String(wanted).toLowerCase());
  }
  if (operator === '=') return value === wanted;
  if (operator === '!=') return value !== wanted;
  if (typeof value !== 'number' || typeof wanted !== 'number') return false;
  switch (operator) {
    case '>':
      return value > wanted;
    case '>=':
      return value >= wanted;
    case '<':
      return value < wanted;
    case '<=':
      return value <= wanted;
  }
}
