/** Closes a switch over a tagged union: compiles only when every case is handled. */
export function assertNever(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`);
}
