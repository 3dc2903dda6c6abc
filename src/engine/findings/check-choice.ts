// What a trace is checked against, as a person chose it and as the database keeps it.
import { arr, get, isArray, parseJson, str } from '../../acp/json.ts';
import { editionNamed } from '../../acp/editions/editions.ts';
import { connectionId, type ConnectionId } from '../../trace/event.ts';
import type { Store } from '../../storage/store.ts';
import type { CheckChoice } from './finding-messages.ts';

export const NO_CHOICE: CheckChoice = { edition: 'auto', together: [] };

function draftKey(connection: ConnectionId): string {
  return `check/${connection}`;
}

/** A choice as the database keeps it. */
interface StoredChoice extends Omit<CheckChoice, 'together'> {
  /** Undefined: nobody chose, so that the traces with a session in common are read with the trace. */
  readonly together?: CheckChoice['together'];
}

/** Returns a stored choice; a part that is not understood is as if nobody had chosen. */
function choiceOf(text: string): StoredChoice {
  const stored = parseJson(text);
  // `profile`: its name before editions had one.
  const edition = editionNamed(str(stored, 'edition') ?? str(stored, 'profile') ?? '') ?? 'auto';
  if (!isArray(get(stored, 'together'))) return { edition };
  const together = arr(stored, 'together').filter((one) => typeof one === 'string');
  return { edition, together: together.map(connectionId) };
}

/** Returns the choice that a person made for a trace; undefined: none. */
export async function storedChoice(
  store: Store,
  connection: ConnectionId,
): Promise<StoredChoice | undefined> {
  const draft = await store.draft(draftKey(connection));
  return draft.ok && draft.value ? choiceOf(draft.value.text) : undefined;
}

/** Keeps a choice in the database; `isByDefault`: nobody chose the traces that are read together. */
export function keepChoice(
  store: Store,
  connection: ConnectionId,
  choice: CheckChoice,
  isByDefault: boolean,
): void {
  const { edition } = choice;
  const kept: StoredChoice = isByDefault ? { edition } : choice;
  void store.putDraft({ key: draftKey(connection), text: JSON.stringify(kept) });
}

/** True if other traces are read together. */
export function isOtherSet(before: CheckChoice, now: CheckChoice): boolean {
  return before.together.join() !== now.together.join();
}
