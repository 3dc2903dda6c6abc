// What the schemas know of a place in a message: for completion, and for words beside a field.
// The unstable schema is asked, which has all of the stable one; what only it has is marked.
import { get, isArray } from '../json.ts';
import type { Json } from '../message.ts';
import type { Role, Version } from '../methods.ts';
import { loadShapes } from './load.ts';
import { deref, fieldsOf, layersOf, rootShape } from './resolve.ts';
import type { Field, Part, Shape, Shapes, Word } from './shape.ts';
import { dueWords } from './words.ts';

export interface Place {
  readonly version: Version;
  /** Who sends the message this place is in. */
  readonly from: Role;
  /** The method; for a result, that of the request it answers. */
  readonly method: string;
  readonly part: Part;
  /** Keys and list places from the params or the result on. */
  readonly path: readonly (string | number)[];
  /** The params or result as they stand, to tell which variant is meant. Without, all are. */
  readonly value?: Json | undefined;
}

export interface FieldInfo {
  /** Empty for the params or the result itself. */
  readonly name: string;
  readonly required: boolean;
  /** "a string", "a list of objects or null". */
  readonly type: string;
  readonly description?: string;
  /** Where the value is one of some words. */
  readonly values?: readonly ValueInfo[];
  /** Only the unstable schema has it. */
  readonly unstable?: true;
}

interface ValueInfo {
  readonly value: string;
  readonly description?: string;
  readonly unstable?: true;
}

/** The fields an object at this place may have, required ones first. Empty for anything else. */
export async function fieldsAt(place: Place): Promise<readonly FieldInfo[]> {
  const shapes = await loadShapes(place.version);
  const found = fieldAt(shapes, place);
  if (!found) return [];
  const value = valueAt(place.value, place.path);
  const sure = fieldsOf(layersOf(shapes, found.shape, value));
  const all =
    place.value === undefined ? fieldsOf(layersOf(shapes, found.shape, value, true)) : sure;
  return Object.entries(all)
    .map(([name, field]) => {
      const info = infoOf(shapes, name, field);
      return Object.hasOwn(sure, name) ? info : { ...info, required: false };
    })
    .sort((a, b) => Number(b.required) - Number(a.required));
}

/** What the schema says of the value at this place; undefined where it says nothing. */
export async function describe(place: Place): Promise<FieldInfo | undefined> {
  const shapes = await loadShapes(place.version);
  const found = fieldAt(shapes, place);
  return found && infoOf(shapes, String(place.path.at(-1) ?? ''), found);
}

function fieldAt(shapes: Shapes, { from, method, part, path, value }: Place): Field | undefined {
  const root = rootShape(shapes, from, method, part);
  return root && fieldOf(shapes, root, value, path);
}

/** The field at a path below a shape. A list's item counts as a field of its list's words. */
export function fieldOf(
  shapes: Shapes,
  root: Shape,
  value: Json | undefined,
  path: readonly (string | number)[],
): Field | undefined {
  let field: Field | undefined = { shape: root };
  let here = value;
  for (const step of path) {
    field = below(shapes, field.shape, here, String(step));
    if (!field) return undefined;
    here = valueAt(here, [step]);
  }
  return field;
}

function below(
  shapes: Shapes,
  shape: Shape,
  value: Json | undefined,
  step: string,
): Field | undefined {
  const here = deref(shapes, shape);
  if (here.is === 'array') return { shape: here.of };
  if (here.is === 'either') {
    for (const branch of here.of) {
      const found = below(shapes, branch, value, step);
      if (found) return found;
    }
  }
  const layers = layersOf(shapes, here, value, true);
  const field = fieldsOf(layers)[step];
  if (field) return field;
  const map = layers.find((layer) => layer.map)?.map;
  return map && { shape: map };
}

function valueAt(value: Json | undefined, path: readonly (string | number)[]): Json | undefined {
  let here = value;
  for (const step of path) here = isArray(here) ? here[Number(step)] : get(here, String(step));
  return here;
}

function infoOf(shapes: Shapes, name: string, field: Field): FieldInfo {
  const shape = deref(shapes, field.shape);
  const description = field.text ?? shape.text;
  const values = valuesOf(shape);
  return {
    name,
    required: field.required === true,
    type: dueWords(shapes, shape),
    ...(description === undefined ? {} : { description }),
    ...(values === undefined ? {} : { values }),
    ...(field.unstable ? { unstable: true } : {}),
  };
}

function valuesOf(shape: Shape): readonly ValueInfo[] | undefined {
  if (shape.is === 'boolean') return [{ value: 'true' }, { value: 'false' }];
  if (shape.is !== 'words') return undefined;
  return shape.values.map(({ value, text, unstable }: Word) => ({
    value,
    ...(text === undefined ? {} : { description: text }),
    ...(unstable ? { unstable } : {}),
  }));
}
