// Where in a JSON text a value stands: for sentences about a file that a person wrote.
import {
  COLON,
  COMMA,
  OPEN_BRACE,
  isClose,
  skipSpace,
  skipToken,
  skipValue,
} from '../../../lib/json-scan.ts';

export type Path = readonly (string | number)[];

/** `/steps/3/within`, as JSON pointers are written. */
export function pointerOf(path: Path): string {
  return path
    .map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

/** The line, from 1, of the value at this path; of what holds it where it is not there. */
export function lineOfPath(text: string, path: Path): number {
  let at = skipSpace(text, 0);
  for (const part of path) {
    const next = childAt(text, at, part);
    if (next === undefined) break;
    at = next;
  }
  return lineAt(text, at);
}

/** The line, from 1, that this place of a text stands on. */
export function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

/** The last of that name counts, as it does for JSON.parse. */
function childAt(text: string, from: number, part: string | number): number | undefined {
  const isMap = text.charCodeAt(from) === OPEN_BRACE;
  if (isMap !== (typeof part === 'string')) return undefined;
  let at = skipSpace(text, from + 1);
  let found: number | undefined;
  for (let count = 0; at < text.length && !isClose(text.charCodeAt(at)); count++) {
    let key: string | number = count;
    if (isMap) {
      const end = skipToken(text, at);
      key = JSON.parse(text.slice(at, end)) as string;
      at = skipSpace(text, end);
      if (text.charCodeAt(at) === COLON) at = skipSpace(text, at + 1);
    }
    if (key === part) found = at;
    at = skipSpace(text, skipValue(text, at));
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1);
  }
  return found;
}
