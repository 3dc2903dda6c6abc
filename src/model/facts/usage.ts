// How full the context of a session is, and what it has cost, as a `usage_update` tells it.
import { num, obj, str } from '../../acp/json.ts';
import type { JsonObject } from '../../acp/message.ts';

export interface Usage {
  /** Tokens in the context, and how many there is room for. */
  readonly used: number;
  readonly size: number;
  /** Of the session so far. */
  readonly cost?: { readonly amount: number; readonly currency: string };
}

/** Undefined: it tells none that can be read. */
export function usageOf(update: JsonObject): Usage | undefined {
  const used = num(update, 'used');
  const size = num(update, 'size');
  if (used === undefined || size === undefined) return undefined;
  const told = obj(update, 'cost');
  const amount = num(told, 'amount');
  const currency = str(told, 'currency');
  if (amount === undefined || currency === undefined) return { used, size };
  return { used, size, cost: { amount, currency } };
}

/** `0.0123 USD`, without what adding up fractions leaves at the end. */
export function costWords({ amount, currency }: NonNullable<Usage['cost']>): string {
  const short = Math.abs(amount) < 0.01 ? amount.toPrecision(3) : amount.toFixed(4);
  return `${Number(short)} ${currency}`;
}
