// Histories on disk: one file a session, appended to in whole lines. The name is a hash of the
// agent's name and the session's id, so that nothing a peer says becomes part of a path.
// With the system before the chunk it came in goes on, so that a killed process has shown nothing
// that is not there; given to the disk within a second, which is what a power cut may cost.
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Version } from '../../acp/methods.ts';
import {
  entryLine,
  headLine,
  readEntry,
  readHead,
  type StoreEntry,
} from '../../drive/adapt/entry.ts';
import type { HistoryClaim, HistoryPort } from '../../drive/adapt/recording.ts';
import { underSession } from '../../drive/adapt/teller.ts';
import { isProcessRunning } from '../../relay/running.ts';

interface StoreOptions {
  /** Exists, and is its owner's alone. */
  readonly folder: string;
  /** Ids of two agents may be alike. */
  readonly agent: string;
  /** `acp-scope 0.1.0`. */
  readonly tool: string;
  /** One sentence for stderr. */
  readonly say: (text: string) => void;
}

/** A session that is ours to write. */
interface Held {
  readonly path: string;
  readonly lock: Lock & { readonly ok: true };
  fd: number | undefined;
  /** Whole lines that wait for the end of the chunk. */
  waiting: string[];
  /** Lines that the disk refused. */
  lost: number;
  sync: NodeJS.Timeout | undefined;
}

const SYNC_MS = 1000;
/** The head stands in the first of these. */
const HEAD_BYTES = 64 * 1024;
const NEWLINE = 0x0a;
// Absent on Windows, where a link cannot be planted without rights.
const { O_APPEND, O_CREAT, O_EXCL, O_RDWR, O_WRONLY, O_NOFOLLOW = 0 } = constants;

export class AdaptStore implements HistoryPort {
  readonly #options: StoreOptions;
  readonly #held = new Map<string, Held>();

  constructor(options: StoreOptions) {
    this.#options = options;
  }

  pathOf(session: string): string {
    const key = createHash('sha256').update(`${this.#options.agent}\0${session}`).digest('hex');
    return join(this.#options.folder, `${key.slice(0, 40)}.jsonl`);
  }

  claim(session: string): HistoryClaim {
    const ours = this.#held.get(session);
    if (ours) return { kind: 'ours', stored: ours.fd !== undefined };
    const path = this.pathOf(session);
    const lock = this.#lock(`${path}.lock`);
    if (typeof lock === 'string') return { kind: 'refused', why: lock };
    const held = { path, lock, fd: undefined, waiting: [], lost: 0, sync: undefined };
    const fault = this.#openStored(held, session);
    if (fault !== undefined) {
      lock.release();
      const why = `its history ${path} cannot be used: ${fault}. Move it away to begin a new one.`;
      return { kind: 'refused', why };
    }
    this.#held.set(session, held);
    return { kind: 'ours', stored: this.#held.get(session)?.fd !== undefined };
  }

  begin(session: string, begin: 'new' | 'middle', acp: Version): void {
    this.#make(session, begin);
    this.add(session, { type: 'open', at: new Date().toISOString(), acp });
  }

  copy(from: string, to: string, until: number, acp: Version): void {
    this.flush();
    const [head = '', ...lines] = readFileSync(this.pathOf(from))
      .subarray(0, until)
      .toString('utf8')
      .split('\n');
    const read = readHead(head);
    this.#make(to, read.ok ? read.head.begin : 'middle');
    for (const line of lines) {
      const entry = line === '' ? undefined : readEntry(line);
      if (entry?.type === 'update')
        this.add(to, { type: 'update', line: underSession(entry.line, to) });
      else if (line !== '') this.#write(to, line);
    }
    this.add(to, { type: 'open', at: new Date().toISOString(), acp, fork: true });
  }

  add(session: string, entry: StoreEntry): void {
    this.#write(session, entryLine(entry));
  }

  /** One whole line, which the system puts behind what is there. */
  missed(session: string, why: string): void {
    try {
      const fd = openSync(this.pathOf(session), O_WRONLY | O_APPEND | O_NOFOLLOW);
      writeSync(fd, `${entryLine({ type: 'gap', why })}\n`);
      closeSync(fd);
    } catch {
      // Deleted meanwhile, or not ours to write: there is nothing to note it in.
    }
  }

  /** In bytes. */
  position(session: string): number {
    this.flush();
    const fd = this.#held.get(session)?.fd;
    return fd === undefined ? 0 : fstatSync(fd).size;
  }

  release(session: string): void {
    const held = this.#held.get(session);
    if (!held) return;
    this.#flush(held);
    try {
      if (held.fd !== undefined) closeSynced(held.fd, held.sync);
    } catch (error) {
      this.#refused(held, error);
    }
    held.lock.release();
    this.#held.delete(session);
  }

  remove(session: string): void {
    const { kind } = this.claim(session);
    if (kind === 'ours') rmSync(this.pathOf(session), { force: true });
    this.release(session);
  }

  /** Writes what waits: from here on a kill of this process does not lose it. */
  flush(): void {
    for (const held of this.#held.values()) this.#flush(held);
  }

  close(): void {
    for (const session of [...this.#held.keys()]) this.release(session);
  }

  /** A sentence where another process has it, or nothing can be written at all. */
  #lock(path: string): Held['lock'] | string {
    try {
      const lock = takeLock(path);
      if (lock.ok) return lock;
      return `${lock.holder} has its history open. Close the session there first, or, if that is no acp-scope, remove ${path}.`;
    } catch (error) {
      return `its history cannot be opened: ${(error as Error).message}.`;
    }
  }

  /** A history that is there is opened; a clause where it cannot be used. */
  #openStored(held: Held, session: string): string | undefined {
    let fd: number;
    try {
      fd = openSync(held.path, O_RDWR | O_APPEND | O_NOFOLLOW);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      return code === 'ENOENT' ? undefined : message;
    }
    try {
      return this.#takeStored(held, session, fd);
    } catch (error) {
      held.fd = undefined;
      shut(fd);
      return (error as Error).message;
    }
  }

  #takeStored(held: Held, session: string, fd: number): string | undefined {
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, HEAD_BYTES));
    readSync(fd, bytes, 0, bytes.length, 0);
    const end = bytes.indexOf(NEWLINE);
    const head = readHead(bytes.subarray(0, end < 0 ? bytes.length : end).toString('utf8'));
    const isOurs = head.ok && head.head.session === session;
    if (isOurs && end >= 0) {
      held.fd = fd;
      // A line that a crash cut stays as it is, on a line of its own.
      const last = Buffer.alloc(1);
      readSync(fd, last, 0, 1, size - 1);
      if (last[0] !== NEWLINE) writeSync(fd, '\n');
      return undefined;
    }
    shut(fd);
    // A crash in the first line: nothing was recorded yet.
    if (end < 0 && size < HEAD_BYTES) return void rmSync(held.path);
    return head.ok ? 'it belongs to another session' : head.problem;
  }

