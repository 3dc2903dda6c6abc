// An exact line cut into tokens for colouring, with the replay cursor marked. A line that is no
// JSON is one plain piece.
import { jsonFault } from '../../acp/json-fault.ts';
import { entriesOf, rootSpan, type JsonEntry } from '../../lib/json-text.ts';

export interface LineToken {
  readonly text: string;
  readonly kind: 'key' | 'string' | 'number' | 'word' | 'punctuation' | 'plain';
  /** Part of `params.replayFrom`. */
  readonly cursor: boolean;
}

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|(-?\d[\d.eE+-]*)|(true|false|null)|([{}[\],:]|\s+)/g;

export function lineTokens(line: string): readonly LineToken[] {
  if (jsonFault(line)) return [{ text: line, kind: 'plain', cursor: false }];
  const marked = cursorRange(line);
  const inside = (at: number) => marked !== undefined && at >= marked.start && at < marked.end;
  const tokens: LineToken[] = [];
  for (const { index, 0: whole, 1: string, 2: colon, 3: number, 4: word } of line.matchAll(TOKEN)) {
    const cursor = inside(index);
    if (string !== undefined) {
      tokens.push({ text: string, kind: colon === undefined ? 'string' : 'key', cursor });
      if (colon !== undefined) tokens.push({ text: colon, kind: 'punctuation', cursor });
    } else if (number !== undefined) tokens.push({ text: number, kind: 'number', cursor });
    else if (word !== undefined) tokens.push({ text: word, kind: 'word', cursor });
    else tokens.push({ text: whole, kind: 'punctuation', cursor });
  }
  return tokens;
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
  for (const entry of entriesOf(line, span)) if (entry.key === key) return entry;
  return undefined;
}
