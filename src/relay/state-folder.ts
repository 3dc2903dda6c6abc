// Where the relay and the tap keep what must outlive them, and nobody else may read: the spool,
// the commands a person approved, and the running relay's address with its secret.
import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { makeFolder } from './make-folder.ts';

type FolderPrepared =
  | { readonly ok: true }
  /** `code`: of the system, or the one it has for what is not permitted. */
  | { readonly ok: false; readonly message: string; readonly code: string };

/** `$ACP_SCOPE_STATE`, else the system's place for a program's state. Never in /tmp, where others may write. */
export function stateFolder(
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const given = env['ACP_SCOPE_STATE'];
  // Agents run in other folders than we do.
  if (given) return resolve(given);
  if (process.platform === 'darwin')
    return join(homedir(), 'Library', 'Application Support', 'acp-scope');
  if (process.platform === 'win32')
    return join(env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'acp-scope');
  // A relative one is none, as its specification has it.
  const state = env['XDG_STATE_HOME'] ?? '';
  return join(isAbsolute(state) ? state : join(homedir(), '.local', 'state'), 'acp-scope');
}

/** The folder of the user's configuration: `$XDG_CONFIG_HOME/acp-scope`, or the system's place for it. */
export function configFolder(
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  if (process.platform === 'darwin')
    return join(homedir(), 'Library', 'Application Support', 'acp-scope');
  if (process.platform === 'win32')
    return join(env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'acp-scope');
  const config = env['XDG_CONFIG_HOME'] ?? '';
  return join(isAbsolute(config) ? config : join(homedir(), '.config'), 'acp-scope');
}

export function spoolFolder(state: string): string {
  return join(state, 'spool');
}

/** Makes the folders, for their owner alone, and refuses ones that others may enter. */
export function prepareState(state: string): FolderPrepared {
  const prepared = prepareFolder(state);
  return prepared.ok ? prepareFolder(spoolFolder(state)) : prepared;
}

/** The same for one folder. */
export function prepareFolder(folder: string): FolderPrepared {
  try {
    const message = faultOf(folder);
    return message === undefined ? { ok: true } : { ok: false, message, code: 'EACCES' };
  } catch (error) {
    const { message, code = message } = error as NodeJS.ErrnoException;
    const fix = 'Set ACP_SCOPE_STATE to a folder you can write.';
    return { ok: false, message: `${folder} cannot be used: ${message}. ${fix}`, code };
  }
}

/** Replaces the file in one step; at no moment can another user read it. */
export function writePrivate(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.new`;
  try {
    unlinkSync(temporary);
  } catch {
    // Usually there is none.
  }
  const file = openSync(temporary, 'wx', 0o600);
  try {
    try {
      writeFileSync(file, text);
      // What is replaced must not be lost to a power cut that comes between the two.
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  }
}

/** Throws the system's error. */
function faultOf(folder: string): string | undefined {
  makeFolder(folder, 0o700);
  const stat = lstatSync(folder);
  if (!stat.isDirectory()) return `${folder} is not a folder. Remove it, or set ACP_SCOPE_STATE.`;
  if (process.platform === 'win32') return undefined;
  if (stat.uid !== process.getuid?.())
    return `${folder} has unsafe permissions: it belongs to another user. Set ACP_SCOPE_STATE to a folder of yours.`;
  if ((stat.mode & 0o077) !== 0)
    return `${folder} has unsafe permissions: others may enter it. Run: chmod 700 "${folder}"`;
  return undefined;
}
