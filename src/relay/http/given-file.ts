// A file that a command of the person's gives to a page: that one alone, and once. The command names it by
// its path; from there on only the relay knows the path, and the page asks by the code of its own link.
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { basename, isAbsolute } from 'node:path';
import { is, isCount, isText, maybe, object } from '../../lib/shape.ts';

export interface GivenPath {
  readonly path: string;
  readonly name: string;
  /** The frame to show. */
  readonly frame?: number;
  /** Which file it was when it was given: another one under its name is not read. */
  readonly identity: string;
}

type GivenResult =
  | { readonly ok: true; readonly file: GivenPath }
  | { readonly ok: false; readonly message: string };

interface Wish {
  readonly path: string;
  readonly frame?: number;
}

const wish = object<Wish>({
  path: is<string>((path) => isText(path) && isAbsolute(path)),
  frame: maybe(is<number>((frame) => isCount(frame) && frame > 0)),
});

/** `asked`: what stands in the command's request. */
export async function giveFile(asked: unknown): Promise<GivenResult> {
  const read = wish(asked);
  if (!read.ok)
    return { ok: false, message: `The file to open is not named well: ${read.at || 'file'}.` };
  const { path, frame } = read.value;
  const opened = await openNamed(path);
  if (!opened) return { ok: false, message: `${path} is no file that can be read.` };
  await opened.file.close();
  const { identity } = opened;
  const file = { path, name: basename(path), identity, ...(frame !== undefined && { frame }) };
  return { ok: true, file };
}

/** The given file, open, and its size; undefined: it is gone, or another one has its name. */
export async function openGiven({ path, identity }: GivenPath) {
  const opened = await openNamed(path);
  if (opened?.identity === identity) return opened;
  await opened?.file.close();
  return undefined;
}

interface Opened {
  readonly file: FileHandle;
  readonly size: number;
  readonly identity: string;
}

/** A regular file, of whichever user: the command could read it. Nothing waits for a pipe's writer. */
async function openNamed(path: string): Promise<Opened | undefined> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = await file.stat({ bigint: true });
    const { dev, ino, size } = stat;
    if (stat.isFile()) return { file, size: Number(size), identity: `${dev}:${ino}` };
  } catch {
    // Falls through to the same answer.
  }
  await file?.close().catch(() => undefined);
  return undefined;
}
