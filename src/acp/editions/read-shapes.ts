// Looks whether the shapes in an edition's document can be read (schema/shape.ts), so that no check fails on them later.
import { get, isArray, isObject, str } from '../json.ts';
import type { Json } from '../message.ts';
import { Plans } from '../schema/plan.ts';
import type { Shapes } from '../schema/shape.ts';

/** Returns why these are no shapes, as a sentence; undefined if they can be read. */
export function oddShapes(shapes: Json): string | undefined {
  for (const name of ['defs', 'methods', 'about'])
    if (!isObject(get(shapes, name))) return `\`schema.shapes.${name}\` is not an object`;
  const defs = Object.entries(get(shapes, 'defs') ?? {});
  for (const [name, def] of defs) {
    const odd = oddPlace(def, `schema.shapes.defs.${name}`);
    if (odd !== undefined) return `\`${odd}\` is not a shape`;
  }
  const methods = get(shapes, 'methods') ?? {};
  for (const [name, parts] of Object.entries(methods))
    if (!isObject(parts) || !Object.values(parts).every((part) => typeof part === 'string'))
      return `\`schema.shapes.methods["${name}"]\` is not an object of strings`;
  // Every field that plans are made of was checked.
  const plans = new Plans(shapes as unknown as Shapes);
  for (const [name] of defs)
    try {
      plans.def(name);
    } catch {
      return `\`schema.shapes.defs.${name}\` refers to itself`;
    }
  return undefined;
}

/** The place of the first part that is no shape. */
function oddPlace(shape: Json | undefined, at: string): string | undefined {
  const parts = partsOf(shape);
  if (parts === undefined) return at;
  for (const [name, part] of parts) {
    const odd = oddPlace(part, `${at}.${name}`);
    if (odd !== undefined) return odd;
  }
  return undefined;
}

type Part = readonly [name: string, shape: Json | undefined];

/** The shapes that a shape holds; undefined: it is no shape. */
function partsOf(shape: Json | undefined): readonly Part[] | undefined {
  if (!isObject(shape)) return undefined;
  switch (str(shape, 'is')) {
    case 'any':
    case 'null':
    case 'boolean':
    case 'number':
      return [];
    case 'string':
      return isPattern(str(shape, 'pattern') ?? '') ? [] : undefined;
    case 'ref':
      return str(shape, 'to') === undefined ? undefined : [];
    case 'words':
      return isArray(shape['values']) && shape['values'].every(hasValue) ? [] : undefined;
    case 'array':
      return [['of', shape['of']]];
    case 'either':
      return isArray(shape['of']) ? numbered('of', shape['of']) : undefined;
    case 'object':
      return partsOfObject(shape);
    default:
      return undefined;
  }
}

function partsOfObject(shape: Json): readonly Part[] | undefined {
  const fields = get(shape, 'fields') ?? {};
  const [all, ways, cases] = ['all', 'ways', 'cases'].map((name) => get(shape, name) ?? []);
  if (!isObject(fields) || !isArray(all) || !isArray(ways)) return undefined;
  if (!isArray(cases) || !cases.every(hasValue)) return undefined;
  const single = ['map', 'other', 'untagged'].map((name): Part => [name, get(shape, name)]);
  const chosen = cases.map((one, at): Part => [`cases.${at}`, get(one, 'shape')]);
  return [
    ...Object.entries(fields).map(([name, one]): Part => [`fields.${name}`, get(one, 'shape')]),
    ...numbered('all', all),
    ...numbered('ways', ways),
    ...[...single, ...chosen].filter(([, part]) => part !== undefined),
  ];
}

function numbered(name: string, shapes: readonly Json[]): readonly Part[] {
  return shapes.map((one, at) => [`${name}.${at}`, one]);
}

function hasValue(word: Json): boolean {
  return str(word, 'value') !== undefined;
}

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}
