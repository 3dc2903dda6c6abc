// What is made when it is first asked for, and then kept.

export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** The same calls, of which each may answer at once. */
type AtOnce<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer A) => Promise<infer R>
    ? (...args: A) => R | Promise<R>
    : never;
};

/** An object of calls that is loaded with the first of them. What could not be loaded is tried again. */
export function later<T extends object>(load: () => Promise<AtOnce<T>>): T {
  let loaded: Promise<AtOnce<T>> | undefined;
  const call = async (name: string | symbol, args: readonly unknown[]): Promise<unknown> => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    const made = await loaded;
    const known: unknown = Reflect.get(made, name);
    if (typeof known !== 'function') throw new Error(`there is no call ${String(name)}`);
    return Reflect.apply(known, made, args) as unknown;
  };
  return new Proxy({} as T, {
    // A promise of it is a promise of the object: `then` is no call.
    get: (_, name) =>
      name === 'then' ? undefined : (...args: readonly unknown[]) => call(name, args),
  });
}
