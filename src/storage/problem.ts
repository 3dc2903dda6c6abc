// What can be wrong with the database, each as a sentence that says what it means and what to do.

export interface StorageProblem {
  readonly kind: 'quota' | 'closed' | 'newer' | 'blocked' | 'memory' | 'failed';
  readonly message: string;
}

export type Stored<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: StorageProblem };

const MESSAGES: Readonly<Record<Exclude<StorageProblem['kind'], 'failed'>, string>> = {
  quota:
    'The browser gives this page no more storage. Delete or export old traces, or free disk space; new frames wait in the spool until then.',
  closed:
    'ACP Scope was updated in another tab. Reload this page; frames wait in the spool until then.',
  newer:
    'A newer ACP Scope has stored traces here. They can be read and exported; reload after an update to store new frames, which wait in the spool.',
  blocked:
    'Another tab holds the database of an older ACP Scope open. Close or reload that tab to go on.',
  memory:
    'This browser offers no database here (a private window, or storage is switched off). Frames are kept in this window only: export what you need before you close it.',
};

export function storageProblem(kind: keyof typeof MESSAGES): StorageProblem {
  return { kind, message: MESSAGES[kind] };
}

/** What an exception of IndexedDB means. */
export function problemOf(error: unknown): StorageProblem {
  const name = nameOf(error);
  if (name === 'QuotaExceededError') return storageProblem('quota');
  if (name === 'VersionError') return storageProblem('newer');
  return {
    kind: 'failed',
    message: `The browser's database does not answer (${saidBy(error)}). Trying again; frames wait in the spool. If it stays, restart the browser.`,
  };
}

/** Of a block that cannot be read, or is not what was written. */
export function damage(error: unknown): StorageProblem {
  return {
    kind: 'failed',
    message: `A part of this trace is damaged in the browser's database (${saidBy(error)}). All else of it is here.`,
  };
}

function saidBy(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : nameOf(error);
}

/** The handle is dead, the database need not be: open it again and repeat. */
export function isLostHandle(error: unknown): boolean {
  return ['InvalidStateError', 'UnknownError', 'AbortError', 'TransactionInactiveError'].includes(
    nameOf(error),
  );
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : String(error);
}