  #make(session: string, begin: 'new' | 'middle'): void {
    const held = this.#held.get(session);
    if (!held || held.fd !== undefined) return;
    const { agent, tool } = this.#options;
    try {
      held.fd = openSync(held.path, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    } catch (error) {
      return this.#refused(held, error);
    }
    this.#write(session, headLine({ session, agent, begin, tool }));
  }

  #write(session: string, line: string): void {
    const held = this.#held.get(session);
    if (held?.fd !== undefined) held.waiting.push(line);
  }

  #flush(held: Held): void {
    const { fd, waiting } = held;
    if (fd === undefined || waiting.length === 0) return;
    held.waiting = [];
    const gap: StoreEntry = {
      type: 'gap',
      why: `${held.lost} entries are missing: the disk took none.`,
    };
    // After a refusal the last line may be half there.
    const lines = held.lost > 0 ? ['', entryLine(gap), ...waiting] : waiting;
    try {
      const bytes = Buffer.from(`${lines.join('\n')}\n`, 'utf8');
      for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
      held.lost = 0;
    } catch (error) {
      if (held.lost === 0) this.#refused(held, error);
      held.lost += waiting.length;
    }
    held.sync ??= setTimeout(() => {
      held.sync = undefined;
      if (held.fd !== undefined)
        fdatasync(held.fd, (error) => void (error && this.#refused(held, error)));
    }, SYNC_MS).unref();
  }

  /** Said once for each time that the disk refuses. */
  #refused(held: Held, error: unknown): void {
    const { message } = error as Error;
    const { path } = held;
    this.#options.say(`The history ${path} cannot be written: ${message}. The session goes on.`);
  }
}

/** What no timer has given to the disk yet goes there first. Throws where that refuses; it is closed all the same. */
function closeSynced(fd: number, sync: NodeJS.Timeout | undefined): void {
  clearTimeout(sync);
  try {
    if (sync) fdatasyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Of what we wrote nothing to. */
function shut(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // It is closed all the same.
  }
}

// One writer a session: a file beside the history that names the process which has it. Of a process
// that is gone the lock is taken over; two that try at once are kept apart by a file of their own.

type Lock =
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
  const text = JSON.stringify({ pid: process.pid, host: hostname() } satisfies Holder);
  let fd: number;
  try {
    fd = openSync(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  try {
    try {
      writeFileSync(fd, text);
    } finally {
      closeSync(fd);
    }
    return true;
  } catch (error) {
    // Half a lock names nobody, and would hold for ever.
    rmSync(path, { force: true });
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
  return host !== hostname() || (pid !== process.pid && isProcessRunning(pid));
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
