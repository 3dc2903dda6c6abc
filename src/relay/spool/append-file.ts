// Text appended to one file, in order, without ever holding up who gives it: one write is under
// way, everything given meanwhile goes into the next. A disk that refuses keeps what it refused
// for another try; how much may wait is the owner's business (`waiting`).
import { close, constants, fdatasync, open, write } from 'node:fs';
import { promisify } from 'node:util';

const openFile = promisify(open);
const writeFile = promisify(write);
const closeFile = promisify(close);

const RETRY_MS = 250;
/** What a power cut may cost; a killed process costs only what no write has taken yet. */
const SYNC_MS = 1000;

export interface AppendFileOptions {
  readonly path: string;
  /** Replace a file of this name; otherwise one that is there is never touched. */
  readonly overwrite?: boolean;
  /** More bytes are in the file. */
  readonly onWritten: () => void;
}

export class AppendFile {
  readonly #options: AppendFileOptions;
  #fd: number | undefined;
  #texts: string[] = [];
  #waiting = 0;
  /** What was taken from `#texts`: the bytes the file does not have yet, and their share of `#waiting`. */
  #rest: { readonly bytes: Uint8Array; readonly length: number } | undefined;
  #size = 0;
  #problem: NodeJS.ErrnoException | undefined;
  #running: Promise<void> | undefined;
  #closing = false;
  #retry: NodeJS.Timeout | undefined;
  #sync: NodeJS.Timeout | undefined;
  #drained: (() => void)[] = [];

  constructor(options: AppendFileOptions) {
    this.#options = options;
  }

  /** Bytes in the file. */
  get size(): number {
    return this.#size;
  }

  /** Roughly the bytes not yet in the file. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Why the last try to write failed; undefined once one works again. */
  get problem(): NodeJS.ErrnoException | undefined {
    return this.#problem;
  }

  append(text: string): void {
    this.#texts.push(text);
    this.#waiting += text.length;
    if (!this.#running && !this.#retry) this.#running = this.#run();
  }

  /** Resolves when nothing waits, or when writing fails. */
  drained(): Promise<void> {
    if (this.#waiting === 0 || this.#problem) return Promise.resolve();
    return new Promise((resolve) => this.#drained.push(resolve));
  }

  /** Writes what waits, with one more try if the disk refuses, and closes the file. */
  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#sync);
    await this.#running;
    if (this.#waiting > 0) await (this.#running = this.#run());
    const fd = this.#fd;
    this.#fd = undefined;
    if (fd !== undefined) await closeFile(fd).catch(() => undefined);
  }

  async #run(): Promise<void> {
    // A turn of the event loop gathers the lines of one chunk into one write.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      this.#fd ??= await this.#open();
      while (this.#waiting > 0) await this.#writeOnce(this.#fd);
      this.#syncLater(this.#fd);
    } catch (error) {
      this.#problem = error as NodeJS.ErrnoException;
      if (!this.#closing) this.#retry = setTimeout(() => this.#tryAgain(), RETRY_MS);
    }
    this.#running = undefined;
    for (const resolve of this.#drained.splice(0)) resolve();
    // What came between the last write and here.
    if (this.#waiting > 0 && !this.#problem && !this.#closing) this.#running = this.#run();
  }

  #tryAgain(): void {
    this.#retry = undefined;
    this.#running ??= this.#run();
  }

  async #writeOnce(fd: number): Promise<void> {
    const { bytes, length } = (this.#rest ??= this.#take());
    const { bytesWritten } = await writeFile(fd, bytes, 0, bytes.length, null);
    this.#size += bytesWritten;
    this.#problem = undefined;
    if (bytesWritten < bytes.length) {
      this.#rest = { bytes: bytes.subarray(bytesWritten), length };
    } else {
      this.#rest = undefined;
      this.#waiting -= length;
    }
    this.#options.onWritten();
  }

  #take(): { bytes: Uint8Array; length: number } {
    const text = this.#texts.join('');
    this.#texts = [];
    return { bytes: Buffer.from(text, 'utf8'), length: text.length };
  }

  #open(): Promise<number> {
    const { path, overwrite } = this.#options;
    const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_TRUNC } = constants;
    // Absent on Windows, where a link cannot be planted without rights.
    const noFollow = constants.O_NOFOLLOW ?? 0;
    const how = overwrite ? O_TRUNC : O_EXCL;
    return openFile(path, O_WRONLY | O_APPEND | O_CREAT | how | noFollow, 0o600);
  }

  #syncLater(fd: number): void {
    if (this.#closing) return;
    this.#sync ??= setTimeout(() => {
      this.#sync = undefined;
      if (this.#fd === fd) fdatasync(fd, () => undefined);
    }, SYNC_MS).unref();
  }
}
