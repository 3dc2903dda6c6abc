import { getContext, setContext } from 'svelte';

/** A typed pair: `use` in a component below, `provide` above it once. */
export function createContext<T>(name: string): [use: () => T, provide: (value: T) => T] {
  const key = Symbol(name);
  return [
    () => {
      const value = getContext<T | undefined>(key);
      if (value === undefined) throw new Error(`No ${name} above this component`);
      return value;
    },
    (value) => setContext(key, value),
  ];
}
