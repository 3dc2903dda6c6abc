// Values in a person's words: as JSON, short.
import type { Json } from '../acp/message.ts';

const MOST = 80;

/** A value as it stands in JSON, cut where it is long. */
export function quote(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, MOST + 1) : value);
  return text.length <= MOST ? text : `${text.slice(0, MOST)}…`;
}

/** Several, the first few by name: `"a", "b" and 3 more`. */
export function quoteAll(values: readonly string[], most = 3): string {
  const shown = values.slice(0, most).map(quote).join(', ');
  return values.length <= most ? shown : `${shown} and ${values.length - most} more`;
}
