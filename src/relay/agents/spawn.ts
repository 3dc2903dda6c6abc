// Starting a program: never through a shell, in a process group of its own, its stdio as bytes,
// its environment ours without what is private to us. Which file it is, is decided once, so that what
// was approved is what runs. What can go wrong is a sentence that names the cause and the fix.
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { readFile, realpath, stat } from 'node:fs/promises';
import { delimiter, extname } from 'node:path';
import { variableOf } from '../../lib/variables.ts';
import type { Problem } from '../../link/messages.ts';
import { beginProcess } from './begin-process.ts';
import { findProgram } from './find-program.ts';
import { endsWithUs } from './kill-tree.ts';
import { newMark, RUN_VARIABLE } from './left-programs.ts';
import { notExecutable, refusal } from './spawn-words.ts';
import { batchCommand, type SpawnCommand } from './windows-command.ts';

export interface Program {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Added to our own environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** A program whose file and folder are known: nothing is looked up again when it is spawned. */
export interface Located extends Program {
  /** As it was found. It is spawned by this path: a virtual environment or a busybox looks at its own. */
  readonly file: string;
  /** The same two without links. */
  readonly realFile: string;
  readonly realCwd: string;
}

type Locating =
  | { readonly ok: true; readonly located: Located }
  | { readonly ok: false; readonly problem: Problem };

type Spawned =
  | {
      readonly ok: true;
      readonly child: ChildProcessWithoutNullStreams;
      /** What it and all it starts have in their environment: see left-programs.ts. */
      readonly mark: string;
    }
  | { readonly ok: false; readonly problem: Problem };

/** Which file the command line means, and where it would run; or why it cannot. */
export async function locateProgram(program: Program): Promise<Locating> {
  const { argv, cwd, env } = program;
  const [name] = argv;
  if (name === undefined || name === '')
    return failed('not_found', 'The command line is empty. Give a program to start.');
  if (argv.some((part) => part.includes('\0')))
    return failed('not_found', 'The command line holds a NUL character. Remove it.');
  const wrong = envFault(env) ?? variableFault(name);
  if (wrong !== undefined) return failed('not_found', wrong);
  const { real: realCwd, fault } = await folderAt(cwd);
  if (realCwd === undefined) return failed('bad_cwd', fault);
  const found = await findProgram(name, realCwd, childEnvironment(env));
  if (!found.ok)
    return found.why === 'missing'
      ? failed('not_found', notFound(name, cwd, found.searched))
      : failed('not_executable', notExecutable(found.path));
  const { path: file } = found;
  const realFile = await realpath(file).catch(() => file);
  return { ok: true, located: { argv, cwd, env, file, realFile, realCwd } };
}

/** Resolves when the program runs, or with why it cannot. Its output waits until it is listened to. */
export async function spawnLocated({ argv, env, file, ...at }: Located): Promise<Spawned> {
  const [name = file, ...args] = argv;
  const command = await commandFor(file, args).catch((error: unknown) => ({
    fault: refusal(error as NodeJS.ErrnoException, file),
  }));
  if ('fault' in command) return failed('not_executable', command.fault);
  const mark = newMark();
  const { child, error } = await beginProcess(
    command.file,
    command.args,
    {
      // A drive letter of Windows may lead to a place where cmd.exe does not run.
      cwd: process.platform === 'win32' ? at.cwd : at.realCwd,
      env: { ...childEnvironment(env), [RUN_VARIABLE]: mark },
      stdio: 'pipe',
      windowsHide: true,
      // Its own group, so that it can be ended with all it started. On Windows that would open a console.
      detached: process.platform !== 'win32',
      windowsVerbatimArguments: command.verbatim ?? false,
      ...(command.file === file && { argv0: name }),
    },
    endsWithUs,
  );
  if (error)
    return failed(error.code === 'ENOENT' ? 'not_found' : 'not_executable', refusal(error, file));
  return { ok: true, child, mark };
}

export async function spawnProgram(program: Program): Promise<Spawned> {
  const locating = await locateProgram(program);
  return locating.ok ? spawnLocated(locating.located) : locating;
}

/** Why the system would not take these variables. */
export function envFault(env: Readonly<Record<string, string>>): string | undefined {
  const wrong = Object.entries(env).find(
    ([name, value]) => name === '' || /[=\0]/.test(name) || value.includes('\0'),
  );
  return wrong && `The variable ${JSON.stringify(wrong[0])} is none: "=" and NUL are not allowed.`;
}

/** A variable where the program should be. Its value may be a secret, and is not said. */
function variableFault(word: string): string | undefined {
  const variable = variableOf(word);
  return (
    variable &&
    `The command line begins with the variable ${variable.name}, and no shell reads it. Give ${variable.name} as environment, and the program first.`
  );
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

async function commandFor(
  path: string,
  args: readonly string[],
): Promise<SpawnCommand | { readonly fault: string }> {
  if (process.platform !== 'win32' || !/^\.(cmd|bat)$/i.test(extname(path)))
    return { file: path, args };
  return batchCommand(path, await readFile(path, 'utf8'), args, process.execPath);
}

type Folder =
  | { readonly real: string; readonly fault?: undefined }
  | { readonly real?: undefined; readonly fault: string };

async function folderAt(cwd: string): Promise<Folder> {
  try {
    const real = await realpath(cwd);
    if ((await stat(real)).isDirectory()) return { real };
    return { fault: `The working folder ${cwd} is a file. Give a folder.` };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EACCES'
      ? { fault: `The working folder ${cwd} may not be opened. Give one you can read.` }
      : { fault: `The working folder ${cwd} does not exist. Make it, or give another.` };
  }
}

function notFound(name: string, cwd: string, searched: readonly string[]): string {
  if (/^(https?|wss?):/i.test(name))
    return `${name} is a URL, and no program. To reach an agent by its URL, give ws://… or http://… alone, without arguments.`;
  if (/[\\/]/.test(name))
    return `There is no program at ${name} (looked from ${cwd}). Check the path.`;
  const ask = process.platform === 'win32' ? `where ${name}` : `command -v ${name}`;
  return `The program "${name}" was not found. Install it, or give its full path, which \`${ask}\` says in your terminal: an editor may have a shorter PATH than that. PATH searched: ${searched.join(delimiter) || '(empty)'}`;
}

function failed(code: Problem['code'], message: string) {
  return { ok: false, problem: { code, message } } as const;
}
