// What the answer to a permission request comes to: the one reader of it, for whoever asks whether a
// tool call may run, or may have run.
import { get, obj, objects, str } from '../../acp/json.ts';
import type { Failure, Json, JsonObject } from '../../acp/message.ts';

/** `approved` only where an offered option says so. */
export type Ruling = 'approved' | 'rejected' | 'cancelled' | 'not offered' | 'unknown' | 'error';

/** Kinds of the offered options by their ids. */
export function optionsOf(params: Json | undefined): ReadonlyMap<string, string> {
  const options = new Map<string, string>();
  for (const option of objects(params, 'options')) {
    const id = str(option, 'optionId');
    if (id !== undefined) options.set(id, str(option, 'kind') ?? '');
  }
  return options;
}

/** The option of this id, where it was offered. */
export function offeredOption(
  params: Json | undefined,
  optionId: string | undefined,
): JsonObject | undefined {
  if (optionId === undefined) return undefined;
  return objects(params, 'options').find((option) => str(option, 'optionId') === optionId);
}

/** The tool call that a question is about: v1 names it, in v2 it is the subject. */
export function askedToolCall(params: Json | undefined): JsonObject | undefined {
  return obj(params, 'toolCall') ?? obj(get(params, 'subject'), 'toolCall');
}

/** `options`: as `optionsOf` has them. */
export function rulingOf(
  options: ReadonlyMap<string, string>,
  result: Json | undefined,
  error: Failure['error'] | undefined,
): Ruling {
  if (error !== undefined) return 'error';
  const outcome = get(result, 'outcome');
  const kind = str(outcome, 'outcome');
  if (kind === 'cancelled') return 'cancelled';
  if (kind !== 'selected') return 'unknown';
  const option = options.get(str(outcome, 'optionId') ?? '');
  if (option === undefined) return 'not offered';
  return option.startsWith('reject') ? 'rejected' : 'approved';
}
