// A folder and those it lies in. Node's own way, `recursive`, asks for ever where a folder takes none and says
// that it is not there, as those of /proc do: whoever waited would wait with it.
import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Throws the system's error. `mode`: of each that is made. */
export function makeFolder(folder: string, mode?: number): void {
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
    if (!isParentMissing(error, folder)) throw error;
    makeFolder(dirname(folder), mode);
    makeIn(folder, mode);
  }
}

/** The same for a folder on a disk that may be slow. */
export async function makeFolderLater(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    if ((await stat(folder).catch(() => undefined))?.isDirectory()) return;
    if (!isParentMissing(error, folder)) throw error;
    await makeFolderLater(dirname(folder));
    await mkdir(folder).catch(async (again: unknown) => {
      if (!(await stat(folder)).isDirectory()) throw again;
    });
  }
}

/** Another process may have made it meanwhile. */
function makeIn(folder: string, mode: number | undefined): void {
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}

function isParentMissing(error: unknown, folder: string): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT' && dirname(folder) !== folder;
}
