// What a program knows, as a graph of values that the browser's database can keep: plain objects, lists,
// maps, sets and numbers go as they are, and instances of known classes by their name and fields. Who is
// named twice is kept once, and is one again when it is brought back.

/** A class whose instances may be met. What changes in it is in fields of its own, `private` or not. */
export interface Known {
  readonly name: string;
  readonly made: { readonly prototype: object };
  /** Fields that are not kept: whoever brings it back sets them. */
  readonly without?: readonly string[];
}

/** How maps, sets and instances are kept: no JSON of a peer can look like it, for it is a Map. */
type Kept = ReadonlyMap<'is' | 'holds', unknown>;

/** Throws where it meets an instance of a class that is not known. Fields that are functions are left out. */
export function keepGraph(root: unknown, classes: readonly Known[]): unknown {
  const byPrototype = new Map(classes.map((known) => [known.made.prototype, known]));
  const seen = new Map<object, unknown>();
  const keep = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
    const known = seen.get(value);
    if (known !== undefined) return known;
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      seen.set(value, list);
      for (const item of value) list.push(keep(item));
      return list;
    }
    if (value instanceof Map || value instanceof Set) {
      const holds: unknown[] = [];
      seen.set(value, new Map<string, unknown>([['is', kindOf(value)], ['holds', holds]])); // prettier-ignore
      for (const [key, item] of value.entries()) holds.push(keep(key), keep(item));
      return seen.get(value);
    }
    const prototype: unknown = Object.getPrototypeOf(value);
    const made = prototype === Object.prototype ? undefined : byPrototype.get(prototype as object);
    if (prototype !== Object.prototype && !made) throw new Error('cannot be kept: no such class');
    const fields = {};
    const holds = made ? new Map<string, unknown>([['is', made.name], ['holds', fields]]) : fields; // prettier-ignore
    seen.set(value, holds);
    for (const [key, field] of Object.entries(value) as [string, unknown][])
      if (typeof field !== 'function' && !made?.without?.includes(key))
        define(fields, key, keep(field));
    return holds;
  };
  return keep(root);
}

/** The graph that was kept, made of new objects. Throws where a class of it is not known. */
export function recallGraph(kept: unknown, classes: readonly Known[]): unknown {
  const byName = new Map(classes.map((known) => [known.name, known]));
  const seen = new Map<object, unknown>();
  const into = (fields: object, made: object): object => {
    for (const [key, field] of Object.entries(fields)) define(made, key, recall(field));
    return made;
  };
  const recall = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
    const known = seen.get(value);
    if (known !== undefined) return known;
    const begun = <T extends object>(made: T): T => {
      seen.set(value, made);
      return made;
    };
    if (Array.isArray(value)) {
      const list = begun<unknown[]>([]);
      for (const item of value) list.push(recall(item));
      return list;
    }
    if (!(value instanceof Map)) return into(value, begun({}));
    const is = (value as Kept).get('is');
    const holds = (value as Kept).get('holds');
    if (Array.isArray(holds)) {
      const made = begun(is === 'map' ? new Map<unknown, unknown>() : new Set());
      for (let at = 0; at < holds.length; at += 2)
        if (made instanceof Map) made.set(recall(holds[at]), recall(holds[at + 1]));
        else made.add(recall(holds[at]));
      return made;
    }
    const { made } = byName.get(String(is)) ?? {};
    if (!made || typeof holds !== 'object' || holds === null) throw new Error('no such class');
    return into(holds, begun(Object.create(made.prototype) as object));
  };
  return recall(kept);
}

function kindOf(value: Map<unknown, unknown> | Set<unknown>): string {
  return value instanceof Map ? 'map' : 'set';
}

/** As a field of its own, also where it is called `__proto__`: a peer's JSON may have one. */
function define(object: object, key: string, value: unknown): void {
  if (key !== '__proto__') (object as Record<string, unknown>)[key] = value;
  else
    Object.defineProperty(object, key, {
      ...{ value, enumerable: true, writable: true, configurable: true },
    });
}
