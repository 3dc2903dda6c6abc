// v1 `fs/*` for the page's client: text files inside the chosen folders and nowhere else.
import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { lstat, open, readlink, realpath, rename, unlink, type FileHandle } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import { CODE } from '../../acp/message.ts';
import { formatBytes } from '../../lib/format.ts';
import { decodeUtf8 } from '../../lib/utf8.ts';
import type { HostResult } from '../../link/messages.ts';
import { makeFolderLater } from '../make-folder.ts';
import { holdsPiece, obeyedBy, repositoryAround } from './guarded.ts';
import { hostError, isReached, OUTSIDE, place, type Reach } from './roots.ts';

const MOST_BYTES = 10 * 1024 * 1024;

// Absent on Windows. O_NONBLOCK: opening a FIFO must not wait for its writer.
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const CREATE =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** @param line the first line, from 1; @param limit how many lines */
export async function readTextFile(
  path: string,
  reach: Reach,
  line = 1,
  limit = Infinity,
): Promise<HostResult> {
  if (!isLineCount(line) || !(limit === Infinity || isLineCount(limit)))
    return hostError(CODE.invalidParams, 'line and limit are whole numbers, and not negative');
  const at = await place(path, reach);
  if (!at.ok) return at;
  if (!at.exists) return hostError(CODE.notFound, `Resource not found: ${path}`);
  let folder: FileHandle | undefined;
  let file: FileHandle | undefined;
  try {
    folder = await heldFolder(dirname(at.real));
    file = await open(join(folder ? within(folder) : dirname(at.real), basename(at.real)), READ);
    const stat = await file.stat();
    if (!stat.isFile()) return hostError(CODE.invalidParams, `${path} is not a regular file`);
    if (!folder && !(await isStill(at.real, stat, reach))) return OUTSIDE;
    if (stat.size > MOST_BYTES)
      return hostError(
        CODE.invalidParams,
        `${path} has ${formatBytes(stat.size)}; files over ${formatBytes(MOST_BYTES)} are not read`,
      );
    const text = decodeUtf8(await file.readFile());
    if (text === undefined) return hostError(CODE.invalidParams, `${path} is not UTF-8 text`);
    return { ok: true, result: { content: linesOf(text, line, limit) } };
  } catch (error) {
    return failed(path, error);
  } finally {
    await close(file);
    await close(folder);
  }
}

/** Writes that could each add a piece of a repository: two at once would not see each other's. */
let pieces: Promise<unknown> = Promise.resolve();

/** Replaces or makes the file in one step: a crash leaves the old one. Missing folders are made. */
export async function writeTextFile(
  path: string,
  content: string,
  reach: Reach,
): Promise<HostResult> {
  const parent = await place(dirname(path), reach);
  if (!parent.ok) return parent;
  const target = join(parent.real, basename(path));
  if (!isReached(target, reach) || basename(path) === '..') return OUTSIDE;
  const write = () => writeIfHarmless(path, content, parent);
  if (!holdsPiece(target)) return write();
  const written = pieces.then(write);
  pieces = written.catch(() => undefined);
  return written;
}

/** @param parent the folder of the file; it is inside the roots, and may be missing */
async function writeIfHarmless(
  path: string,
  content: string,
  parent: { readonly real: string; readonly exists: boolean },
): Promise<HostResult> {
  const fault = await guardFault(path, join(parent.real, basename(path)));
  if (fault !== undefined) return hostError(CODE.invalidParams, fault);
  let folder: FileHandle | undefined;
  try {
    if (!parent.exists) await makeFolderLater(parent.real);
    folder = await heldFolder(parent.real);
    if (!folder && (await realpath(parent.real)) !== parent.real) return OUTSIDE;
    return await replace(folder ? within(folder) : parent.real, basename(path), path, content);
  } catch (error) {
    return failed(path, error);
  } finally {
    await close(folder);
  }
}

/** @param path as it was asked for */
async function replace(
  folder: string,
  name: string,
  path: string,
  content: string,
): Promise<HostResult> {
  const target = join(folder, name);
  const old = await lstat(target).catch(() => undefined);
  if (old?.isSymbolicLink()) return OUTSIDE;
  if (old && !old.isFile()) return hostError(CODE.invalidParams, `${path} is not a regular file`);
  const temporary = join(folder, `.acp-scope-${randomUUID()}.tmp`);
  const file = await open(temporary, CREATE, old ? old.mode & 0o777 : 0o666);
  try {
    try {
      await file.writeFile(content, 'utf8');
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
    return { ok: true, result: {} };
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

/**
 * The folder itself, whatever its name leads to by now: what is done inside it cannot be turned
 * elsewhere by a link put in its place. Undefined: this system does not name an open folder by a path.
 * Throws ELOOP: a link stands there already.
 */
async function heldFolder(real: string): Promise<FileHandle | undefined> {
  if (process.platform !== 'linux') return undefined;
  const folder = await open(real, READ | constants.O_DIRECTORY);
  const place = await readlink(within(folder)).catch(() => undefined);
  if (place === real) return folder;
  await folder.close();
  if (place === undefined) return undefined;
  throw Object.assign(new Error(`${real} is another folder by now`), { code: 'ELOOP' });
}

/** Of what was only read: there is nothing that a refusal could lose. */
async function close(file: FileHandle | undefined): Promise<void> {
  await file?.close().catch(() => undefined);
}

function within(folder: FileHandle): string {
  return `/proc/self/fd/${folder.fd}`;
}

/** Why a file is not written, because another program would run what it names; undefined if it may be. */
async function guardFault(path: string, target: string): Promise<string | undefined> {
  // A file that exists may have another name in the system: Windows has short ones.
  const known = await realpath(target).catch(() => target);
  const advice = 'Write the file yourself if you want this change.';
  const program =
    obeyedBy(target) ??
    obeyedBy(known) ??
    ((await isInHomeDots(target)) ? 'another program' : undefined);
  if (program !== undefined)
    return `Cannot write ${path}: ${program} could run commands that this file names. ${advice}`;
  const repository = await repositoryAround(target);
  if (repository === undefined) return undefined;
  return `Cannot write ${path}: git would take ${repository} for a repository, and could run commands that its files name. ${advice}`;
}

/** True of everything below a name that begins with a dot in the person's home. */
async function isInHomeDots(target: string): Promise<boolean> {
  const home = await realpath(homedir()).catch(() => homedir());
  const [first = ''] = relative(home, target).split(sep);
  return first.startsWith('.') && first !== '..';
}

/** What was opened is what was judged, and it still lies inside. */
async function isStill(real: string, opened: Stats, reach: Reach): Promise<boolean> {
  const [again, now] = await Promise.all([realpath(real), lstat(real)]);
  return (
    again === real && isReached(again, reach) && now.ino === opened.ino && now.dev === opened.dev
  );
}

function isLineCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function linesOf(text: string, line: number, limit: number): string {
  if (line <= 1 && limit === Infinity) return text;
  const from = Math.max(0, line - 1);
  return text
    .split('\n')
    .slice(from, from + limit)
    .join('\n');
}

function failed(path: string, error: unknown): HostResult {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return hostError(CODE.notFound, `Resource not found: ${path}`);
  if (code === 'ELOOP' || code === 'ENOTDIR') return OUTSIDE;
  return hostError(CODE.internalError, `${path}: ${message}`);
}
