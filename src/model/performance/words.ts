// Figures of performance in words, alike in the page and in `stats`.
import type { Usage } from '../facts/usage.ts';
import type { Spent } from './spent.ts';

/** Behind a span of time: who was waited for. Whether a person or a policy answered is in no trace. */
export const SPENT_WORDS: Readonly<Record<keyof Spent, string>> = {
  agent: 'agent at work',
  person: 'question open',
  client: 'client at work',
  restore: 'restoring',
  idle: 'nobody waited for',
};

/** `0.0123 USD`. */
export function costWords({ amount, currency }: NonNullable<Usage['cost']>): string {
  return `${Number(amount.toFixed(4))} ${currency}`;
}
