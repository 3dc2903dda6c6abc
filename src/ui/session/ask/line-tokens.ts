// An exact line cut into tokens for colouring, with the replay cursor marked. A line that is no
// JSON is one plain piece.
import { jsonFault } from '../../../acp/json-fault.ts';
import { COLON, isPunctuation, QUOTE, skipSpace, skipToken } from '../../../lib/json-scan.ts';
import { jsonEntries, rootSpan, type JsonEntry } from '../../../lib/json-text.ts';

interface LineToken {
  readonly text: string;
  readonly kind: 'key' | 'string' | 'number' | 'word' | 'punctuation' | 'plain';
  /** Part of `params.replayFrom`. */
  readonly cursor: boolean;
}

export function lineTokens(line: string): readonly LineToken[] {
  if (jsonFault(line)) return [{ text: line, kind: 'plain', cursor: false }];
  const marked = cursorRange(line);
  const tokens: LineToken[] = [];
  const add = (start: number, end: number, kind: LineToken['kind']) => {
    const cursor = marked !== undefined && start >= marked.start && start < marked.end;
    if (end > start) tokens.push({ text: line.slice(start, end), kind, cursor });
  };
  for (let at = 0; at < line.length;) {
    const start = skipSpace(line, at);
    add(at, start, 'punctuation');
    at = start < line.length ? skipToken(line, start) : start;
    add(start, at, kindOf(line, start, at));
  }
  return tokens;
}

function kindOf(line: string, start: number, end: number): LineToken['kind'] {
  const code = line.charCodeAt(start);
  if (code === QUOTE) return line.charCodeAt(skipSpace(line, end)) === COLON ? 'key' : 'string';
  if (isPunctuation(code)) return 'punctuation';
  return /[tfn]/.test(line.charAt(start)) ? 'word' : 'number';
}

/** From the key to the end of the value. */
function cursorRange(line: string): { readonly start: number; readonly end: number } | undefined {
  const params = find(line, rootSpan(line), 'params');
  const value = params && find(line, params, 'replayFrom');
  if (!value) return undefined;
  return { start: line.lastIndexOf('"replayFrom"', value.start), end: value.end };
}

function find(line: string, span: ReturnType<typeof rootSpan>, key: string): JsonEntry | undefined {
  if (span.kind !== 'object') return undefined;
  for (const entry of jsonEntries(line, span)) if (entry.key === key) return entry;
  return undefined;
}
