// Lines changed in one place and nowhere else: every other token stays as the peer wrote it. Only
// for lines that parse as a message.
import { COLON, QUOTE, skipSpace, skipToken } from '../../lib/json-scan.ts';
import { jsonEntries, rootSpan, type JsonSpan, stringAt } from '../../lib/json-text.ts';

const BOM = '\ufeff';

/** A line as one JSON value: without a byte order mark, a CR, or space around it. */
export function bareLine(line: string): string {
  return (line.startsWith(BOM) ? line.slice(1) : line).trim();
}

/** Where the value at a path of keys stands; of a repeated key, the last, as JSON.parse takes it. */
export function valueSpan(text: string, path: readonly string[]): JsonSpan | undefined {
  let span: JsonSpan | undefined = rootSpan(text);
  for (const key of path) {
    let found: JsonSpan | undefined;
    if (span.kind === 'object')
      for (const entry of jsonEntries(text, span)) if (entry.key === key) found = entry;
    if (!found) return undefined;
    span = found;
  }
  return span;
}

export function textAt(line: string, path: readonly string[]): string | undefined {
  const span = valueSpan(line, path);
  return span && line.slice(span.start, span.end);
}

/** The line with another value at a path that is there; as it was where it is not. */
export function withValue(line: string, path: readonly string[], json: string): string {
  const span = valueSpan(line, path);
  return span ? line.slice(0, span.start) + json + line.slice(span.end) : line;
}

/** The line with a key in the object at a path: its value replaced, or put first. */
export function withKey(line: string, path: readonly string[], key: string, json: string): string {
  if (valueSpan(line, [...path, key])) return withValue(line, [...path, key], json);
  const span = valueSpan(line, path);
  if (span?.kind !== 'object') return line;
  const rest = span.size > 0 ? ',' : '';
  const at = span.start + 1;
  return `${line.slice(0, at)}${JSON.stringify(key)}:${json}${rest}${line.slice(at)}`;
}

/** The object at a path without a key, all of it where the key is repeated. */
export function withoutKey(line: string, path: readonly string[], key: string): string {
  const span = valueSpan(line, path);
  if (span?.kind !== 'object') return line;
  const kept: string[] = [];
  for (const entry of jsonEntries(line, span))
    if (entry.key !== key)
      kept.push(`${JSON.stringify(entry.key)}:${line.slice(entry.start, entry.end)}`);
  return `${line.slice(0, span.start)}{${kept.join(',')}}${line.slice(span.end)}`;
}

/** A request of ours: another one's params, as they stood there. */
export function rawRequestLine(id: string, method: string, params: string | undefined): string {
  const rest = params === undefined ? '' : `,"params":${params}`;
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":${JSON.stringify(method)}${rest}}`;
}

/** An answer, from another answer's line: its result or error as it stood there. */
export function answerLine(idToken: string, answer: string): string {
  const error = textAt(answer, ['error']);
  const body =
    error === undefined ? `"result":${textAt(answer, ['result']) ?? 'null'}` : `"error":${error}`;
  return `{"jsonrpc":"2.0","id":${idToken},${body}}`;
}

// Values changed in a line, by their keys, and nothing else in it: every other token stays as it
// was written. Only for lines that parse as a message.

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

export function withToken(line: string, path: readonly string[], token: string): string {
  return line.startsWith(BOM)
    ? BOM + withValue(line.slice(1), path, token)
    : withValue(line, path, token);
}
