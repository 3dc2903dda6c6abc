// Environment variables, as they stand before a program in a command line.

export interface Variable {
  readonly name: string;
  readonly value: string;
}

/** `NAME=VALUE`, as a shell reads it before a program; undefined: a word like any other. */
export function variableOf(word: string): Variable | undefined {
  const at = word.indexOf('=');
  const name = word.slice(0, Math.max(at, 0));
  return /^[A-Za-z_]\w*$/.test(name) ? { name, value: word.slice(at + 1) } : undefined;
}

/** The variables before the program, and the program with its arguments. */
export function leadingVariables(words: readonly string[]): {
  readonly env: Readonly<Record<string, string>>;
  readonly argv: readonly string[];
} {
  const first = words.findIndex((word) => variableOf(word) === undefined);
  const count = first < 0 ? words.length : first;
  const variables = words.slice(0, count).flatMap((word) => variableOf(word) ?? []);
  return {
    env: Object.fromEntries(variables.map(({ name, value }) => [name, value])),
    argv: words.slice(count),
  };
}
