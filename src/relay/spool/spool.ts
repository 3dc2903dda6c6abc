// The folder of recordings: names for new ones, those that taps write now, and those left from
// earlier runs. A file that another live process writes is only read; one whose writer is gone is
// given the end it lacks.
import { randomBytes } from 'node:crypto';
import { watch, type FSWatcher } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { millis } from '../../lib/time.ts';
import { connectionId, seq, type ConnectionId, type Seq } from '../../trace/event.ts';
import { eventLine, type Header } from '../../trace/format.ts';
import { isProcessRunning } from '../running.ts';
import { isOwnFile, openRegular } from '../regular-file.ts';
import { TRACE_ENDING } from './disk.ts';
import { Recording } from './recording.ts';
import { readHeader, readTail, type Tail, type TraceFacts } from './spool-reader.ts';
import { spoolFolder } from '../state-folder.ts';

/** Growth is told by the system; where it is not, we look. */
const LOOK_MS = 250;
const GATHER_MS = 5;

/** A name no other recording has, and where it belongs. */
export function newRecording(state: string): { connection: ConnectionId; path: string } {
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const name = `${stamp}-${randomBytes(6).toString('hex')}`;
  return { connection: connectionId(name), path: join(spoolFolder(state), name + TRACE_ENDING) };
}

interface SpoolHandlers {
  /** The relay writes this one itself. */
  readonly isOwn: (path: string) => boolean;
  /** A recording of this id is there already: a second file of it is a copy. */
  readonly isKnown: (connection: ConnectionId) => boolean;
  readonly onFound: (recording: Recording) => void;
  readonly onEnded: (recording: Recording) => void;
  /** A file that could not be looked at, by a fault of the disk or our own. */
  readonly onFault: (error: unknown) => void;
}

interface Tailed {
  readonly recording: Recording;
  readonly writer: number | undefined;
  readonly start: number;
  looking: boolean;
  again: boolean;
}

/** Recordings that other processes wrote or write. */
export class Spool {
  readonly #folder: string;
  readonly #handlers: SpoolHandlers;
  readonly #tailed = new Map<string, Tailed>();
  /** What is no trace of ours: folders, pipes, links, files of others, copies; or another relay's. */
  readonly #ignored = new Set<string>();
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lookingAtAll = false;

  constructor(state: string, handlers: SpoolHandlers) {
    this.#folder = spoolFolder(state);
    this.#handlers = handlers;
  }

  /** Resolves when what is there already has been found. */
  async open(): Promise<void> {
    try {
      this.#watcher = watch(this.#folder, (_, name) => void (name && this.#notice(name)));
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      // Some file systems tell nothing: the timer looks.
    }
    this.#timer = setInterval(() => void this.#lookAtAll(), LOOK_MS);
    await this.#lookAtAll();
  }

