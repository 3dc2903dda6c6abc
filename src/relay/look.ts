// Whether there is a folder at a path that a person types. A page may ask for any path, so little is done
// for it: nothing is opened or listed, nothing is asked by which a system reaches another machine, and a
// disk that never answers costs one look.
import { stat } from 'node:fs/promises';
import { normalize, posix, win32 } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Looked } from '../link/messages.ts';
import { endsHere, MOUNTS } from './far-disks.ts';

const PATIENCE_MS = 1000;
/** Where names are those of other machines, and the folders of processes, which lead to all others. */
const NETWORK = /^(?:\/system\/volumes\/data)?\/(?:net|network|afs|coda|proc)(?:\/|$)/i;
/** A drive and plain names: no share, no `\\?\`, no stream of a file. */
const DRIVE = /^[a-z]:\\[^:]*$/i;
/** Names that are devices in every folder of Windows. */
const DEVICE =
  /(?:^|\\)(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])[ .]*(?:\.[^\\]*)?(?:\\|$)/i;

type See = (path: string) => Promise<{ isDirectory(): boolean }>;

/** A look that has not ended keeps a thread, of which all that reads and writes files has four. */
let looking: Promise<Looked> | undefined;

/** At once where it is not looked, and else after a second at the latest. `see` throws as `stat` does. */
export async function lookAt(path: string, see: See = stat): Promise<Looked> {
  if (looking || !isLocal(path)) return 'unknown';
  // Behind a link, `..` would lead elsewhere than the words that were judged.
  looking = look(normalize(path), see).finally(() => (looking = undefined));
  return Promise.race([looking, delay(PATIENCE_MS, 'unknown' as const, { ref: false })]);
}

/** Whether it is absolute, and of this machine alone as far as its words tell. */
export function isLocal(path: string, platform: string = process.platform): boolean {
  if (path.includes('\0')) return false;
  if (platform !== 'win32')
    return path.startsWith('/') && !path.startsWith('//') && !NETWORK.test(posix.normalize(path));
  const plain = win32.normalize(path);
  return DRIVE.test(plain) && !DEVICE.test(plain);
}

async function look(path: string, see: See): Promise<Looked> {
  const mounts = await MOUNTS.read();
  if (!mounts || !endsHere(path, mounts, isLocal)) return 'unknown';
  try {
    return (await see(path)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unknown';
  }
}
