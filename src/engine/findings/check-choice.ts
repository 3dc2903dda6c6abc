// The edition that each trace is checked against, and the traces that are read with it: chosen by a person, and kept in
// the database.
import { arr, get, isArray, parseJson, str } from '../../acp/json.ts';
import type { EditionId } from '../../acp/editions/edition.ts';
import { editionNamed } from '../../acp/editions/editions.ts';
import { connectionId, type ConnectionId } from '../../trace/event.ts';
import type { Catalog } from '../library/catalog.ts';
import { sharing } from '../traces/sharing.ts';
import type { Store } from '../../storage/store.ts';
import type { CheckChoice } from './finding-messages.ts';

export const NO_CHOICE: CheckChoice = { edition: 'auto', together: [] };

/** A choice as the database keeps it. */
interface StoredChoice extends Omit<CheckChoice, 'together'> {
  /** Undefined: nobody chose, so that the traces with a session in common are read with the trace. */
  readonly together?: CheckChoice['together'];
}

export class Choices {
  readonly #store: Store;
  readonly #catalog: Catalog;
  readonly #of = new Map<ConnectionId, CheckChoice>();
  readonly #wanted = new Map<ConnectionId, CheckChoice>();
  /** Traces that are read with whatever shares a session with them, because nobody chose otherwise. */
  readonly #byDefault = new Set<ConnectionId>();

  constructor(store: Store, catalog: Catalog) {
    this.#store = store;
    this.#catalog = catalog;
  }

  has(connection: ConnectionId): boolean {
    return this.#of.has(connection);
  }

  get(connection: ConnectionId): CheckChoice {
    return this.#of.get(connection) ?? NO_CHOICE;
  }

  all(): readonly CheckChoice[] {
    return [...this.#of.values()];
  }

  /** Returns the choice that a person made for a trace before; undefined: none. */
  async stored(connection: ConnectionId): Promise<StoredChoice | undefined> {
    const draft = await this.#store.draft(draftKey(connection));
    return draft.ok && draft.value ? choiceOf(draft.value.text) : undefined;
  }

  /** Makes a stored choice known, unless a person has chosen meanwhile. */
  recall(connection: ConnectionId, stored: StoredChoice | undefined): void {
    if (this.has(connection)) return;
    this.#of.set(connection, { ...NO_CHOICE, ...stored });
    if (stored?.together !== undefined) return;
    this.#byDefault.add(connection);
    this.gather(connection);
  }

  /** Notes a choice that cannot be kept yet. The result is true until a person chooses again. */
  want(connection: ConnectionId, choice: CheckChoice): () => boolean {
    this.#wanted.set(connection, choice);
    return () => this.#wanted.get(connection) === choice;
  }

  /** Keeps a choice, in the database too. Returns the choice before. */
  keep(connection: ConnectionId, choice: CheckChoice): CheckChoice {
    const before = this.get(connection);
    if (isOtherSet(before, choice)) this.#byDefault.delete(connection);
    this.#of.set(connection, choice);
    const { edition } = choice;
    const kept: StoredChoice = this.#byDefault.has(connection) ? { edition } : choice;
    void this.#store.putDraft({ key: draftKey(connection), text: JSON.stringify(kept) });
    return before;
  }

  /** Lets a stored trace be read with those that share a session, if nobody chose; true if these are other traces than before. */
  gather(connection: ConnectionId): boolean {
    if (!this.#byDefault.has(connection) || this.#catalog.live(connection)) return false;
    const before = this.get(connection);
    const choice = { ...before, together: sharing(this.#catalog, connection) };
    if (!isOtherSet(before, choice)) return false;
    this.#of.set(connection, choice);
    return true;
  }

  /** A restored session continues from earlier connections: they are read together also when all are stored. */
  remember(connection: ConnectionId, earlier: readonly ConnectionId[]): void {
    const choice = this.get(connection);
    const missing = earlier.filter((one) => !choice.together.includes(one));
    if (missing.length === 0) return;
    this.keep(connection, { ...choice, together: [...choice.together, ...missing] });
  }

  /** An edition is known no more: traces that were checked against it are checked as if nobody had chosen. */
  forget(id: EditionId): void {
    for (const [connection, choice] of this.#of)
      if (choice.edition === id) this.keep(connection, { ...choice, edition: 'auto' });
  }
}

/** True if other traces are read together. */
export function isOtherSet(before: CheckChoice, now: CheckChoice): boolean {
  return before.together.join() !== now.together.join();
}

function draftKey(connection: ConnectionId): string {
  return `check/${connection}`;
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
