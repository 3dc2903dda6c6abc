// Which shapes hold for a value: references followed, and the branch of a union chosen by the value
// of its tag first, by the fields that are there second.
import { get, isObject } from '../json.ts';
import type { Json } from '../message.ts';
import type { Role } from '../methods.ts';
import { handlers } from './shape.ts';
import type { Field, ObjectShape, Part, Shape, Shapes } from './shape.ts';

/** The definition of a method's params, result or notification; `from` is who sends that part. */
export function rootShape(
  shapes: Shapes,
  from: Role,
  method: string,
  part: Part,
): Shape | undefined {
  const asker = part !== 'result' ? from : from === 'client' ? 'agent' : 'client';
  for (const side of handlers(asker)) {
    const name = shapes.methods[`${side} ${method}`]?.[part];
    if (name !== undefined) return shapes.defs[name];
  }
  return undefined;
}

/** Follows references. The shape is nullable if any step is. */
export function deref(shapes: Shapes, shape: Shape): Exclude<Shape, { is: 'ref' }> {
  let nullable = false;
  let at = shape;
  while (at.is === 'ref') {
    nullable ||= at.null === true;
    at = shapes.defs[at.to] ?? { is: 'any' };
  }
  return nullable && !at.null ? { ...at, null: true } : at;
}

/**
 * All object shapes that hold for a value at once: the shape itself, what it mixes in, the case
 * its tag chose, the way its fields chose. `wide`: where nothing is chosen yet, every choice.
 */
export function layersOf(shapes: Shapes, shape: Shape, value: Json | undefined, wide = false) {
  const layers: ObjectShape[] = [];
  add(shape);
  return layers;

  function add(next: Shape): void {
    const here = deref(shapes, next);
    if (here.is === 'either') choose(here.of).forEach(add);
    if (here.is !== 'object' || layers.includes(here)) return;
    layers.push(here);
    here.all?.forEach(add);
    casesOf(here).forEach(add);
    if (here.ways) choose(here.ways).forEach(add);
  }

  function casesOf({ tag, cases = [], other, untagged }: ObjectShape): readonly Shape[] {
    if (tag === undefined) return [];
    const said = get(value, tag);
    const known = cases.find((one) => one.value === said);
    if (known) return known.shape ? [known.shape] : [];
    if (wide && said === undefined)
      return [...cases.flatMap((one) => one.shape ?? []), ...(untagged ? [untagged] : [])];
    const rest = typeof said === 'string' ? (other ?? untagged) : untagged;
    return rest ? [rest] : [];
  }

  function choose(of: readonly Shape[]): readonly Shape[] {
    const objects = of.filter((one) => deref(shapes, one).is === 'object');
    const fitting = objects.filter((one) => fits(shapes, one, value));
    if (fitting.length > 0 || wide) return fitting.length > 0 ? fitting : objects;
    return closest(shapes, objects, value);
  }
}

/** Whether a value has every field that a branch requires. */
export function fits(shapes: Shapes, shape: Shape, value: Json | undefined): boolean {
  return missing(shapes, shape, value) === 0 && isObject(value);
}

/** The branch that lacks the fewest of its required fields, and has the most of its fields. */
function closest(
  shapes: Shapes,
  branches: readonly Shape[],
  value: Json | undefined,
): readonly Shape[] {
  const score = (branch: Shape) =>
    missing(shapes, branch, value) * 1000 -
    Object.keys(fieldsOf(layersOf(shapes, branch, value))).filter(
      (name) => get(value, name) !== undefined,
    ).length;
  return [...branches].sort((a, b) => score(a) - score(b)).slice(0, 1);
}

function missing(shapes: Shapes, shape: Shape, value: Json | undefined): number {
  return Object.entries(fieldsOf(layersOf(shapes, shape, value))).filter(
    ([name, field]) => field.required && get(value, name) === undefined,
  ).length;
}

/** The fields of all layers together; the first layer to name a field describes it. */
export function fieldsOf(layers: readonly ObjectShape[]): Readonly<Record<string, Field>> {
  const found: Record<string, Field> = Object.create(null) as Record<string, Field>;
  for (const layer of layers) {
    if (layer.tag !== undefined) found[layer.tag] = tagField(layer, found[layer.tag]);
    for (const [name, field] of Object.entries(layer.fields ?? {})) found[name] ??= field;
  }
  return found;
}

/** A tag as a field: its values are the cases. */
function tagField(
  { cases = [], tag, fields, other, untagged }: ObjectShape,
  before?: Field,
): Field {
  const plain = before ?? (tag === undefined ? undefined : fields?.[tag]);
  const values = cases.map(({ value, text, unstable }) => ({
    value,
    ...(text === undefined ? {} : { text }),
    ...(unstable ? { unstable } : {}),
  }));
  const nullable = plain?.shape.null ? { null: true as const } : {};
  return {
    ...plain,
    shape: { is: 'words', values, ...(other ? { open: true } : {}), ...nullable },
    ...(untagged ? {} : { required: true }),
  };
}

/** Whether fields beyond those named are as good: said so, or a tag has not chosen its case yet. */
export function isOpen(layers: readonly ObjectShape[], value: Json): boolean {
  return layers.some(({ open, map, tag, cases = [], untagged }) => {
    if (open || map) return true;
    if (tag === undefined || untagged) return false;
    return !cases.some((one) => one.value === get(value, tag));
  });
}
