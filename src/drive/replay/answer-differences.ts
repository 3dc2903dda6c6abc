// An answer of the client held against the recorded one.
import type { Failure, Json, Success } from '../../acp/message.ts';
import type { Bindings } from './bindings.ts';
import { compareValues, type Difference } from './differences.ts';
import type { Manner } from './manner.ts';
import type { RecordedFrame } from './recorded.ts';

/** Of two errors only the codes count, but in `strict`. */
export function compareAnswer(
  { message: was }: RecordedFrame,
  is: Success | Failure,
  bindings: Bindings,
  manner: Manner,
): readonly Difference[] {
  const strict = manner === 'strict';
  const { differences } = compareValues(bodyOf(was, strict), bodyOf(is, strict), {
    bindings,
    tieSessions: false,
  });
  return strict ? differences : differences.filter(({ path }) => !/\/_meta(?:\/|$)/.test(path));
}

function bodyOf(message: RecordedFrame['message'], strict: boolean): Json {
  if (message.kind === 'success') return { result: message.result };
  if (message.kind !== 'failure') return {};
  const { code, message: words, data } = message.error;
  return { error: strict ? { code, message: words, data: data ?? null } : { code } };
}

const CHOICES: ReadonlySet<string> = new Set(['session/request_permission', 'elicitation/create']);

/** What a person decided, or that it failed: what the agent said next hangs on it. */
export function isChoice(method: string, differences: readonly Difference[]): boolean {
  return (
    CHOICES.has(method) || differences.some(({ path }) => path === '/error' || path === '/result')
  );
}
