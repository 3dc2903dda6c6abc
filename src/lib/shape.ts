// Reads a value that came in as JSON by the form it should have: of the right form, it is copied with
// the fields that are known and no others; of any other, the first field at fault is named by its path.

type Read<T> =
  | { readonly ok: true; readonly value: T }
  /** `at`: `launch.env`, or empty where the value itself is at fault. */
  | { readonly ok: false; readonly at: string };

export type ShapeReader<T> = (value: unknown) => Read<T>;

type Fields = Readonly<Record<string, unknown>>;

/** A reader for each field; the compiler asks for those that are missing. */
type Readers<T> = { readonly [K in keyof Required<T>]: ShapeReader<Required<T>[K] | undefined> };

/** For each value of the tag, the fields beside it. */
type Variants<T, K extends keyof T> = {
  readonly [V in T[K] & string]: Readers<Omit<Extract<T, Readonly<Record<K, V>>>, K>>;
};

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** A whole number from 0 on that can be counted with. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

export function isTextRecord(value: unknown): value is Readonly<Record<string, string>> {
  return isFields(value) && Object.values(value).every(isText);
}

/** What the test lets through. */
export function is<T>(test: (value: unknown) => boolean): ShapeReader<T> {
  return (value) => (test(value) ? { ok: true, value: value as T } : { ok: false, at: '' });
}

/** The same, or nothing: then the field is left out. */
export function maybe<T>(reader: ShapeReader<T>): ShapeReader<T | undefined> {
  return (value) => (value === undefined ? { ok: true, value } : reader(value));
}

export function object<T extends object>(readers: Readers<T>): ShapeReader<T> {
  return (value) => {
    if (!isFields(value)) return { ok: false, at: '' };
    const copied: [string, unknown][] = [];
    for (const [name, reader] of Object.entries<ShapeReader<unknown>>(readers)) {
      const read = reader(Object.hasOwn(value, name) ? value[name] : undefined);
      if (!read.ok) return { ok: false, at: read.at === '' ? name : `${name}.${read.at}` };
      if (read.value !== undefined) copied.push([name, read.value]);
    }
    return { ok: true, value: Object.fromEntries(copied) as T };
  };
}

/** One of several forms, told apart by the text under `tag`. */
export function tagged<T extends object, K extends keyof T & string>(
  tag: K,
  variants: Variants<T, K>,
): ShapeReader<T> {
  const readers = new Map(
    Object.entries<Readers<object>>(variants).map(([name, fields]) => [
      name,
      object({ [tag]: is(isText), ...fields } as Readers<object>),
    ]),
  );
  return (value) => {
    const name = isFields(value) && Object.hasOwn(value, tag) ? value[tag] : undefined;
    const reader = isText(name) ? readers.get(name) : undefined;
    return reader ? (reader(value) as Read<T>) : { ok: false, at: isFields(value) ? tag : '' };
  };
}
