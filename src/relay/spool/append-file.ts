// Entries appended to one file, in order, without ever holding up who gives them: one write is under
// way, everything given meanwhile waits. A disk that refuses is asked again and again, and an entry
// leaves the memory only when all of it is in the file; how much may wait is the owner's business. A
// file that is removed or replaced under us is begun anew.
import { DISK, type Disk, type FileIdentity, type SpoolLimits } from './disk.ts';
import { Entries, type Entry } from './entries.ts';

interface AppendFileOptions {
  readonly path: string;
  readonly limits?: SpoolLimits;
  /** Replace a file of this name; otherwise one that is there is never touched. */
  readonly overwrite?: boolean;
  /** Makes the folder of the file again, where that is gone; false: it may not be used. */
  readonly makeFolder?: () => boolean;
  /** How a file begins, if `last` is the last event of the one before it; 0: there was none. */
  readonly opening: (last: number) => string;
  /** How a file ends in which `last` is the last event that could be written. */
  readonly ending: (last: number) => string;
  /** More bytes are in the file. */
  readonly onWritten: () => void;
  /** A try has failed, or has worked after one that failed; or nothing may have happened. */
  readonly onTrouble: () => void;
  /** Twice a second, while it is open. */
  readonly onLook: () => void;
  /** The file is gone, and the events in it. */
  readonly onRemoved: () => void;
  readonly disk?: Disk;
}

const RETRY_MS = 250;
/** What a power cut may cost; a killed process costs only what no write has taken yet. */
const SYNC_MS = 1000;
/** How often we look whether the file is still there, and how much of the disk is left. */
const LOOK_MS = 500;
/** In so many of these looks, what all recordings of the folder take is counted once. */
const LOOKS_AT_ALL = 10;
/** What is left of the disk to others, in bytes; of a small one, this part of it. */
const RESERVE = 1024 ** 3;
const RESERVE_PART = 0.1;
/** How often closing looks whether to go on. */
const WAIT_MS = 50;
interface OpenFile {
  readonly id: number;
  /** Undefined: the system does not say. */
  readonly identity: FileIdentity | undefined;
}

export class AppendFile {
  readonly #options: AppendFileOptions;
  readonly #disk: Disk;
  #file: OpenFile | undefined;
  #wasOpen = false;
  readonly #entries = new Entries();
  #size = 0;
  #last = 0;
  #progress = 0;
  #movedAt = performance.now();
  #problem: NodeJS.ErrnoException | undefined;
  #running: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #sync: NodeJS.Timeout | undefined;
  readonly #look: NodeJS.Timeout;
  #isLookDue = false;
  #isRoomDue = true;
  #looks = 0;
  #drained: (() => void)[] = [];
  #closing: Promise<void> | undefined;
  #patience = 0;
  #isOver = false;
  #hasEnding = false;

