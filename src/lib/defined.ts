type Defined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The same object without its undefined values: what is not known is not a key. */
export function defined<T extends object>(value: T): Defined<T> {
  const known: { -readonly [K in keyof T]?: T[K] } = {};
  // A loop, because it is called for each option of each frame.
  for (const key of Object.keys(value) as (keyof T)[])
    if (value[key] !== undefined) known[key] = value[key];
  return known as unknown as Defined<T>;
}
