// Sessions on disk: one file of JSON lines a session, appended to as things happen, so that a
// killed process loses nothing that it sent. Reading is whole and synchronous: a request that
// follows a restore on the wire finds the session there.
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../acp/json.ts';
import { History, type HistoryChange } from './history.ts';
import { idOf } from './ids.ts';

export interface StoredSession {
  readonly id: string;
  readonly cwd: string;
  readonly directories: readonly string[];
  readonly title: string | undefined;
  /** When its file was last written, in milliseconds since 1970. */
  readonly updatedAt: number;
}

/** An open session file: what it held, and the way to append. */
export interface SessionFile {
  readonly id: string;
  readonly cwd: string;
  readonly history: History;
  append(change: HistoryChange): void;
  close(): void;
}

// What a client sends as an id becomes a file name, so it is only looked up in this shape.
const ID = /^sess_[0-9a-f]{16}$/;

/** Makes the folder when it is missing. */
export function openSessionStore(
  folder: string,
  seed: number | undefined,
  log: (line: string) => void,
):
  | { readonly ok: true; readonly store: SessionStore }
  | { readonly ok: false; readonly message: string } {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return { ok: true, store: new SessionStore(folder, seed, log) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `Cannot make the folder of the sessions (${why}). Give another with --store.`;
    return { ok: false, message };
  }
}

export class SessionStore {
  private readonly folder: string;
  private readonly seed: number | undefined;
  private readonly log: (line: string) => void;

  constructor(folder: string, seed: number | undefined, log: (line: string) => void) {
    this.folder = folder;
    this.seed = seed;
    this.log = log;
  }

  create(cwd: string): SessionFile {
    return this.write((session) => ({ session, version: 1, cwd }), []);
  }

  /** A new session with the other's history: all of it, or up to the turn that ends with this message. */
  fork(other: SessionFile, end?: string): SessionFile {
    const lines = readLines(readFileSync(this.path(other.id), 'utf8'));
    const changes = lines?.changes ?? [];
    return this.write(
      (session) => ({ session, version: 1, cwd: other.cwd, from: other.id }),
      end === undefined ? changes : upToTurn(changes, end),
    );
  }

  /** Undefined when there is no such session, or its file is no session file. */
  open(id: string): SessionFile | undefined {
    const text = this.read(id);
    const lines = text === undefined ? undefined : readLines(text);
    if (text === undefined || !lines) return undefined;
    if (lines.unreadable > 0)
      this.log(`${id}: passed over ${String(lines.unreadable)} line(s) that cannot be read`);
    const history = new History();
    for (const change of lines.changes) history.apply(change);
    return this.appendTo(lines.head, history, text.endsWith('\n'));
  }

  /** All sessions, the last used first. */
  list(): StoredSession[] {
    return readdirSync(this.folder)
      .flatMap((name) => this.stored(name.replace(/\.jsonl$/, '')) ?? [])
      .sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1));
  }

  /** Also fine for a session that does not exist. */
  remove(id: string): void {
    if (ID.test(id)) rmSync(this.path(id), { force: true });
  }

  private stored(id: string): StoredSession | undefined {
    const lines = readLines(this.read(id) ?? '');
    if (!lines) return undefined;
    const history = new History();
    for (const change of lines.changes)
      if (change.change === 'title' || change.change === 'directories') history.apply(change);
    const { directories, title } = history;
    const updatedAt = statSync(this.path(id), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return { id, cwd: lines.head.cwd, directories, title, updatedAt };
  }

  private read(id: string): string | undefined {
    if (!ID.test(id)) return undefined;
    try {
      return readFileSync(this.path(id), 'utf8');
    } catch {
      return undefined;
    }
  }

  private write(head: (id: string) => Head, changes: readonly HistoryChange[]): SessionFile {
    for (;;) {
      const first = head(this.nextId());
      const history = new History();
      for (const change of changes) history.apply(change);
      const text = [first, ...changes].map((line) => `${JSON.stringify(line)}\n`).join('');
      try {
        writeFileSync(this.path(first.session), text, { flag: 'wx', mode: 0o600 });
      } catch (error) {
        // Another process with the same seed took the id in this moment.
        if (error instanceof Error && 'code' in error && error.code === 'EEXIST') continue;
        throw error;
      }
      return this.appendTo(first, history, true);
    }
  }

  private appendTo(head: Head, history: History, whole: boolean): SessionFile {
    const file = openSync(this.path(head.session), 'a', 0o600);
    if (!whole) writeSync(file, '\n');
    let open = true;
    const shut = () => {
      if (open) closeSync(file);
      open = false;
    };
    return {
      id: head.session,
      cwd: head.cwd,
      history,
      append: (change) => {
        if (!open) return;
        try {
          writeSync(file, `${JSON.stringify(change)}\n`);
        } catch (error) {
          // A full disk ends the record of this session, not the session.
          this.log(`${head.session}: no longer kept, the store takes no more (${String(error)})`);
          shut();
        }
      },
      close: shut,
    };
  }

  /** With a seed, the ids are a fixed row; how far it is used stands in a file of the store. */
  private nextId(): string {
    if (this.seed === undefined) return `sess_${randomBytes(8).toString('hex')}`;
    const place = join(this.folder, `seed-${String(this.seed)}.next`);
    let next = 0;
    try {
      next = Number.parseInt(readFileSync(place, 'utf8'), 10) || 0;
    } catch {
      // The first session of this seed.
    }
    writeFileSync(`${place}.new`, String(next + 1), { mode: 0o600 });
    renameSync(`${place}.new`, place);
    return idOf('sess', this.seed, next);
  }

  private path(id: string): string {
    return join(this.folder, `${id}.jsonl`);
  }
}

function upToTurn(changes: readonly HistoryChange[], end: string): readonly HistoryChange[] {
  const last = changes.findLastIndex((one) => one.change === 'say' && one.id === end);
  const next = changes.findIndex(({ change }, at) => at > last && change === 'user');
  return next < 0 ? changes : changes.slice(0, next);
}

// The lines of a session's file: a head that says what the file is, then one change a line.

/** The first line of every session file. */
interface Head {
  readonly session: string;
  readonly version: 1;
  readonly cwd: string;
  /** The session this one was forked from. */
  readonly from?: string;
}

interface StoredLines {
  readonly head: Head;
  readonly changes: readonly HistoryChange[];
  /** Lines that cannot be read, as after a crash in mid-write. They are passed over. */
  readonly unreadable: number;
}

/** Reads a session file; undefined when its head cannot be read. */
export function readLines(text: string): StoredLines | undefined {
  const [first = '', ...rest] = text.split('\n');
  const head = parseJson(first);
  if (!isHead(head)) return undefined;
  const changes: HistoryChange[] = [];
  let unreadable = 0;
  for (const line of rest) {
    if (line === '') continue;
    const value = parseJson(line);
    if (isChange(value)) changes.push(value);
    else unreadable++;
  }
  return { head, changes, unreadable };
}

function isHead(value: unknown): value is Head {
  const head = value as Partial<Head> | null | undefined;
  return typeof head?.session === 'string' && typeof head.cwd === 'string' && head.version === 1;
}

// The store is ours alone: a line that parses and carries a change's name was written whole.
function isChange(value: unknown): value is HistoryChange {
  return typeof (value as Partial<HistoryChange> | null | undefined)?.change === 'string';
}
