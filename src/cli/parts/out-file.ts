// The files that a command writes. No file is overwritten that the command line does not name, and one that
// it names only with --force, or after a question in a terminal. Every command asks here before it writes.
import {
  closeSync,
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { copyFile, link, lstat, rename, rm, stat } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { visibleWords } from '../../lib/visible-text.ts';
import { FileError } from '../command.ts';
import { keepApart } from './trace-files.ts';

/** A file that may be written. `outFiles` gives it. */
export interface OutFile {
  readonly path: string;
  /** True if the file may be replaced; false if the path was free, and a file that came since is not replaced. */
  readonly replaces: boolean;
}

/** The option of each command that writes a file which its line names. */
export const FORCE_OPTION = { force: { type: 'boolean', default: false } } as const;

interface Terms {
  /** The option or word that names the file, for sentences: `--out`, `OUT`. */
  readonly option: string;
  /** `--force` was given. */
  readonly force: boolean;
  /** Files that the command reads: none of them is written. */
  readonly reads?: readonly string[];
  /** The terminal in which a person is asked; `none`: standard input is for something else. */
  readonly terminal?: AskedAt | 'none' | undefined;
}

export interface OutFiles {
  /** The file that the command line names. Throws FileError, and UsageError if it is one that is read. */
  named(path: string): Promise<OutFile>;
  /** One whose name is made from that of `named`. */
  beside(path: string, named: string): Promise<OutFile>;
}

export function outFiles({ option, force, reads = [], terminal = ownTerminal() }: Terms): OutFiles {
  const give = async (path: string, mayReplace: boolean, refusal: string): Promise<OutFile> => {
    await keepApart(option, path, reads);
    if (mayReplace) return { path, replaces: true };
    if (!(await isThere(path))) return { path, replaces: false };
    // A pipe that has a name and a device are written to: nothing there is lost.
    if (await isNoFile(path)) return { path, replaces: true };
    if (terminal === 'none') throw new FileError(refusal);
    if (!(await agrees(`${path} exists. Overwrite? [y/N] `, terminal)))
      throw new FileError(`${path} is not overwritten. Give another ${option}.`);
    return { path, replaces: true };
  };
  return {
    named: (path) =>
      give(path, force, `${path} exists. Give another ${option}, or --force to overwrite it.`),
    beside: (path, named) =>
      give(
        path,
        false,
        `${path} exists, and this command would write it beside ${named}. No file is overwritten that the command line does not name: move it away, or give another ${option}.`,
      ),
  };
}

/**
 * The first of the names that is free, for a file whose name nobody expects: it is made at once, and is empty, so that
 * two commands never have the same. One that cannot be made is returned as it is.
 */
export function claimFree(nameOf: (number: number) => string): string {
  for (let number = 1; ; number++) {
    const path = nameOf(number);
    try {
      closeSync(openSync(path, 'wx', 0o600));
      return path;
    } catch (error) {
      const found = lstatSync(path, { throwIfNoEntry: false });
      // A pipe that has a name and a device are written to.
      if (!isThereNow(error) || !(found?.isFile() || found?.isSymbolicLink())) return path;
    }
  }
}

/** `more` before the ending of a trace's name: `run-2.acptrace.jsonl`. */
export function nameWith(path: string, more: string): string {
  const ending = /(?:\.acptrace\.jsonl|\.ndjson|\.jsonl)?(?:\.gz)?$/.exec(path)?.index;
  return `${path.slice(0, ending)}${more}${path.slice(ending ?? path.length)}`;
}

async function isNoFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && !found.isFile();
}

/** A link that leads nowhere is there as well. */
async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Puts what was written at `part` in the place of the file. Throws `EEXIST` if that came to be since. */
export async function moveInto({ replaces }: OutFile, part: string, target: string): Promise<void> {
  // A file that something is mounted on keeps its place: it is copied into.
  if (replaces)
    return rename(part, target).catch(async () => {
      await copyFile(part, target);
      await rm(part);
    });
  await link(part, target).catch(async (error: unknown) => {
    if (isThereNow(error)) throw error;
    // This disk knows no links.
    await copyFile(part, target, constants.COPYFILE_EXCL);
  });
  await rm(part);
}

/** The same at once, for a program that is about to end. */
export function moveIntoNow({ replaces }: OutFile, part: string, target: string): void {
  if (replaces) return renameSync(part, target);
  try {
    linkSync(part, target);
  } catch (error) {
    if (isThereNow(error)) throw error;
    copyFileSync(part, target, constants.COPYFILE_EXCL);
  }
  rmSync(part);
}

export function isThereNow(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}

/** The streams on which a person is asked, and answers with a line. */
interface AskedAt {
  readonly input: Readable;
  readonly output: Writable;
}

/** Ours, if both ends are a terminal. */
function ownTerminal(): AskedAt | 'none' {
  const { stdin, stderr } = process;
  return stdin.isTTY && stderr.isTTY ? { input: stdin, output: stderr } : 'none';
}

/** Yes is `y` or `yes`; an input that ends is a no. */
async function agrees(question: string, { input, output }: AskedAt): Promise<boolean> {
  output.write(visibleWords(question));
  const line = await new Promise<string>((answer) => {
    let text = '';
    const take = (chunk: Uint8Array | string) => {
      text += chunk.toString();
      if (text.includes('\n')) done();
    };
    const done = () => {
      input.off('data', take).off('end', done).off('error', done).pause();
      answer(text);
    };
    input.on('data', take).once('end', done).once('error', done);
  });
  return /^\s*y(?:es)?\s*$/i.test(line.split('\n', 1)[0] ?? '');
}
