// Environment variables: as they stand before a program in a command line, and which of their values
// are secrets that no screen shows and nothing keeps.

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

// By its end, so that what names a program or a file, such as GIT_ASKPASS or TOKEN_FILE, is none: that
// may decide what runs, and must be seen.
const SECRET_NAME =
  /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|COOKIE|_AUTH|_PWD|_PAT)$/i;
const SECRET_VALUE =
  /^(?:sk-|gh[opsu]_|github_pat_|glpat-|npm_|xox[abp]-|AKIA|AIza|eyJ[\w-]+\.|Bearer |Basic )/;

/** Whether the value of a variable is likely a secret, by its name or by its own look. */
export function looksSecret({ name, value }: Variable): boolean {
  return SECRET_NAME.test(name) || SECRET_VALUE.test(value);
}
