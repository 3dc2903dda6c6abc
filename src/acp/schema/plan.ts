// Shapes made ready for walking: references followed, what an object mixes in laid flat, and a union
// turned into a look-up by its tag. A layout is made when it is first met, and kept.
import { lazy } from '../../lib/lazy.ts';
import { isObject } from '../json.ts';
import type { Json } from '../message.ts';
import type { Role } from '../methods.ts';
import { handlers } from './shape.ts';
import type { Field, ObjectShape, MessagePart, Shape, Shapes, Word } from './shape.ts';

interface Base {
  readonly nullable: boolean;
  /** What the branch of an untagged union is called. */
  readonly name?: string | undefined;
  /** Number of its description. */
  readonly doc?: number | undefined;
}

export type Plan =
  | (Base & { readonly is: 'any' | 'null' | 'boolean' })
  | (Base & {
      readonly is: 'string';
      readonly min: number;
      readonly max: number;
      readonly pattern: RegExp | undefined;
      readonly format: string | undefined;
    })
  | (Base & {
      readonly is: 'words';
      readonly values: readonly Word[];
      readonly known: ReadonlyMap<string, Word>;
      readonly open: boolean;
    })
  | (Base & {
      readonly is: 'number';
      readonly integer: boolean;
      readonly min: number;
      readonly max: number;
    })
  | (Base & { readonly is: 'array'; readonly of: Plan; readonly min: number })
  | (Base & { readonly is: 'object'; readonly layout: () => Layout })
  | (Base & { readonly is: 'either'; readonly of: readonly Plan[] });

export interface FieldPlan {
  readonly name: string;
  readonly field: Field;
  readonly plan: Plan;
  /** Its value chooses the layout, which judges it. */
  readonly tag: boolean;
}

/** What an object may hold, as far as the choices made so far say. */
export interface Layout {
  readonly fields: ReadonlyMap<string, FieldPlan>;
  /** Those that must be there; tags apart. */
  readonly required: readonly FieldPlan[];
  /** Any other field is as good. */
  readonly open: boolean;
  /** Keys are free; the values are of this plan. */
  readonly map: Plan | undefined;
  /** Asked next; the layout it leads to holds all fields of this one too. */
  readonly choice: TagChoice | WayChoice | undefined;
}

export interface TagChoice {
  readonly by: 'tag';
  readonly tag: FieldPlan;
  readonly values: readonly Word[];
  readonly known: ReadonlyMap<string, { readonly word: Word; readonly layout: () => Layout }>;
  /** For values that nobody defined. */
  readonly other: (() => Layout) | undefined;
  /** Without the tag. */
  readonly untagged: (() => Layout) | undefined;
  /** That wants the tag absent or null. */
  readonly bare: boolean;
}

export interface WayChoice {
  readonly by: 'ways';
  /** Exactly one must fit. */
  readonly one: boolean;
  readonly ways: readonly {
    /** The way by itself. */
    readonly alone: () => Layout;
    readonly layout: () => Layout;
  }[];
  /** Of all ways at once. */
  readonly every: () => Layout;
}

/** The plans of one version's schemas. */
export class Plans {
  readonly #shapes: Shapes;
  readonly #defs = new Map<string, Plan>();
  readonly #roots = new Map<string, Plan | undefined>();

  constructor(shapes: Shapes) {
    this.#shapes = shapes;
  }

