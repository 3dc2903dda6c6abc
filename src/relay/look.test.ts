import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { RelayTest } from '../test/programs/relay-fixture.ts';
import { MOUNTS } from './far-disks.ts';
import { isLocal, lookAt } from './look.ts';

test('P-14: a page is told whether there is a folder, and nothing else of what is there', async () => {
  const here = new RelayTest();
  onTestFinished(() => here.close());
  const page = await here.page(await here.relay());
  writeFileSync(join(here.folders.work, 'file'), 'words');
  const look = async (path: string) => {
    page.told.length = 0;
    page.command({ type: 'look', request: 1, path });
    return page.told1('looked');
  };
  for (const [path, is] of [
    [here.folders.work, 'folder'],
    [join(here.folders.work, 'file'), 'file'],
    [join(here.folders.work, 'none'), 'missing'],
    [join(here.folders.work, 'file', 'below'), 'missing'],
    ['work', 'unknown'],
    ['', 'unknown'],
    [`${here.folders.work}\0`, 'unknown'],
  ] as const)
    expect(await look(path)).toEqual({ type: 'looked', request: 1, is });
});

test('P-14: while the system tells what is mounted, pages are answered; where it does not tell, nobody looks', async () => {
  const here = new RelayTest();
  onTestFinished(() => here.close());
  onTestFinished(() => void vi.restoreAllMocks());
  const page = await here.page(await here.relay());
  let told: (mounts: undefined) => void = () => undefined;
  vi.spyOn(MOUNTS, 'read').mockReturnValue(new Promise((done) => (told = done)));
  page.command({ type: 'look', request: 1, path: here.folders.work });
  page.command({ type: 'presets', request: 2 });
  await page.told1('presets');
  expect(page.told.filter(({ type }) => type === 'looked')).toEqual([]);
  told(undefined);
  expect(await page.told1('looked')).toMatchObject({ request: 1, is: 'unknown' });
});

test('P-14: nothing is asked of the system that names another machine, a device or a stream', () => {
  for (const path of ['/', '/home/me', '/network-tools', '/home/me/../you', '/net.d/x'])
    expect([path, isLocal(path, 'linux')]).toEqual([path, true]);
  for (const path of [
    ...[
      '//host/share',
      '/net/evil.example/x',
      '/home/../net/evil.example',
      '/Network/x',
      '/afs/evil',
      '/System/Volumes/Data/Network/x',
      '/proc/self/root/net/evil',
    ],
    ...['\\\\host\\share', 'C:\\', '~', '.', 'file:///tmp'],
  ])
    expect([path, isLocal(path, 'linux')]).toEqual([path, false]);
  for (const path of ['C:\\', 'c:/Users/me', 'D:\\console', 'D:\\a\\..\\b', 'C:\\nullable'])
    expect([path, isLocal(path, 'win32')]).toEqual([path, true]);
  for (const path of [
    ...[
      '\\\\host\\share',
      '//host/share',
      '\\\\?\\C:\\x',
      '\\\\.\\pipe\\x',
      '\\??\\C:\\x',
      '/net/x',
      'C:x',
    ],
    ...[
      'C:\\NUL',
      'C:\\a\\con.txt',
      'C:\\aux \\b',
      'C:/com1',
      'C:\\LPT¹',
      'C:\\a:stream',
      'C:\\a\\..\\prn',
    ],
  ])
    expect([path, isLocal(path, 'win32')]).toEqual([path, false]);
});

test('P-14: a disk that never answers costs one look, which nobody waits for longer than a second', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'acp-scope-look-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  let wake = (): void => undefined;
  const see = vi.fn(
    () =>
      new Promise<{ isDirectory(): boolean }>(
        (resolve) => (wake = () => resolve({ isDirectory: () => true })),
      ),
  );
  expect(await lookAt(folder, see)).toBe('unknown');
  for (let i = 0; i < 5; i++) expect(await lookAt(folder, see)).toBe('unknown');
  expect(see).toHaveBeenCalledTimes(1);
  wake();
  await vi.waitFor(async () => expect(await lookAt(folder)).toBe('folder'));
});

test('P-14: what is looked at is what was judged: no `..` is left to lead on from behind a link', async () => {
  const see = vi.fn(() => Promise.resolve({ isDirectory: () => true }));
  await lookAt(`${tmpdir()}/link/../net/x`, see);
  expect(see).toHaveBeenCalledWith(join(tmpdir(), 'net', 'x'));
});

test('P-14: what the system refuses to tell is no folder that is missing', async () => {
  const refused = () => Promise.reject(Object.assign(new Error('no'), { code: 'EACCES' }));
  expect(await lookAt(tmpdir(), refused)).toBe('unknown');
});
