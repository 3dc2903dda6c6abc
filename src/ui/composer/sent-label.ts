// One line for a message sent before: when, and what it was.
import { jsonFault } from '../../acp/json-fault.ts';
import { str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import type { SentRecord } from '../../engine/messages.ts';

const LONGEST = 64;

export function sentLabel({ at, text }: SentRecord): string {
  const time = new Date(at).toLocaleTimeString('en-GB');
  const method = jsonFault(text) ? undefined : str(JSON.parse(text) as Json, 'method');
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return `${time} · ${method === undefined ? cut : `${method} · ${text.length.toLocaleString('en')} chars`}`;
}
