// Words at the right end of a tree row: what a value is, where a person cannot read it off.
import { formatCount } from '../../lib/format.ts';
import { jsonEntries, stringAt, type LongSpans } from '../../lib/json-text.ts';
import type { TreeRow } from './tree-rows.ts';

export interface HintContext {
  /** `S1`, and the id it stands for. */
  readonly session?: string | undefined;
  readonly sessionId?: string | undefined;
}

export function hintOf(
  text: string,
  row: TreeRow,
  context: HintContext,
  long?: LongSpans,
): string | undefined {
  switch (row.kind) {
    case 'string':
      return stringHint(text, row, context);
    case 'number':
      return timeHint(row.key, Number(text.slice(row.start, row.end)));
    case 'object':
      return objectHint(text, row, long);
    case 'array':
    case 'boolean':
    case 'null':
      return undefined;
  }
}

function stringHint(text: string, row: TreeRow, context: HintContext): string | undefined {
  const length = row.end - row.start - 2;
  if (row.key === 'sessionId' && context.sessionId !== undefined && length < 4096)
    return stringAt(text, row.start, row.end) === context.sessionId ? context.session : undefined;
  return length > 60 ? `${formatCount(length)} chars` : undefined;
}

/** Milliseconds or seconds since 1970 between 2001 and 2100, under a key that speaks of time. */
function timeHint(key: string | undefined, value: number): string | undefined {
  if (key === undefined || !/(at|time|timestamp|ts|date|ms)$/i.test(key)) return undefined;
  const ms = value > 1e12 ? value : value * 1000;
  if (ms < 1e12 || ms > 4.2e12) return undefined;
  return new Date(ms).toLocaleTimeString('en-GB');
}

/** Of an object: its tag, or the text it holds, or the keys of one that is closed. */
function objectHint(text: string, row: TreeRow, long?: LongSpans): string | undefined {
  const keys: string[] = [];
  let words: string | undefined;
  for (const entry of jsonEntries(text, row, long)) {
    if (keys.length === 4) {
      keys.push('…');
      break;
    }
    const key = entry.key ?? '';
    keys.push(key.length > 24 ? `${key.slice(0, 24)}…` : key);
    const short = entry.kind === 'string' && entry.end - entry.start < 80;
    if (short && (key === 'sessionUpdate' || key === 'type'))
      words = stringAt(text, entry.start, entry.end);
    if (key === 'text' && entry.kind === 'string' && words !== undefined)
      words += `, ${formatCount(entry.end - entry.start - 2)} chars`;
  }
  return words ?? (row.open ? undefined : keys.join(', '));
}
