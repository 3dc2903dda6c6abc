import fs from 'node:fs';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { approvals, atDesk, codeOf, desk, launch } from '../test/programs/approval-desk.ts';
import { drivesOfWindows, endsHere, MOUNTS, mountsOfLinux, mountsOfMac } from './far-disks.ts';
import { isLocal, lookAt } from './look.ts';

const TABLE = `22 1 254:0 / / rw,relatime - nfs4 /dev/root rw
30 22 0:26 / /proc rw,nosuid - proc proc rw
41 22 0:40 / /mnt/my\\040share rw,relatime shared:1 - nfs4 files.example:/x rw,vers=4.2
42 22 0:41 / /mnt/auto rw - autofs /etc/auto.x rw
47 22 0:42 / /mnt/disk rw - autofs systemd-1 rw
43 47 8:1 / /mnt/disk rw - ext4 /dev/sdb1 rw
44 22 8:2 / /media/stick rw - fuseblk /dev/sdc1 rw
45 22 0:50 / /run/user/1/gvfs rw - fuse.gvfsd-fuse gvfsd-fuse rw
46 22 0:51 / /run/user/1/doc rw - fuse.portal portal rw
`;

test('P-14: what is mounted here is told by the tables of Linux, macOS and Windows', () => {
  const far = (mounts: ReturnType<typeof mountsOfMac>) =>
    mounts.filter((mount) => mount.far).map(({ at }) => at);
  expect(far(mountsOfLinux(TABLE))).toEqual([
    '/',
    '/mnt/my share',
    '/mnt/auto',
    '/mnt/disk',
    '/run/user/1/gvfs',
  ]);
  const mac = `/dev/disk3s1s1 on / (apfs, sealed, local, read-only)
map auto_home on /System/Volumes/Data/home (autofs, automounted, nobrowse)
//me@nas/share on /Volumes/my share (1) (smbfs, nodev, nosuid, mounted by me)
`;
  expect(far(mountsOfMac(mac))).toEqual(['/System/Volumes/Data/home', '/Volumes/my share (1)']);
  const windows = `Neue Verbindungen werden gespeichert.\r\n
Status       Lokal     Remote                    Netzwerk\r\n
-------------------------------------------------------\r\n
OK           Z:        \\\\nas\\share               Microsoft Windows Network\r\n
             y:        \\\\nas\\other               Microsoft Windows Network\r\n
OK                     \\\\nas\\IPC$                Microsoft Windows Network\r\n`;
  expect(far(drivesOfWindows(windows))).toEqual(['Z:\\', 'Y:\\']);
});

describe.skipIf(process.platform === 'win32')('with a share at /mnt/my share', () => {
  atDesk();
  let folder: string;
  const asked: string[] = [];
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'acp-scope-far-')));
    mkdirSync(join(folder, 'real'));
    symlinkSync('/mnt/my share/w', join(folder, 'away'));
    symlinkSync('away/../..', join(folder, 'twice'));
    symlinkSync('real/../real', join(folder, 'near'));
    symlinkSync('round', join(folder, 'round'));
    symlinkSync('/net/evil.example', join(folder, 'named'));
    vi.spyOn(MOUNTS, 'read').mockResolvedValue(mountsOfLinux(TABLE));
    asked.length = 0;
    for (const name of ['readlinkSync', 'statSync', 'lstatSync', 'realpathSync'] as const) {
      const work = fs[name] as (path: string) => string;
      vi.spyOn(fs, name).mockImplementation(((path: string) => {
        asked.push(path);
        return work(path);
      }) as never);
    }
    syncBuiltinESMExports();
  });
  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    rmSync(folder, { recursive: true });
  });

  test('P-14: a link that leads to a network is told from one that does not, and nothing there is asked', () => {
    const mounts = mountsOfLinux(TABLE);
    const ends = (path: string) => endsHere(path, mounts, isLocal);
    for (const path of ['real', 'near', 'near/none', 'round', 'none/x'])
      expect([path, ends(join(folder, path))]).toEqual([path, true]);
    for (const path of ['away', 'away/x', 'twice', 'near/../away', 'named'])
      expect([path, ends(join(folder, path))]).toEqual([path, false]);
    for (const path of [
      '/',
      '/mnt',
      '/mnt/my',
      '/mnt/my shares/x',
      '/mnt/disk/x',
      '/media/stick/x',
    ])
      expect([path, ends(path)]).toEqual([path, true]);
    for (const path of [
      '/mnt/my share',
      '/mnt/my share/x',
      '/mnt/auto/x',
      '/run/user/1/gvfs/smb:x',
    ])
      expect([path, ends(path)]).toEqual([path, false]);
    expect(asked.filter((path) => /my share(?:\/|$)|evil/.test(path))).toEqual([]);
    expect(asked).toContain(join(folder, 'away'));
  });

  test('P-14: a page is told nothing of it, and a start that it leads to is asked about before it is looked up', async () => {
    expect(await lookAt(join(folder, 'near'))).toBe('folder');
    expect(await lookAt(join(folder, 'away'))).toBe('unknown');
    expect(await codeOf(approvals(false), launch({ cwd: join(folder, 'away') }))).toBe('refused');
    expect(desk.asked).toEqual([expect.stringContaining(`looks at ${join(folder, 'away')}`)]);
  });
});
