import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fullDisk, works } from '../../test/programs/refusing-disk.ts';
import { writeTextFile } from './host-files.ts';

const openFiles = () => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);

test('every write can fail (P-08, R-21): whichever step of fs/write_text_file does, the agent is told, the file is the old one, and nothing beside it', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'acp-scope-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'a');
  const reach = { roots: [folder], closed: join(folder, 'state') };
  const write = () => writeTextFile(path, 'after', reach);
  writeFileSync(path, 'before');
  await write();
  const before = openFiles();
  let refused = 0;
  for (let nth = 1, left = 0; left < 1; nth++) {
    writeFileSync(path, 'before');
    const rest = fullDisk(nth, { promises: ['open', 'rename'] });
    const told = await write();
    left = rest();
    works();
    const text = readFileSync(path, 'utf8');
    if (told.ok) expect([nth, text]).toEqual([nth, 'after']);
    else {
      refused++;
      expect(told.error.message).toBe(`${path}: no space left on device`);
      expect([nth, text]).toEqual([nth, 'before']);
    }
    expect(readdirSync(folder)).toEqual(['a']);
    expect(openFiles()).toBe(before);
  }
  // Opening, writing, giving to the disk, closing, renaming.
  expect(refused).toBeGreaterThanOrEqual(5);
});
