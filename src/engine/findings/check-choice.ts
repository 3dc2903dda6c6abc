// What a trace is checked against, as a person chose it and as the database keeps it.
import { arr, parseJson, str } from '../../acp/json.ts';
import { editionNamed } from '../../acp/editions/editions.ts';
import { connectionId, type ConnectionId } from '../../trace/event.ts';
import type { CheckChoice } from './finding-messages.ts';

export const NO_CHOICE: CheckChoice = { edition: 'auto', together: [] };

export function draftKey(connection: ConnectionId): string {
  return `check/${connection}`;
}

/** What was stored; whatever of it is not understood is as if nobody had chosen. */
export function choiceOf(text: string): CheckChoice {
  const stored = parseJson(text);
  // `profile`: its name before editions had one.
  const edition = editionNamed(str(stored, 'edition') ?? str(stored, 'profile') ?? '') ?? 'auto';
  const together = arr(stored, 'together').filter((one) => typeof one === 'string');
  return { edition, together: together.map(connectionId) };
}
