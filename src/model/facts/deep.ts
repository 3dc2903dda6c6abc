// JSON nested so deep that it can be parsed, but neither written nor passed between threads.
import type { Json } from '../../acp/message.ts';

/** Far more than any honest message has, far less than what overflows a stack. */
const DEEPEST = 500;

/** Looks level by level, so it needs no stack itself. */
export function isTooDeep(value: Json): boolean {
  let level: Json[] = [value];
  for (let depth = 0; depth <= DEEPEST; depth++) {
    level = level.flatMap((item): readonly Json[] =>
      typeof item === 'object' && item !== null ? (Object.values(item as object) as Json[]) : [],
    );
    if (level.length === 0) return false;
  }
  return true;
}

/** The value, or words in its place. */
export function shallow(value: Json): Json {
  return isTooDeep(value) ? 'nested too deep to show' : value;
}
