// Starting a program: never through a shell, in a process group of its own, its stdio as bytes,
// its environment ours without what is private to us. What can go wrong is a sentence that names
// the cause and the fix.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { delimiter, extname } from 'node:path';
import type { Problem } from '../../link/messages.ts';
import { findProgram } from './find-program.ts';
import { batchCommand, type Command } from './windows-command.ts';

export interface Program {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Added to our own environment. */
  readonly env: Readonly<Record<string, string>>;
}

export type Spawned =
  | { readonly ok: true; readonly child: ChildProcessWithoutNullStreams }
  | { readonly ok: false; readonly problem: Problem };

/** Resolves when the program runs, or with why it cannot. Its output waits until it is listened to. */
export async function spawnProgram({ argv, cwd, env }: Program): Promise<Spawned> {
  const [name, ...args] = argv;
  if (name === undefined || name === '')
    return failed('not_found', 'The command line is empty. Give a program to start.');
  if (argv.some((part) => part.includes('\0')))
    return failed('not_found', 'The command line holds a NUL character. Remove it.');
  const wrong = envFault(env);
  if (wrong !== undefined) return failed('not_found', wrong);
  const fault = await cwdFault(cwd);
  if (fault) return failed('bad_cwd', fault);
  const environment = childEnvironment(env);
  const found = await findProgram(name, cwd, environment);
  if (!found.ok)
    return found.why === 'missing'
      ? failed('not_found', notFound(name, cwd, found.searched))
      : failed('not_executable', notExecutable(found.path));
  const command = await commandFor(found.path, args);
  const child = spawn(command.file, command.args, {
    cwd,
    env: environment,
    stdio: 'pipe',
    windowsHide: true,
    // Its own group, so that it can be ended with all it started. On Windows that would open a console.
    detached: process.platform !== 'win32',
    windowsVerbatimArguments: command.verbatim ?? false,
    ...(command.file === found.path && { argv0: name }),
  });
  return new Promise((resolve) => {
    child.once('spawn', () => resolve({ ok: true, child }));
    child.once('error', (error: NodeJS.ErrnoException) => resolve(refused(error, found.path)));
  });
}

/** Why the system would not take these variables. */
export function envFault(env: Readonly<Record<string, string>>): string | undefined {
  const wrong = Object.entries(env).find(
    ([name, value]) => name === '' || /[=\0]/.test(name) || value.includes('\0'),
  );
  return wrong && `The variable ${JSON.stringify(wrong[0])} is none: "=" and NUL are not allowed.`;
}

/** Ours without `ACP_SCOPE_*`, plus what is given. */
function childEnvironment(
  given: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  const names = process.platform === 'win32' ? (name: string) => name.toUpperCase() : String;
  const givenNames = new Set(Object.keys(given).map(names));
  const own = Object.entries(process.env).filter(
    ([name]) => !names(name).startsWith('ACP_SCOPE_') && !givenNames.has(names(name)),
  );
  return { ...Object.fromEntries(own), ...given };
}

async function commandFor(path: string, args: readonly string[]): Promise<Command> {
  if (process.platform !== 'win32' || !/^\.(cmd|bat)$/i.test(extname(path)))
    return { file: path, args };
  return batchCommand(path, await readFile(path, 'utf8'), args, process.execPath);
}

async function cwdFault(cwd: string): Promise<string | undefined> {
  try {
    if ((await stat(cwd)).isDirectory()) return undefined;
    return `The working folder ${cwd} is a file. Give a folder.`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EACCES'
      ? `The working folder ${cwd} may not be opened. Give one you can read.`
      : `The working folder ${cwd} does not exist. Make it, or give another.`;
  }
}

function notFound(name: string, cwd: string, searched: readonly string[]): string {
  if (/^(https?|wss?):/i.test(name))
    return `${name} is a URL. Agents are started by a command and spoken to over stdio; none is reached by URL yet. Give the command that starts the agent.`;
  if (/[\\/]/.test(name))
    return `There is no program at ${name} (looked from ${cwd}). Check the path.`;
  return `The program "${name}" was not found. Install it, or give its full path. PATH searched: ${searched.join(delimiter) || '(empty)'}`;
}

function notExecutable(path: string): string {
  return `${path} is not executable. Run chmod +x on it, or start it through its interpreter.`;
}

function refused(error: NodeJS.ErrnoException, path: string): Spawned {
  switch (error.code) {
    case 'EACCES':
    case 'EPERM':
      return failed('not_executable', notExecutable(path));
    case 'ENOENT':
      return failed(
        'not_found',
        `${path} cannot be started: the interpreter in its first line was not found. Install it.`,
      );
    case 'E2BIG':
      return failed('not_executable', `${path} cannot be started: its arguments are too long.`);
    default:
      return failed('not_executable', `${path} cannot be started: ${error.message}.`);
  }
}

function failed(code: Problem['code'], message: string): Spawned {
  return { ok: false, problem: { code, message } };
}
