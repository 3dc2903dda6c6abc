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

/** Stands where a secret was. */
const HIDDEN = '…';
const OPTION = /^--?\w/;
/** The next word is `Name: value`. */
const HEADER_OPTION = /^(?:-H|--headers?)$/;

/** The words of a command without what are likely secrets: after an option, in a variable or an address. */
export function withoutSecrets(argv: readonly string[]): readonly string[] {
  return argv.map((word, at) => {
    const before = argv[at - 1] ?? '';
    if (HEADER_OPTION.test(before)) return word.replace(/:.*$/s, `: ${HIDDEN}`);
    if (OPTION.test(before) && SECRET_NAME.test(before) && !OPTION.test(word)) return HIDDEN;
    const [, name, value] = /^((?:--?)?[A-Za-z_][\w-]*)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined && value !== undefined && looksSecret({ name, value }))
      return `${name}=${HIDDEN}`;
    if (SECRET_VALUE.test(word)) return HIDDEN;
    return word
      .replace(/^(\w+:\/\/)[^/@]*@/, `$1${HIDDEN}@`)
      .replace(/([?&])([^=&#]+)=([^&#]*)/g, (all, mark: string, key: string, said: string) =>
        looksSecret({ name: key, value: said }) ? `${mark}${key}=${HIDDEN}` : all,
      );
  });
}
