// Says where a value does not fit a shape, one clear clause a fault, and what is odd though allowed.
// In a union the branch that the tag chose is the only one that speaks.
import { isObject, typeWords } from '../json.ts';
import type { Json, JsonObject } from '../message.ts';
import { nearest } from './nearest.ts';
import { subject, token } from './pointer.ts';
import { deref, fieldsOf, fits, isOpen, layersOf } from './resolve.ts';
import type { Field, ObjectShape, Shape, Shapes, Word } from './shape.ts';
import { dueWords, valueWords } from './words.ts';

export interface Remark {
  /** `wrong` breaks the schema. The others are allowed by it and seldom meant. */
  readonly kind: 'wrong' | 'unstable' | 'unknown-field' | 'unknown-value';
  /** JSON Pointer of the value, or of the object that lacks something. */
  readonly pointer: string;
  readonly message: string;
  /** The field or value nobody knows. */
  readonly name?: string;
}

/** All remarks on a value, in the order of its text. `pointer` is where the value stands. */
export function explain(
  shapes: Shapes,
  shape: Shape,
  value: Json,
  pointer: string,
): readonly Remark[] {
  const here = deref(shapes, shape);
  const wrong = (message: string): Remark[] => [{ kind: 'wrong', pointer, message }];
  const notDue = () =>
    wrong(`${subject(pointer)} is ${typeWords(value)}; ${dueWords(shapes, here)} is due`);
  if (value === null && here.null) return [];
  switch (here.is) {
    case 'any':
      return [];
    case 'null':
      return value === null ? [] : notDue();
    case 'boolean':
      return typeof value === 'boolean' ? [] : notDue();
    case 'string':
      if (typeof value !== 'string') return notDue();
      return badString(here, value).flatMap((what) => wrong(`${subject(pointer)} ${what}`));
    case 'number': {
      if (typeof value !== 'number') return notDue();
      if (here.integer && !Number.isInteger(value))
        return wrong(`${subject(pointer)} is ${value}; a whole number is due`);
      const { min = -Infinity, max = Infinity } = here;
      return value >= min && value <= max
        ? []
        : wrong(`${subject(pointer)} is ${value}; ${rangeWords(min, max)} is due`);
    }
    case 'words': {
      if (typeof value !== 'string') return notDue();
      const known = here.values.find((word) => word.value === value);
      if (known) return known.unstable ? [unstable(pointer, value)] : [];
      return unknownValue(pointer, value, here.values, here.open === true);
    }
    case 'array': {
      if (!Array.isArray(value)) return notDue();
      const items = value as readonly Json[];
      const few =
        items.length < (here.min ?? 0) ? wrong(`${subject(pointer)} must not be empty`) : [];
      return [
        ...few,
        ...items.flatMap((item, i) => explain(shapes, here.of, item, `${pointer}/${i}`)),
      ];
    }
    case 'object':
      return isObject(value) ? ofObject(shapes, here, value, pointer) : notDue();
    case 'either':
      return ofEither(shapes, here.of, value, pointer) ?? notDue();
  }
}

/** The remarks of the branch with the fewest; undefined where no branch is of the value's type. */
function ofEither(
  shapes: Shapes,
  of: readonly Shape[],
  value: Json,
  pointer: string,
): readonly Remark[] | undefined {
  const tries = of
    .filter((branch) => sameType(deref(shapes, branch), value))
    .map((branch) => explain(shapes, branch, value, pointer));
  const count = (remarks: readonly Remark[]) =>
    remarks.filter(({ kind }) => kind === 'wrong').length * 1000 + remarks.length;
  return tries.sort((a, b) => count(a) - count(b))[0];
}

function sameType(shape: Shape, value: Json): boolean {
  switch (shape.is) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'string':
    case 'words':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    default:
      return true;
  }
}

