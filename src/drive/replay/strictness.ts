// How exactly what is asked must be what was recorded.
import { OPENERS, isMethodOf } from '../../acp/methods.ts';
import type { ValueDifference } from './differences.ts';

/**
 * `strict`: every value is the recorded one, each request comes once, and all of them come.
 * `plain`: what says what is asked is the recorded one; what only says who asks may differ, and
 * what only reads may be asked again. `loose`: besides, what fits nothing takes the next recorded
 * request of its method.
 */
export type Strictness = 'strict' | 'plain' | 'loose';

/** Asked again, these have the same answer: they read, or do what is done already. */
const REPEATABLE: ReadonlySet<string> = new Set([
  'session/list',
  'session/status',
  'session/load',
  'session/resume',
  'session/close',
  'session/delete',
  'auth/status',
  'providers/list',
]);

export function mayRepeat(method: string): boolean {
  return REPEATABLE.has(method);
}

/** Whether a difference makes it another request. `spoken`: the version that was settled on. */
export function matters(
  method: string,
  { path, live }: ValueDifference,
  strictness: Strictness,
  spoken: number | undefined,
): boolean {
  if (strictness === 'strict') return true;
  if (/(?:^|\/)_meta(?:\/|$)/.test(path)) return false;
  if (method === 'initialize') {
    if (path !== '/protocolVersion') return false;
    // Asked for a newer one, an agent answers with the newest it speaks, as it did.
    return !(typeof live === 'number' && spoken !== undefined && live >= spoken);
  }
  if (isMethodOf(OPENERS, method))
    return !/^\/(?:mcpServers|additionalDirectories)(?:\/|$)/.test(path);
  // Absent params and empty ones say the same.
  return !(path === '' && isNothing(live));
}

function isNothing(value: ValueDifference['live']): boolean {
  return (
    value === undefined ||
    (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  );
}

/** `real`: as recorded. A number: so many times as fast. */
export type ReplaySpeed = 'max' | number;

export function parseSpeed(text: string): ReplaySpeed | undefined {
  if (text === 'max') return 'max';
  if (text === 'real') return 1;
  const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : 0;
  return value > 0 && Number.isFinite(value) ? value : undefined;
}
