// Values changed in a line, by their keys, and nothing else in it: every other token stays as it
// was written. Only for lines that parse as a message.
import { stringAt } from '../../lib/json-text.ts';
import { COLON, QUOTE, skipSpace, skipToken } from '../../lib/json-scan.ts';
import { withValue } from '../adapt/line-edit.ts';

const BOM = '\ufeff';

/**
 * The line with other words in its strings. `replace`: the string that is due for one under this
 * key; the items of a list have the key of the list. What comes back unchanged stays as written.
 */
export function withStrings(line: string, replace: (key: string, said: string) => string): string {
  let out = '';
  let from = 0;
  let key = '';
  let at = skipSpace(line, line.startsWith(BOM) ? 1 : 0);
  while (at < line.length) {
    const end = skipToken(line, at);
    const next = skipSpace(line, end);
    if (line.charCodeAt(at) === QUOTE) {
      const said = stringAt(line, at, end);
      if (line.charCodeAt(next) === COLON) key = said;
      else {
        const due = replace(key, said);
        if (due !== said) {
          out += line.slice(from, at) + JSON.stringify(due);
          from = end;
        }
      }
    }
    at = next;
  }
  return from === 0 ? line : out + line.slice(from);
}

/** The line with another token at a path that is there. */
export function withToken(line: string, path: readonly string[], token: string): string {
  return line.startsWith(BOM)
    ? BOM + withValue(line.slice(1), path, token)
    : withValue(line, path, token);
}
