// One line for a message sent before: when, and what it was.
import { formatCount } from '../../lib/format-count.ts';
import { parseJson, str } from '../../acp/json.ts';
import type { SentRecord } from '../../engine/messages.ts';

const LONGEST = 64;

export function sentLabel({ at, text }: SentRecord): string {
  const time = new Date(at).toLocaleTimeString('en-GB');
  const method = str(parseJson(text), 'method');
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return `${time} · ${method === undefined ? cut : `${method} · ${formatCount(text.length)} chars`}`;
}
