// What an answer holds, for scripts.
import type { Failure, Json } from '../acp/message.ts';
import type { Answered } from './scripted.ts';

/** Undefined: an error, or no answer. */
export function resultOf({ answer }: Answered): Json | undefined {
  return answer?.kind === 'success' ? answer.result : undefined;
}

/** Undefined: a result, or no answer. */
export function errorOf({ answer }: Answered): Failure['error'] | undefined {
  return answer?.kind === 'failure' ? answer.error : undefined;
}
