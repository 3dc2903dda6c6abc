// Where a command puts its traces and its report: what cannot be written is told before anything is
// sent to an agent, and paid for.
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { FileError } from '../command.ts';

/** The folder for traces, which exists from now on. Throws `FileError`. */
export function tracesFolder(out: string | undefined, prefix: string): string {
  if (out === undefined) return mkdtempSync(join(realpathSync(tmpdir()), prefix));
  const folder = resolve(out);
  try {
    mkdirSync(folder, { recursive: true });
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
export function checkReport(path: string): void {
  const isNew = !existsSync(path);
  try {
    closeSync(openSync(path, 'a'));
    if (isNew) rmSync(path, { force: true });
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Throws `FileError`. */
export function writeReport(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw unwritable(path, error);
  }
}

function unwritable(path: string, error: unknown): FileError {
  return new FileError(`The report cannot be written to ${path} (${codeOf(error)}).`);
}

/** `ENOENT`, which is shorter than what Node says. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? String(error.code) : error.message;
}
