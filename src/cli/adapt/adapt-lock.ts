// One writer a session: a file beside the history that names the process which has it. Of a process
// that is gone the lock is taken over; two that try at once are kept apart by a file of their own.
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { isRunning } from '../../relay/running.ts';

export type Lock =
  | { readonly ok: true; release(): void }
  /** `holder`: who has it, as it stands in a sentence: `process 4711`. */
  | { readonly ok: false; readonly holder: string };

interface Holder {
  readonly pid: number;
  readonly host: string;
}

/** A takeover that was itself cut off: older than this it counts for nothing. */
const TAKEOVER_MS = 10_000;

/** `path`: of the lock file, in a folder that is its owner's alone. */
export function takeLock(path: string): Lock {
  for (let attempt = 0; ; attempt++) {
    if (create(path)) return { ok: true, release: () => release(path) };
    const holder = read(path);
    if (holder === undefined || isAlive(holder)) return { ok: false, holder: wordsOf(holder) };
    if (attempt > 0 || !takeOver(path)) return { ok: false, holder: 'another process' };
  }
}

function create(path: string): boolean {
  try {
    const text = JSON.stringify({ pid: process.pid, host: hostname() } satisfies Holder);
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes a lock whose holder is gone, if nobody else is about to. */
function takeOver(path: string): boolean {
  const guard = `${path}.takeover`;
  const age = Date.now() - (statSync(guard, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  if (age > TAKEOVER_MS) rmSync(guard, { force: true });
  if (!create(guard)) return false;
  try {
    const holder = read(path);
    if (holder === undefined || isAlive(holder)) return false;
    rmSync(path, { force: true });
    return true;
  } finally {
    rmSync(guard, { force: true });
  }
}

/** Ours alone: after a takeover by mistake it may be another's. */
function release(path: string): void {
  const holder = read(path);
  if (holder?.pid === process.pid && holder.host === hostname()) rmSync(path, { force: true });
}

/** Of another machine nothing can be known: a lock on a shared folder holds. */
function isAlive({ pid, host }: Holder): boolean {
  return host !== hostname() || (pid !== process.pid && isRunning(pid));
}

function read(path: string): Holder | undefined {
  try {
    const { pid, host } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Holder>;
    return typeof pid === 'number' && typeof host === 'string' ? { pid, host } : undefined;
  } catch {
    return undefined;
  }
}

function wordsOf(holder: Holder | undefined): string {
  if (holder === undefined) return 'another process';
  const where = holder.host === hostname() ? '' : ` on ${holder.host}`;
  return `process ${holder.pid}${where}`;
}
