// What a trace is checked against, as a person chose it and as the database keeps it.
import { arr, get, isArray, parseJson, str } from '../../acp/json.ts';
import { editionNamed } from '../../acp/editions/editions.ts';
import { connectionId, type ConnectionId } from '../../trace/event.ts';
import type { CheckChoice } from './finding-messages.ts';

export const NO_CHOICE: CheckChoice = { edition: 'auto', together: [] };

export function draftKey(connection: ConnectionId): string {
  return `check/${connection}`;
}

/** A choice as the database keeps it. */
export interface StoredChoice extends Omit<CheckChoice, 'together'> {
  /** Undefined: nobody chose, so that the traces with a session in common are read with the trace. */
  readonly together?: CheckChoice['together'];
}

/** Returns a stored choice; a part that is not understood is as if nobody had chosen. */
export function choiceOf(text: string): StoredChoice {
  const stored = parseJson(text);
  // `profile`: its name before editions had one.
  const edition = editionNamed(str(stored, 'edition') ?? str(stored, 'profile') ?? '') ?? 'auto';
  if (!isArray(get(stored, 'together'))) return { edition };
  const together = arr(stored, 'together').filter((one) => typeof one === 'string');
  return { edition, together: together.map(connectionId) };
}