  close(): void {
    this.#watcher?.close();
    clearInterval(this.#timer);
  }

  /** The file is gone, or will be. */
  drop(recording: Recording): void {
    this.#tailed.delete(recording.path);
    this.#ignored.add(recording.path);
  }

  async #lookAtAll(): Promise<void> {
    if (this.#lookingAtAll) return;
    this.#lookingAtAll = true;
    const names = await readdir(this.#folder).catch(() => []);
    await Promise.all(names.map((name) => this.#notice(name)));
    this.#lookingAtAll = false;
  }

  /** Never fails: whatever this entry is, the others are looked at. */
  async #notice(name: string): Promise<void> {
    if (!name.endsWith(TRACE_ENDING) || name === TRACE_ENDING) return;
    const path = join(this.#folder, name);
    if (this.#ignored.has(path) || this.#handlers.isOwn(path)) return;
    try {
      const known = this.#tailed.get(path) ?? (await this.#find(path));
      if (known && known.recording.progress.state === 'running') await this.#look(known);
    } catch (error) {
      this.#handlers.onFault(error);
    }
  }

  async #find(path: string): Promise<Tailed | undefined> {
    const stat = await lstat(path).catch(() => undefined);
    if (stat && !isOwnFile(stat)) this.#ignored.add(path);
    const file = await openRegular(path);
    if (!file) return undefined;
    try {
      const facts = await readHeader(file);
      if (facts === 'not_whole') return undefined;
      if (facts === 'foreign' || (await isElsewhere(facts.header, path)))
        return void this.#ignored.add(path);
      // Two notices at once: the first to come here made it.
      const known = this.#tailed.get(path);
      return known ?? (await this.#add(path, facts));
    } finally {
      await file.close();
    }
  }

  async #add(path: string, { header, start }: TraceFacts): Promise<Tailed | undefined> {
    const name = path.slice(this.#folder.length + 1, -TRACE_ENDING.length);
    const recording = new Recording(recordingFacts(header, name), path);
    const tailed = { recording, writer: header.writer, start, looking: false, again: false };
    this.#tailed.set(path, tailed);
    await this.#read(tailed);
    if (this.#handlers.isKnown(recording.id)) return void this.drop(recording);
    this.#handlers.onFound(recording);
    return tailed;
  }

  /** One look at a time; a notice meanwhile means one more. */
  async #look(tailed: Tailed): Promise<void> {
    tailed.again = true;
    if (tailed.looking) return;
    tailed.looking = true;
    try {
      for (let ended = false; tailed.again && !ended;) {
        tailed.again = false;
        await this.#read(tailed);
        ended = tailed.recording.progress.state === 'ended';
        if (ended) this.#handlers.onEnded(tailed.recording);
        else await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
      }
    } finally {
      tailed.looking = false;
    }
  }

  async #read(tailed: Tailed): Promise<void> {
    const { recording, writer, start } = tailed;
    // Asked before reading: what a dead writer wrote is all there.
    const alive = await writerLives(writer, recording.path);
    const { size, mtimeMs } = await statOf(recording.path);
    if (alive && size === recording.progress.size) return;
    const file = await openRegular(recording.path);
    if (!file) return;
    try {
      const tail = await readTail(file, start, size);
      // Asked when it is told, not before: another look may have written the end meanwhile, and seen the
      // time of the last byte, where this one saw the time of that writing.
      const written = () =>
        mtimeMs !== undefined && {
          written: Math.min(recording.progress.written ?? Infinity, mtimeMs),
        };
      if (tail.exited) recording.update({ last: tail.last, size, state: 'ended', ...written() });
      else if (alive) recording.update({ last: tail.last, size });
      else recording.update({ ...(await end(recording, tail)), state: 'ended', ...written() });
    } finally {
      await file.close();
    }
  }
}

/**
 * Cuts off a torn last line and writes why the recording ends, at the place where it ended, so
 * that two relays that do this at once write the same.
 */
async function end(
  { path, facts }: Recording,
  tail: Tail,
): Promise<{ readonly last: Seq; readonly size: number }> {
  const asItIs = { last: tail.last, size: tail.end };
  const file = tail.next === undefined ? undefined : await openRegular(path, 'write');
  if (!file || tail.next === undefined) return asItIs;
  const who = facts.mode === 'tap' ? 'tap' : 'relay';
  const last = seq(tail.next);
  const problem = `The ${who} that recorded this was ended before the agent was: what came later is not here.`;
  const line = eventLine({ type: 'exit', seq: last, at: millis(tail.at), problem }) + '\n';
  try {
    const { atime, mtime } = await file.stat();
    await file.truncate(tail.end);
    await file.write(line, tail.end);
    // Its age is that of what was recorded.
    await file.utimes(atime, mtime);
    return { last, size: tail.end + Buffer.byteLength(line) };
  } catch {
    return asItIs;
  } finally {
    await file.close();
  }
}

async function statOf(path: string): Promise<{ readonly size: number; readonly mtimeMs?: number }> {
  return lstat(path).catch(() => ({ size: 0 }));
}

/** Another relay that runs records it. */
async function isElsewhere({ mode, writer }: Header, path: string): Promise<boolean> {
  return mode === 'drive' && (await writerLives(writer, path));
}

/** Whether the process that writes this file runs. */
export async function writerLives(writer: number | undefined, path: string): Promise<boolean> {
  if (writer === undefined || writer === process.pid || !isProcessRunning(writer)) return false;
  const holds = await holdsOpen(writer, path);
  if (holds !== undefined) return holds;
  // A number from before this machine started means another process now.
  const { mtimeMs } = await lstat(path).catch(() => ({ mtimeMs: 0 }));
  return mtimeMs > Date.now() - uptime() * 1000;
}

/**
 * Whether the process of this number has the file open: who writes it always has, and a process that was given
 * the number of a dead one has not. Undefined: this system does not say.
 */
async function holdsOpen(pid: number, path: string): Promise<boolean | undefined> {
  try {
    const exact = { bigint: true } as const;
    const { dev, ino } = await stat(path, exact);
    const open = `/proc/${pid}/fd`;
    for (const name of await readdir(open)) {
      const held = await stat(join(open, name), exact).catch(() => undefined);
      if (held?.ino === ino && held.dev === dev) return true;
    }
    return false;
  } catch {
    return undefined;
  }
}

/** `name`: of the file, without its ending. */
export function recordingFacts(header: Header, name: string): Recording['facts'] {
  return {
    id: header.connection ?? connectionId(name),
    name: header.name ?? name,
    mode: header.mode ?? 'tap',
    argv: header.argv ?? [],
    cwd: header.cwd ?? '',
    startedAt: header.created,
  };
}
