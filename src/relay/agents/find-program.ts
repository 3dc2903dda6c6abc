// Where a program's file is, as the system itself would look: in PATH, or at the path given. We
// look ourselves, so that a failure names what was searched, and so that Windows does not look
// into the working folder first. `which` says neither, and is blind to what is there and cannot run.
import { access, constants, stat } from 'node:fs/promises';
import { delimiter, extname, isAbsolute, join, resolve } from 'node:path';

type FoundProgram =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly why: 'missing'; readonly searched: readonly string[] }
  | { readonly ok: false; readonly why: 'not_executable'; readonly path: string };

export async function findProgram(
  name: string,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<FoundProgram> {
  const folders = hasFolder(name) ? [] : searchPath(env);
  const places = hasFolder(name)
    ? [isAbsolute(name) ? name : resolve(cwd, name)]
    : folders.map((folder) => join(folder, name));
  let blocked: string | undefined;
  for (const path of places.flatMap((place) => spellings(place, env))) {
    const fit = await fitness(path);
    if (fit === 'runs') return { ok: true, path };
    if (fit === 'not_executable') blocked ??= path;
  }
  return blocked === undefined
    ? { ok: false, why: 'missing', searched: folders }
    : { ok: false, why: 'not_executable', path: blocked };
}

/** The folders of PATH. An empty or relative entry would mean the working folder: left out. */
function searchPath(env: Readonly<Record<string, string | undefined>>): string[] {
  const key = Object.keys(env).find((name) =>
    process.platform === 'win32' ? name.toUpperCase() === 'PATH' : name === 'PATH',
  );
  const folders = (key === undefined ? '' : (env[key] ?? '')).split(delimiter);
  return [...new Set(folders.filter((folder) => isAbsolute(folder)))];
}

function hasFolder(name: string): boolean {
  return name.includes('/') || (process.platform === 'win32' && name.includes('\\'));
}

function spellings(path: string, env: Readonly<Record<string, string | undefined>>): string[] {
  if (process.platform !== 'win32') return [path];
  const endings = (env['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').toLowerCase().split(';');
  const ending = extname(path).toLowerCase();
  return ending !== '' && endings.includes(ending) ? [path] : endings.map((end) => path + end);
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
