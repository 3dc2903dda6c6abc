// Whether a path ends on a disk of this machine, also where a link or a drive letter on the way leads on.
// The system is asked for its own table of what is mounted, and a link is read only where that table says
// that it lies here: no other machine is reached by asking.
import { execFile } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { promisify } from 'node:util';
import { systemProgram } from './agents/windows-command.ts';

/** Where something is mounted, or the letter of a drive; the last of those that fit is what is there. */
export interface Mount {
  readonly at: string;
  readonly far: boolean;
}

const FAR =
  /^(?:nfs\d?|cifs|smb\d|smbfs|afs|afpfs|webdav|ftp|ncpfs|coda|ceph|glusterfs|lustre|beegfs|orangefs|autofs|fuse(?:\..*)?)$/;
/** File systems of programs that show what lies here. `fuseblk` is a disk. */
const HERE =
  /^fuse\.(?:portal|lxcfs|snapfuse|gocryptfs|encfs|cryfs|mergerfs|overlayfs|fuse-overlayfs|bindfs|ntfs(?:-3g)?|exfat)$/;
/** As the system itself gives up. */
const MOST_LINKS = 40;
const PATIENCE_MS = 2000;
const NO_LINK = Symbol('no link');

/** One reads it for all that ask meanwhile: on macOS and Windows a program tells it, which may take seconds. */
let reading: Promise<readonly Mount[] | undefined> | undefined;

/** What tests put another in the place of. Undefined: the system did not tell. */
export const MOUNTS = {
  read: (): Promise<readonly Mount[] | undefined> =>
    (reading ??= readTable()
      .catch(() => undefined)
      .finally(() => (reading = undefined))),
};

/**
 * @param path absolute, and local as far as its words tell
 * @param mounts as `MOUNTS` gave them
 * @param isLocal whether the words of what a link says do
 */
export function endsHere(
  path: string,
  mounts: readonly Mount[],
  isLocal: (path: string) => boolean,
): boolean {
  if (!mounts.some(({ far }) => far)) return true;
  const { parse, join, dirname, isAbsolute } = process.platform === 'win32' ? win32 : posix;
  let { root: at } = parse(path);
  let rest: readonly string[] = partsOf(path.slice(at.length));
  for (let links = 0; rest.length > 0;) {
    const [part = '', ...after] = rest;
    rest = after;
    const next = part === '..' ? dirname(at) : join(at, part);
    if (isFar(next, mounts)) return false;
    const target = linkAt(next);
    // Nothing is there, or nothing that may be looked at: the words are all there is to tell by.
    if (target === undefined || links > MOST_LINKS) return !isFar(join(next, ...rest), mounts);
    if (target === NO_LINK) {
      at = next;
      continue;
    }
    links++;
    if (!isLocal(join(isAbsolute(target) ? '' : at, target))) return false;
    if (isAbsolute(target)) ({ root: at } = parse(target));
    rest = [...partsOf(target.slice(isAbsolute(target) ? at.length : 0)), ...rest];
  }
  return !isFar(at, mounts);
}

/** Of Linux: `/proc/self/mountinfo`, proc(5). */
export function mountsOfLinux(text: string): readonly Mount[] {
  return text.split('\n').flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ');
    const at = before.split(' ')[4];
    const [type = ''] = after.split(' ');
    return at === undefined ? [] : [{ at: plain(at), far: isFarType(type) }];
  });
}

/** Of macOS: what `mount` prints, as `//me@host/share on /Volumes/share (smbfs, nodev)`. */
export function mountsOfMac(text: string): readonly Mount[] {
  return text.split('\n').flatMap((line) => {
    const end = line.lastIndexOf(' (');
    const start = line.indexOf(' on ');
    if (start < 0 || end < start) return [];
    const [type = ''] = line.slice(end + 2).split(/[,)]/);
    return [{ at: line.slice(start + 4, end), far: isFarType(type) }];
  });
}

/** Of Windows: the letters that `net use` names before a share, in whichever language. */
export function drivesOfWindows(text: string): readonly Mount[] {
  return [...text.matchAll(/(?:^|\s)([A-Z]:)\s+\\\\/gi)].map(([, letter = '']) => ({
    at: `${letter.toUpperCase()}\\`,
    far: true,
  }));
}

async function readTable(): Promise<readonly Mount[]> {
  const how = { encoding: 'utf8', timeout: PATIENCE_MS, windowsHide: true } as const;
  const run = async (file: string, ...args: string[]) =>
    (await promisify(execFile)(file, args, how)).stdout;
  switch (process.platform) {
    case 'linux':
      return mountsOfLinux(await readFile('/proc/self/mountinfo', 'utf8'));
    case 'darwin':
      return mountsOfMac(await run('/sbin/mount'));
    case 'win32':
      return drivesOfWindows(await run(systemProgram('net.exe'), 'use'));
    default:
      return [];
  }
}

function isFarType(type: string): boolean {
  return FAR.test(type) && !HERE.test(type);
}

function isFar(path: string, mounts: readonly Mount[]): boolean {
  const fold = process.platform === 'linux' ? String : (text: string) => text.toLowerCase();
  let found: Mount | undefined;
  for (const mount of mounts) {
    const folder = /[\\/]$/.test(mount.at) ? mount.at : mount.at + posix.sep;
    if (!fold(`${path}${folder.at(-1)}`).startsWith(fold(folder))) continue;
    if (mount.at.length >= (found?.at.length ?? 0)) found = mount;
  }
  // What `/` lies on is where this machine itself comes from.
  return found?.far === true && found.at !== '/';
}

function partsOf(path: string): readonly string[] {
  const parts = path.split(process.platform === 'win32' ? /[\\/]/ : '/');
  return parts.filter((part) => part !== '' && part !== '.');
}

/** What a link says. Undefined: nothing is there, or it may not be looked at. */
function linkAt(path: string): string | typeof NO_LINK | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EINVAL' || code === 'UNKNOWN' ? NO_LINK : undefined;
  }
}

/** Without the octal escapes of blanks and backslashes. */
function plain(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(parseInt(octal, 8)),
  );
}
