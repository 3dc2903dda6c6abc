// What the recording asks of a file system, and nothing more: so that a test can refuse any step.
import { close, constants, fdatasync, fstat, ftruncate, open, stat, statfs, write } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** Which file it is, whatever its name: two of the same answer are one file. */
export type FileIdentity = string;

/** Every step may fail with a `NodeJS.ErrnoException`. */
export interface Disk {
  /** For appending and for its owner alone; `replace`: a file of this name, which otherwise is a fault. */
  open(path: string, replace: boolean): Promise<number>;
  /** How many of the bytes it took. */
  write(file: number, bytes: Uint8Array, from: number): Promise<number>;
  truncate(file: number, size: number): Promise<void>;
  /** By an open file, or by the name that leads to one. */
  identity(file: number | string): Promise<FileIdentity>;
  /** Bytes free for us, and of the whole disk, where a file of this path stands or would. */
  room(path: string): Promise<{ readonly free: number; readonly size: number }>;
  /** Bytes of all recordings in the folder of a file of this path. */
  recorded(path: string): Promise<number>;
  sync(file: number): Promise<void>;
  close(file: number): Promise<void>;
}

const [openFile, writeFile, closeFile] = [promisify(open), promisify(write), promisify(close)];
const [statFile, statPath] = [promisify(fstat), promisify(stat)];
const statDisk = promisify(statfs);
const [truncate, sync] = [promisify(ftruncate), promisify(fdatasync)];

/** Of the files of recordings. */
export const TRACE_ENDING = '.acptrace.jsonl';

/** In bytes: where a recording stops, and where all of a folder do together. */
export interface SpoolLimits {
  readonly one: number;
  readonly all: number;
}

/** Of our own folder; a recording in a file of the user's has none. */
export const SPOOL_LIMITS: SpoolLimits = { one: 2 * 1024 ** 3, all: 8 * 1024 ** 3 };

export const DISK: Disk = {
  open(path, replace) {
    const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_TRUNC } = constants;
    // Absent on Windows, where a link cannot be planted without rights.
    const noFollow = constants.O_NOFOLLOW ?? 0;
    const how = replace ? O_TRUNC : O_EXCL;
    return openFile(path, O_WRONLY | O_APPEND | O_CREAT | how | noFollow, 0o600);
  },
  async write(file, bytes, from) {
    return (await writeFile(file, bytes, from, bytes.length - from, null)).bytesWritten;
  },
  truncate,
  async identity(file) {
    const exact = { bigint: true } as const;
    const { dev, ino } = await (typeof file === 'number'
      ? statFile(file, exact)
      : statPath(file, exact));
    return `${dev}:${ino}`;
  },
  async room(path) {
    const { bavail, blocks, bsize } = await statDisk(dirname(path));
    return { free: bavail * bsize, size: blocks * bsize };
  },
  async recorded(path) {
    const folder = dirname(path);
    const names = await readdir(folder);
    const sizes = names.map(async (name) => {
      if (!name.endsWith(TRACE_ENDING)) return 0;
      return statPath(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      );
    });
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  },
  sync,
  close: closeFile,
};