  constructor(options: AppendFileOptions) {
    this.#options = options;
    this.#disk = options.disk ?? DISK;
    this.#look = setInterval(() => {
      this.#isLookDue = true;
      this.#isRoomDue = true;
      this.#runSoon();
      this.#options.onLook();
      // A disk that hangs says nothing by itself.
      this.#options.onTrouble();
    }, LOOK_MS).unref();
    this.#begin();
  }

  /** Bytes in the file. */
  get size(): number {
    return this.#size;
  }

  /** The last event that is in the file, or was in one that is gone. */
  get last(): number {
    return this.#last;
  }

  /** Nothing more could be written, and the file says so itself: it has its ending. */
  get hasEnding(): boolean {
    return this.#hasEnding;
  }

  /** What is not wholly in the file. */
  get entries(): Entries {
    return this.#entries;
  }

  /** Grows with each step forward. */
  get progress(): number {
    return this.#progress;
  }

  /** Milliseconds since the last one, or since there was something to do. */
  get still(): number {
    return performance.now() - this.#movedAt;
  }

  /** Why the last try to write failed; undefined once one works again. */
  get problem(): NodeJS.ErrnoException | undefined {
    return this.#problem;
  }

  append(entry: Entry): void {
    this.#entries.push(entry);
    this.#runSoon();
  }

  /** Resolves when nothing waits, or when writing fails. */
  drained(): Promise<void> {
    if (this.#entries.length === 0 || this.#problem) return Promise.resolve();
    return new Promise((resolve) => this.#drained.push(resolve));
  }

  /**
   * Resolves when all that waits is in the file; or when the disk has taken nothing for `patience`
   * ms: then what waits is given up, and the file is given its ending, if there is room for that.
   * A later call sets another patience.
   */
  close(patience: number): Promise<void> {
    this.#patience = patience;
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    clearInterval(this.#look);
    clearTimeout(this.#retry);
    // Once more, or the last moment of a file that is gone would be lost in silence.
    this.#isLookDue = true;
    this.#tryAgain();
    let [progress, since] = [-1, 0];
    while (this.#entries.length > 0 || this.#running) {
      if (progress !== this.#progress) [progress, since] = [this.#progress, performance.now()];
      else if (performance.now() - since > this.#patience) break;
      await this.#moment();
    }
    this.#isOver = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#sync);
    if (this.#running) await this.#moment();
    const file = this.#file;
    // A write that hangs has the file, and nothing can be done to it.
    if (file && !this.#running) {
      if (this.#entries.length > 0) await this.#end(file.id);
      await this.#disk.close(file.id).catch(() => undefined);
    }
    this.#entries.clear();
  }

  /** Resolves when the run under way is over, or soon. */
  #moment(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, WAIT_MS);
      void this.#running?.finally(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #begin(): void {
    const last = this.#last;
    this.#entries.restart(this.#options.opening(last), last);
    this.#runSoon();
  }

  #runSoon(): void {
    if (!this.#running && !this.#retry && !this.#isOver) this.#running = this.#run();
  }

  #tryAgain(): void {
    this.#retry = undefined;
    this.#runSoon();
  }

  async #run(): Promise<void> {
    this.#movedAt = performance.now();
    // A turn of the event loop gathers the lines of one chunk into one write.
    await othersTurn();
    try {
      for (;;) {
        if (this.#isLookDue) await this.#lookForFile();
        if (this.#entries.length === 0) break;
        if (this.#isRoomDue) await this.#lookForRoom();
        this.#file ??= await this.#open();
        await this.#writeOnce(this.#file.id);
      }
      this.#syncLater();
    } catch (error) {
      this.#isRoomDue = true;
      this.#entries.settle(this.#size);
      this.#noteLast();
      this.#problem = error as NodeJS.ErrnoException;
      if (!this.#isOver) this.#retry = setTimeout(() => this.#tryAgain(), RETRY_MS);
      this.#options.onTrouble();
    }
    this.#running = undefined;
    for (const resolve of this.#drained.splice(0)) resolve();
    if (this.#entries.length > 0) this.#runSoon();
  }

  async #writeOnce(file: number): Promise<void> {
    const chunk = this.#entries.chunk();
    if (chunk.at === 0 && this.#size >= (this.#options.limits?.one ?? Infinity))
      throw refusal('LIMIT');
    let isMended = false;
    if (chunk.bytes.length === 0) await othersTurn();
    else {
      const took = await this.#disk.write(file, chunk.bytes, chunk.at);
      chunk.at += took;
      this.#size += took;
      isMended = this.#problem !== undefined;
      this.#problem = undefined;
    }
    this.#progress++;
    this.#movedAt = performance.now();
    if (chunk.at === chunk.bytes.length) {
      this.#entries.written(this.#size);
      this.#noteLast();
    }
    this.#options.onWritten();
    if (isMended) this.#options.onTrouble();
  }

  #noteLast(): void {
    this.#last = this.#entries.ends.at(-1)?.last ?? this.#last;
  }

  async #open(): Promise<OpenFile> {
    const { path, overwrite, makeFolder } = this.#options;
    // Only what was there before us may be replaced, and only once.
    const open = () => this.#disk.open(path, overwrite === true && !this.#wasOpen);
    const id = await open().catch((error: unknown) => {
      const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (isGone && makeFolder?.()) return open();
      throw error;
    });
    this.#wasOpen = true;
    return { id, identity: await this.#disk.identity(id).catch(() => undefined) };
  }

  /** Lets go of a file that is not where it was: what is written there would be seen by nobody. */
  async #lookForFile(): Promise<void> {
    this.#isLookDue = false;
    const file = this.#file;
    if (file?.identity === undefined) return;
    const here = await this.#disk.identity(this.#options.path).catch((error: unknown) => {
      const { code } = error as NodeJS.ErrnoException;
      return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : file.identity;
    });
    if (here === file.identity) return;
    this.#file = undefined;
    this.#size = 0;
    this.#begin();
    this.#options.onRemoved();
    await this.#disk.close(file.id).catch(() => undefined);
  }

  /** Stops before the disk is full: the agent and the editor write there too. */
  async #lookForRoom(): Promise<void> {
    const { path, limits } = this.#options;
    // A system that does not say refuses by itself when it is full.
    const room = await this.#disk.room(path).catch(() => undefined);
    if (room && room.free < Math.min(RESERVE, room.size * RESERVE_PART)) throw refusal('LOW');
    if (limits && (this.#problem || this.#looks++ % LOOKS_AT_ALL === 0)) {
      const taken = await this.#disk.recorded(path).catch(() => 0);
      if (taken >= limits.all) throw refusal('FOLDER');
    }
    this.#isRoomDue = false;
  }

  /** In the place of what cannot be written: of the torn line, or of the last whole ones with it. */
  async #end(file: number): Promise<void> {
    for (const { size, last } of [...this.#entries.ends].reverse()) {
      const bytes = Buffer.from(this.#options.ending(last));
      try {
        await this.#disk.truncate(file, size);
      } catch {
        return;
      }
      this.#last = last;
      const took = await this.#disk.write(file, bytes, 0).catch(() => 0);
      this.#size = size + took;
      this.#hasEnding = took === bytes.length;
      if (this.#hasEnding) return;
    }
  }

  #syncLater(): void {
    if (this.#closing || !this.#file) return;
    const { id } = this.#file;
    this.#sync ??= setTimeout(() => {
      this.#sync = undefined;
      if (this.#file?.id === id) void this.#disk.sync(id).catch(() => undefined);
    }, SYNC_MS).unref();
  }
}

/** By a rule of ours, in the form of the system's. */
function refusal(code: 'LOW' | 'LIMIT' | 'FOLDER'): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}

function othersTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
