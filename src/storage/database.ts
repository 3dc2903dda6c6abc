// Opening the browser's database, and opening it again when it was lost under us.
import { openDB, wrap } from 'idb';
import { problemOf, storageProblem, type StorageProblem } from './problem.ts';
import { DATABASE, SCHEMA_VERSION, upgrade, type Database, type Schema } from './schema.ts';

export interface DatabaseEvents {
  /** Something a person must do before it goes on; undefined: it goes on. */
  problem(problem: StorageProblem | undefined): void;
  /** The handle is dead: the browser ended it, or a newer version asked for the database. */
  lost(): void;
}

type Opened =
  | { readonly database: Database; readonly problem: StorageProblem | undefined }
  | { readonly database: undefined; readonly problem: StorageProblem };

/** A blocked upgrade of less than this is not worth a word. */
const BLOCKED_AFTER = 1000;

/** `newer`: opened for reading as it is. No `database`: there is none to be had here. */
export async function openDatabase(events: DatabaseEvents): Promise<Opened> {
  let blocked: ReturnType<typeof setTimeout> | undefined;
  try {
    const database = await openDB<Schema>(DATABASE, SCHEMA_VERSION, {
      upgrade: (db, from, _to, transaction) => upgrade(db, from, transaction),
      blocked: () => {
        blocked = setTimeout(() => events.problem(storageProblem('blocked')), BLOCKED_AFTER);
      },
      blocking: (_current, _blocked, event) => {
        // close() waits for running transactions, so nothing is cut off.
        (event.target as IDBDatabase).close();
        events.problem(storageProblem('closed'));
        events.lost();
      },
      terminated: () => events.lost(),
    });
    leaveToRequests(database);
    return { database, problem: undefined };
  } catch (error) {
    const problem = problemOf(error);
    if (problem.kind === 'newer') return openAsItIs(problem, events);
    return { database: undefined, problem };
  } finally {
    if (blocked !== undefined) {
      clearTimeout(blocked);
      events.problem(undefined);
    }
  }
}

async function openAsItIs(newer: StorageProblem, events: DatabaseEvents): Promise<Opened> {
  try {
    const database = await openDB<Schema>(DATABASE, undefined, {
      blocking: (_current, _blocked, event) => {
        (event.target as IDBDatabase).close();
        events.lost();
      },
      terminated: () => events.lost(),
    });
    leaveToRequests(database);
    return { database, problem: newer };
  } catch (error) {
    return { database: undefined, problem: problemOf(error) };
  }
}

/**
 * Of a transaction that fails its requests tell, and whoever waits for its end. idb promises the end of
 * each, also where nobody asked for it: those promises would be rejections that nobody handles.
 */
function leaveToRequests(database: Database): void {
  const told = ({ target }: Event) => {
    const transaction = target instanceof IDBRequest ? target.transaction : target;
    if (transaction instanceof IDBTransaction) wrap(transaction).done.catch(() => undefined);
  };
  database.addEventListener('abort', told);
  database.addEventListener('error', told);
}