  /** The params, result or notification of a method; `from` is who sends that part. */
  root(from: Role, method: string, part: MessagePart): Plan | undefined {
    const key = `${from} ${part} ${method}`;
    const known = this.#roots.get(key);
    if (known || this.#roots.has(key)) return known;
    const asker = part !== 'result' ? from : from === 'client' ? 'agent' : 'client';
    const name = handlers(asker)
      .map((side) => this.#shapes.methods[`${side} ${method}`])
      .find((parts) => parts?.[part] !== undefined)?.[part];
    const root = name === undefined ? undefined : this.def(name);
    // Method names are the peer's to choose; only those of the schemas are worth keeping.
    if (root) this.#roots.set(key, root);
    return root;
  }

  /** Number of the description of a method that `from` sends. */
  about(from: Role, method: string): number | undefined {
    const side = handlers(from).find((one) => `${one} ${method}` in this.#shapes.about);
    return this.#shapes.about[`${side} ${method}`];
  }

  def(name: string): Plan {
    const known = this.#defs.get(name);
    if (known) return known;
    const made = this.#planOf(this.#shapes.defs[name] ?? { is: 'any' });
    this.#defs.set(name, made);
    return made;
  }

  #planOf(shape: Shape): Plan {
    const nullable = shape.null === true;
    const base = { nullable, name: shape.name, doc: shape.doc };
    switch (shape.is) {
      case 'ref': {
        const to = this.def(shape.to);
        return nullable && !to.nullable ? { ...to, nullable } : to;
      }
      case 'any':
      case 'null':
      case 'boolean':
        return { is: shape.is, ...base };
      case 'string': {
        const { min = 0, max = Infinity, pattern, format } = shape;
        const made = pattern === undefined ? undefined : new RegExp(pattern, 'u');
        return { is: 'string', ...base, min, max, pattern: made, format };
      }
      case 'words': {
        const known = new Map(shape.values.map((word) => [word.value, word]));
        return { is: 'words', ...base, values: shape.values, known, open: shape.open === true };
      }
      case 'number': {
        const { min = -Infinity, max = Infinity } = shape;
        return { is: 'number', ...base, integer: shape.integer === true, min, max };
      }
      case 'array':
        return { is: 'array', ...base, of: this.#planOf(shape.of), min: shape.min ?? 0 };
      case 'object':
        return { is: 'object', ...base, layout: this.#layout(shape) };
      case 'either':
        return { is: 'either', ...base, of: shape.of.map((one) => this.#planOf(one)) };
    }
  }

  #layout(shape: Shape): () => Layout {
    return lazy(() => this.#laid(this.#add({ layers: [], pending: [] }, shape)));
  }

  /** A draft and one more shape, with what that mixes in. */
  #add(draft: Draft, shape: Shape): Draft {
    const here = this.#deref(shape);
    if (here.is === 'either')
      return { ...draft, pending: [...draft.pending, { is: 'object', ways: here.of }] };
    if (here.is !== 'object' || draft.layers.includes(here)) return draft;
    const chooses = [
      ...(here.tag === undefined ? [] : [{ ...here, ways: [] }]),
      ...(here.ways ? [{ is: 'object' as const, ways: here.ways, one: here.one ?? false }] : []),
    ];
    const grown = {
      layers: [...draft.layers, here],
      pending: [...draft.pending, ...chooses],
    };
    return (here.all ?? []).reduce<Draft>((sum, one) => this.#add(sum, one), grown);
  }

  #deref(shape: Shape): Shape {
    let at = shape;
    while (at.is === 'ref') at = this.#shapes.defs[at.to] ?? { is: 'any' };
    return at;
  }

  #laid(draft: Draft): Layout {
    const fields = new Map<string, FieldPlan>();
    for (const layer of draft.layers) {
      if (layer.tag !== undefined) {
        const before = fields.get(layer.tag)?.field ?? layer.fields?.[layer.tag];
        const field = tagField(layer, before);
        const plan = this.#planOf(field.shape);
        fields.set(layer.tag, { name: layer.tag, field, plan, tag: true });
      }
      for (const [name, field] of Object.entries(layer.fields ?? {}))
        if (!fields.has(name))
          fields.set(name, { name, field, plan: this.#planOf(field.shape), tag: false });
    }
    const map = draft.layers.find((layer) => layer.map)?.map;
    return {
      fields,
      required: [...fields.values()].filter(({ field, tag }) => field.required && !tag),
      open: draft.layers.some((layer) => layer.open),
      map: map && this.#planOf(map),
      choice: this.#choice(draft, fields),
    };
  }

  #choice({ layers, pending }: Draft, fields: ReadonlyMap<string, FieldPlan>): Layout['choice'] {
    const [next, ...rest] = pending;
    if (!next) return undefined;
    const after = (...shapes: Shape[]) =>
      lazy(() => {
        const draft: Draft = { layers, pending: rest };
        return this.#laid(shapes.reduce((sum, shape) => this.#add(sum, shape), draft));
      });
    const tag = next.tag === undefined ? undefined : fields.get(next.tag);
    if (!tag) {
      const ways = (next.ways ?? []).map((way) => ({
        alone: this.#layout(way),
        layout: after(way),
      }));
      return { by: 'ways', one: next.one === true, ways, every: after(...(next.ways ?? [])) };
    }
    const cases = next.cases ?? [];
    return {
      by: 'tag',
      tag,
      values: cases,
      known: new Map(
        cases.map((one) => [
          one.value,
          { word: one, layout: one.shape ? after(one.shape) : after() },
        ]),
      ),
      other: next.other && after(next.other),
      untagged: next.untagged && after(next.untagged),
      bare: next.bare === true,
    };
  }
}

/** Layers of an object, and those of them whose choice is still to be made. */
interface Draft {
  readonly layers: readonly ObjectShape[];
  readonly pending: readonly PendingShape[];
}
type PendingShape = Omit<ObjectShape, 'one'> & { readonly one?: boolean };

/** A tag as a field: its values are the cases. */
function tagField(
  { cases = [], tag, fields, other, untagged }: ObjectShape,
  before: Field | undefined,
): Field {
  const plain = before ?? (tag === undefined ? undefined : fields?.[tag]);
  const values = cases.map(({ shape: _, ...word }) => word);
  const nullable = plain?.shape.null ? { null: true as const } : {};
  return {
    ...plain,
    shape: { is: 'words', values, ...(other ? { open: true } : {}), ...nullable },
    ...(untagged ? {} : { required: true }),
  };
}

/** The fields that tell a way apart. */
export function requiredNames(layout: Layout): readonly string[] {
  return layout.required.map(({ name }) => name);
}

/** Whether a value is of the kind that a branch is for. */
export function isOfType(plan: Plan, value: Json): boolean {
  switch (plan.is) {
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
    case 'null':
      return value === null;
    case 'any':
    case 'either':
      return true;
  }
}
