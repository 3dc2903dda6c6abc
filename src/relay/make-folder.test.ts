import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeFolder, makeFolderLater } from './make-folder.ts';

describe.each([
  ['at once', async (folder: string) => makeFolder(folder)],
  ['later', makeFolderLater],
])('a folder, made %s', (_, make) => {
  function home(): string {
    const folder = mkdtempSync(join(tmpdir(), 'acp-scope-make-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return folder;
  }

  test('is made with those it lies in, by several at once, and may be there already', async () => {
    const folder = join(home(), 'a', 'b', 'c');
    await Promise.all([make(folder), make(folder), make(join(folder, 'd'))]);
    await make(folder);
    expect(statSync(join(folder, 'd')).isDirectory()).toBe(true);
  });

  test('is an error where a file is in the way', async () => {
    const file = join(home(), 'file');
    writeFileSync(file, '');
    await expect(make(file)).rejects.toThrow('EEXIST');
    await expect(make(join(file, 'x'))).rejects.toThrow(/ENOTDIR|ENOENT|EEXIST/);
  });

  test.skipIf(process.platform !== 'linux')(
    'is an error where folders take none, and not waited for without end',
    async () => {
      await expect(make('/proc/self/x/y')).rejects.toThrow('ENOENT');
    },
  );
});