function ofObject(
  shapes: Shapes,
  shape: ObjectShape,
  value: JsonObject,
  pointer: string,
): readonly Remark[] {
  const layers = layersOf(shapes, shape, value);
  const fields = fieldsOf(layers);
  const tags = new Set(layers.flatMap((layer) => layer.tag ?? []));
  const map = layers.find((layer) => layer.map)?.map;
  const missing = Object.entries(fields).flatMap(([name, field]): Remark[] => {
    if (!field.required || Object.hasOwn(value, name)) return [];
    const message = `\`${name}\` is missing; ${dueWords(shapes, field.shape)} is due`;
    return [{ kind: 'wrong', pointer, message }];
  });
  const held = Object.entries(value).flatMap(([name, inner]): readonly Remark[] => {
    const at = `${pointer}/${token(name)}`;
    const field = fields[name];
    if (field && tags.has(name)) return ofTag(shapes, layers, name, inner, at);
    if (field) return ofField(shapes, field, name, inner, at);
    if (name === '_meta') return explain(shapes, META, inner, at);
    if (map) return explain(shapes, map, inner, at);
    if (isOpen(layers, value)) return [];
    const near = nearest(name, Object.keys(fields));
    const meant = near === undefined ? '' : `; did you mean \`${near}\`?`;
    const message = `\`${name}\` is not a field here${meant}`;
    return [{ kind: 'unknown-field', pointer: at, message, name }];
  });
  const ways = layers.flatMap((layer) => waysOf(shapes, layer, value, pointer));
  return [...missing, ...held, ...ways];
}

const META: Shape = { is: 'object', open: true, null: true };

function ofField(
  shapes: Shapes,
  field: Field,
  name: string,
  value: Json,
  at: string,
): readonly Remark[] {
  const remarks = explain(shapes, field.shape, value, at).map((remark) =>
    remark.kind === 'wrong' && remark.pointer === at && isRead(field, value)
      ? { ...remark, message: `${remark.message} (the official SDK reads it as left out)` }
      : remark,
  );
  if (!field.unstable) return remarks;
  const message = `only the unstable schema has \`${name}\``;
  return [{ kind: 'unstable', pointer: at, message }, ...remarks];
}

function isRead(field: Field, value: Json): boolean {
  return field.soft === 'error' || (field.soft === 'null' && value === null);
}

/** The value of a tag, which may be the tag of several layers (then each has its cases). */
function ofTag(
  shapes: Shapes,
  layers: readonly ObjectShape[],
  name: string,
  value: Json,
  at: string,
): readonly Remark[] {
  return layers.flatMap((layer): readonly Remark[] => {
    if (layer.tag !== name) return [];
    const own = layer.fields?.[name];
    if (typeof value !== 'string') {
      if (own && explain(shapes, own.shape, value, at).length === 0) return [];
      const message = `\`${name}\` is ${typeWords(value)}; a string is due`;
      return [{ kind: 'wrong', pointer: at, message }];
    }
    const known = layer.cases?.find((one) => one.value === value);
    if (known) return known.unstable ? [unstable(at, value)] : [];
    const free = layer.other !== undefined || layer.untagged !== undefined;
    return unknownValue(at, value, layer.cases ?? [], free);
  });
}

function waysOf(
  shapes: Shapes,
  { ways, one }: ObjectShape,
  value: JsonObject,
  pointer: string,
): readonly Remark[] {
  if (!ways || !one || ways.filter((way) => fits(shapes, way, value)).length < 2) return [];
  const required = ways.map((way) =>
    Object.entries(fieldsOf(layersOf(shapes, way, value)))
      .filter(([, field]) => field.required)
      .map(([name]) => `\`${name}\``)
      .join(', '),
  );
  const message = `either ${required.join(' or ')} is due, not both`;
  return [{ kind: 'wrong', pointer, message }];
}

function unstable(pointer: string, value: string): Remark {
  const message = `only the unstable schema has ${JSON.stringify(value)} for ${subject(pointer)}`;
  return { kind: 'unstable', pointer, message };
}

/** Values with an underscore are one's own by rule: no surprise where others are allowed. */
function unknownValue(
  pointer: string,
  value: string,
  known: readonly Word[],
  allowed: boolean,
): readonly Remark[] {
  if (allowed && value.startsWith('_')) return [];
  const message = `${subject(pointer)} is ${JSON.stringify(value)}; known: ${valueWords(known)}`;
  return [{ kind: allowed ? 'unknown-value' : 'wrong', pointer, message, name: value }];
}

function badString(shape: Shape & { is: 'string' }, value: string): string[] {
  const length = [...value].length;
  if (length < (shape.min ?? 0)) return ['must not be empty'];
  if (length > (shape.max ?? Infinity)) return [`is longer than ${shape.max} characters`];
  if (shape.pattern !== undefined && !new RegExp(shape.pattern, 'u').test(value))
    return [`does not match ${shape.pattern}`];
  return [];
}

function rangeWords(min: number, max: number): string {
  if (min === 0 && max > 2 ** 53) return '0 or more';
  if (max === Infinity) return `${min} or more`;
  return `${min} to ${max}`;
}
