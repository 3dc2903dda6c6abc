// Secrets in the words of a command: after an option, in a variable, in an address.
import { beginsSecret, isPlainHeader, isSecretName, looksSecret } from './names.ts';
import { secretsIn, type SecretSpan, type TextRule } from './text.ts';

/** Stands where a secret was, where nothing more is to be known of it. */
const HIDDEN = '…';
const OPTION = /^--?\w/;
/** The next word is `Name: value`. */
const HEADER_OPTION = /^(?:-H|--headers?)$/;

/** What is secret in a word, from the word before it. */
export function secretsInArgument(
  word: string,
  before: string,
): SecretSpan<TextRule | 'argument'>[] {
  const from = (start: number) =>
    start < word.length ? [{ start, end: word.length, rule: 'argument' as const }] : [];
  if (HEADER_OPTION.test(before)) {
    const [name = '', ,] = word.split(':');
    if (name.length < word.length && !isPlainHeader(name))
      return from(name.length + 1 + (word[name.length + 1] === ' ' ? 1 : 0));
  }
  const isValue = OPTION.test(before) && !before.includes('=') && isSecretName(before);
  if (isValue && !OPTION.test(word)) return from(0);
  const [all, name, value] = /^((?:--?)?[A-Za-z_][\w-]*)=(.*)$/s.exec(word) ?? [];
  if (all !== undefined && looksSecret({ name: name ?? '', value: value ?? '' }))
    return from(all.length - (value?.length ?? 0));
  return beginsSecret(word) ? from(0) : secretsIn(word);
}

/** The words of a command without what are likely secrets. */
export function withoutSecrets(argv: readonly string[]): readonly string[] {
  return argv.map((word, at) => {
    let out = '';
    let done = 0;
    for (const { start, end } of secretsInArgument(word, argv[at - 1] ?? '')) {
      if (start < done) continue;
      out += word.slice(done, start) + HIDDEN;
      done = end;
    }
    return out + word.slice(done);
  });
}
