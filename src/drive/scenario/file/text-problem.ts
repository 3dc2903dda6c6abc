// What is wrong with a file that a person wrote, a scenario or rules of an intercept: a sentence, and
// where in its JSON text it is about.
import { jsonFault } from '../../../acp/json-fault.ts';
import { pointerOf } from '../../../acp/json-pointer.ts';
import type { JsonPath } from '../../../acp/json.ts';
import {
  COLON,
  COMMA,
  OPEN_BRACE,
  isClose,
  skipSpace,
  skipToken,
  skipValue,
} from '../../../lib/json-scan.ts';

export interface TextProblem {
  /** From 1. */
  readonly line: number;
  /** A JSON pointer into the document; empty where it is no JSON. */
  readonly pointer: string;
  readonly message: string;
}

export type Tell = (path: JsonPath, message: string) => void;

/** `Line 7, /steps/2/within: …`. */
export function problemWords({ line, pointer, message }: TextProblem): string {
  return `Line ${line}${pointer === '' ? '' : `, ${pointer}`}: ${message}`;
}

/** About the value at this path. */
export function problemAt(text: string, path: JsonPath, message: string): TextProblem {
  return { line: lineOfPath(text, path), pointer: pointerOf(path), message };
}

/** Of a text that does not parse. `due`: the sentence that says what is. */
export function noJson(text: string, due: string): TextProblem {
  const fault = jsonFault(text);
  const what = text.trim() === '' ? 'it is empty' : (fault?.what ?? 'it cannot be read');
  const message = `This is not JSON: ${what}. ${due}`;
  return { line: lineAt(text, fault?.at ?? 0), pointer: '', message };
}

/** The line, from 1, of the value at this path; of what holds it where it is not there. */
function lineOfPath(text: string, path: JsonPath): number {
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
