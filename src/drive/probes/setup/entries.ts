// What an answer to session/list names.
import { objects, str } from '../../../acp/json.ts';
import type { JsonObject } from '../../../acp/message.ts';
import { resultOf } from '../../answered.ts';
import type { Answered } from '../../scripted.ts';

export function entriesOf(answered: Answered): readonly JsonObject[] {
  return objects(resultOf(answered), 'sessions');
}

export function entryOf(answered: Answered, sessionId: string): JsonObject | undefined {
  return entriesOf(answered).find((entry) => str(entry, 'sessionId') === sessionId);
}

export function idsOf(entries: readonly JsonObject[]): readonly string[] {
  return entries.flatMap((entry) => str(entry, 'sessionId') ?? []);
}
