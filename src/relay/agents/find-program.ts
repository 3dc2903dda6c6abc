// Where a program's file is, as the system itself would look: in PATH, or at the path given. We
// look ourselves, so that a failure names what was searched, and so that Windows does not look
// into the working folder first. `which` says neither, and is blind to what is there and cannot run.
import { access, constants, lstat, stat } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { runnerOf } from './spawn-words.ts';

type FoundProgram =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly why: 'missing'; readonly searched: readonly string[] }
  | { readonly ok: false; readonly why: 'not_executable'; readonly path: string };

type Env = Readonly<Record<string, string | undefined>>;

export async function findProgram(name: string, cwd: string, env: Env): Promise<FoundProgram> {
  let blocked: string | undefined;
  for (const path of programPlaces(name, cwd, env)) {
    const fit = await fitness(path);
    if (fit === 'runs') return { ok: true, path };
    if (fit === 'not_executable') blocked ??= path;
  }
  if (process.platform === 'win32') blocked ??= await scriptAt(name, cwd, env);
  return blocked === undefined
    ? { ok: false, why: 'missing', searched: hasFolder(name) ? [] : searchPath(env) }
    : { ok: false, why: 'not_executable', path: blocked };
}

/** The files that may be meant, the first that runs is. Nothing is asked of the system. */
export function programPlaces(
  name: string,
  cwd: string,
  env: Env,
  platform: string = process.platform,
): readonly string[] {
  const places = placesOf(name, cwd, env, platform);
  if (platform !== 'win32') return places;
  const listed = (valueOf(env, 'PATHEXT', platform) ?? '').toLowerCase().split(';');
  // Files with the other endings of PATHEXT, as .js, are opened by a program that is not named here.
  const endings = listed.filter((ending) => STARTABLE.includes(ending));
  return places.flatMap((place) => spellings(place, endings.length > 0 ? endings : STARTABLE));
}

/** Endings of files that Windows itself can start. */
const STARTABLE: readonly string[] = ['.com', '.exe', '.bat', '.cmd'];

/** The name as it is, from the working folder or in each folder of PATH. */
function placesOf(name: string, cwd: string, env: Env, platform: string): readonly string[] {
  const { join, resolve } = pathOf(platform);
  return hasFolder(name, platform)
    ? [resolve(cwd, name)]
    : searchPath(env, platform).map((folder) => join(folder, name));
}

/** On Windows, a script of this very name, which another program must run. A link is not followed. */
async function scriptAt(name: string, cwd: string, env: Env): Promise<string | undefined> {
  if (runnerOf(name) === undefined) return undefined;
  for (const place of placesOf(name, cwd, env, process.platform)) {
    const found = await lstat(place).catch(() => undefined);
    if (found && !found.isDirectory()) return place;
  }
  return undefined;
}

/** The folders of PATH. An empty or relative entry would mean the working folder: left out. */
function searchPath(env: Env, platform: string = process.platform): readonly string[] {
  const { delimiter, isAbsolute } = pathOf(platform);
  const folders = (valueOf(env, 'PATH', platform) ?? '').split(delimiter);
  return [...new Set(folders.filter((folder) => isAbsolute(folder)))];
}

/** On Windows, a variable goes by its name in any case. */
function valueOf(env: Env, name: string, platform: string): string | undefined {
  if (platform !== 'win32') return env[name];
  const key = Object.keys(env).find((one) => one.toUpperCase() === name);
  return key === undefined ? undefined : env[key];
}

function hasFolder(name: string, platform: string = process.platform): boolean {
  return name.includes('/') || (platform === 'win32' && name.includes('\\'));
}

function spellings(path: string, endings: readonly string[]): string[] {
  const ending = win32.extname(path).toLowerCase();
  return ending !== '' && endings.includes(ending) ? [path] : endings.map((end) => path + end);
}

function pathOf(platform: string) {
  return platform === 'win32' ? win32 : posix;
}

async function fitness(path: string): Promise<'runs' | 'not_executable' | 'missing'> {
  try {
    if (!(await stat(path)).isFile()) return 'missing';
  } catch {
    return 'missing';
  }
  return access(path, constants.X_OK).then(
    () => 'runs' as const,
    () => 'not_executable' as const,
  );
}
