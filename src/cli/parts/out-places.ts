// Where a command puts its traces and its report: what cannot be written is told before anything is
// sent to an agent, and paid for.
import {
  accessSync,
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { makeFolder } from '../../relay/make-folder.ts';
import { FileError } from '../command.ts';
import { isThereNow, moveIntoNow, type OutFile } from './out-file.ts';

/** The folder for traces, which exists from now on. Throws `FileError`. */
export function tracesFolder(out: string | undefined, prefix: string): string {
  if (out === undefined) return mkdtempSync(join(realpathSync(tmpdir()), prefix));
  const folder = resolve(out);
  try {
    makeFolder(folder);
  } catch (error) {
    throw new FileError(
      `The folder ${folder} cannot be made (${codeOf(error)}). Give another --out.`,
    );
  }
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new FileError(
      `Traces cannot be written to ${folder} (${codeOf(error)}). Give another --out.`,
    );
  }
  return folder;
}

/** Whether a file can be written there; leaves all as it was. Throws `FileError`. */
export function checkWritable({ path, replaces }: OutFile, what: 'report' | 'trace'): void {
  try {
    closeSync(openSync(path, 'wx'));
    rmSync(path, { force: true });
  } catch (error) {
    if (!replaces || !isThereNow(error)) throw unwritable(path, error, what);
    try {
      closeSync(openSync(path, 'a'));
    } catch (error) {
      throw unwritable(path, error, what);
    }
  }
}

/**
 * As a whole or not at all: what stood there before stands there until then. At once, for a program that
 * is about to end. Throws `FileError`. `mode`: of a new file.
 */
export function writeReport(file: OutFile, text: string, mode = 0o666): void {
  const { path } = file;
  try {
    const before = statSync(path, { throwIfNoEntry: false });
    // A pipe that has a name is written to, not replaced.
    if (before && !before.isFile()) return writeFileSync(path, text);
    const target = before ? realpathSync(path) : path;
    const part = `${target}.${randomUUID()}.part`;
    try {
      writeFileSync(part, text, { flag: 'wx', mode: before ? before.mode & 0o777 : mode });
      moveIntoNow(file, part, target);
    } catch (error) {
      rmSync(part, { force: true });
      // Where the file may be written, but none be made beside it, that is better than no report.
      if (!before || !file.replaces || !isDenied(error)) throw error;
      writeFileSync(target, text);
    }
  } catch (error) {
    throw unwritable(path, error);
  }
}

function isDenied(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error));
}

function unwritable(path: string, error: unknown, what = 'report'): FileError {
  return new FileError(`The ${what} cannot be written to ${path} (${codeOf(error)}).`);
}

/** `ENOENT`, which is shorter than what Node says. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? String(error.code) : error.message;
}
