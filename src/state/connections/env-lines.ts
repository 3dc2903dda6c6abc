// Variables and headers as a person types them, one a line: NAME=VALUE, where the value is all that
// follows the first `=`, blanks and quotes included, for no shell reads it; and Name: value.

/** What parts a name from its value. */
type Separator = '=' | ':';

type NamedLines =
  | { readonly ok: true; readonly values: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly message: string };

const WORDS = {
  '=': { of: 'the environment', form: 'NAME=VALUE. Write one variable a line' },
  ':': { of: 'the headers', form: 'Name: value. Write one header a line' },
} as const;

export function parseLines(text: string, mark: Separator): NamedLines {
  const values: [string, string][] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const at = line.indexOf(mark);
    const name = line.slice(0, at).trim();
    if (at < 0 || !/^[^\s=]+$/.test(name)) {
      const { of, form } = WORDS[mark];
      return { ok: false, message: `Line ${index + 1} of ${of} is not ${form}.` };
    }
    const value = line.slice(at + 1);
    values.push([name, mark === ':' ? value.trim() : value]);
  }
  return { ok: true, values: Object.fromEntries(values) };
}

/** The same with each value covered, whatever its length. */
export function coverLines(text: string, mark: Separator): string {
  return text.replace(mark === '=' ? /^([^=\n]*=).+$/gm : /^([^:\n]*:).+$/gm, '$1••••••••');
}

export function printLines(values: Readonly<Record<string, string>>, mark: Separator): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}${mark === ':' ? ': ' : mark}${value}`)
    .join('\n');
}
