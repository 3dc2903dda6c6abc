// Files that lie in a folder of ours and may be anything. What is opened is a regular file of our
// own user: no folder, pipe, socket, device or link. Nothing waits: opening a pipe would, for its writer.
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

// Absent on Windows, where a link cannot be planted without rights.
const { O_RDONLY, O_RDWR, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;
const HOW = { read: O_RDONLY, write: O_RDWR } as const;
const SAFELY = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

/** What is small by its nature: approvals, the note of a running relay. */
const MOST_SMALL = 16 * 1024 * 1024;

/** Undefined: it is none, or cannot be opened. `write`: what is there stays; nothing is made. */
export async function openRegular(
  path: string,
  how: keyof typeof HOW = 'read',
): Promise<FileHandle | undefined> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, HOW[how] | SAFELY);
    if (isOwnFile(await file.stat())) return file;
  } catch {
    // Falls through to the same answer.
  }
  await file?.close().catch(() => undefined);
  return undefined;
}

/** The text of a small file; undefined where there is none that can be read. */
export function readSmall(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, O_RDONLY | SAFELY);
    const stat = fstatSync(file);
    return isOwnFile(stat) && stat.size <= MOST_SMALL ? readFileSync(file, 'utf8') : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** A regular file, and our own user's. Of a link, `lstat` says that it is none. */
export function isOwnFile(stat: Stats): boolean {
  return stat.isFile() && (process.getuid === undefined || stat.uid === process.getuid());
}
