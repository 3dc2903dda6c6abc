import type * as Fs from 'node:fs';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { prepareState, stateFolder, writePrivate } from './state-folder.ts';

/** What happens between the removal of a file and what is written in its place. */
const race = vi.hoisted(() => ({ then: (_: string) => {} }));
/** The step of the disk that fails. */
const disk = vi.hoisted(() => ({ refuses: '' }));
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof Fs>();
  const unlinkSync = (path: string) => {
    try {
      fs.unlinkSync(path);
    } finally {
      race.then(path);
    }
  };
  const steps = ['openSync', 'writeFileSync', 'fsyncSync', 'renameSync'] as const;
  const failing = steps.map((name) => {
    const work = fs[name] as (...args: unknown[]) => unknown;
    const step = (...args: unknown[]) => {
      if (disk.refuses === name) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      return work(...args);
    };
    return [name, step];
  });
  return { ...fs, unlinkSync, ...Object.fromEntries(failing) } as typeof Fs;
});

test.skipIf(process.platform === 'win32')(
  'L-02: a private file is never written through a link that is planted at its name',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'acp-scope-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'theirs'), 'theirs');
    race.then = (path) => symlinkSync(join(folder, 'theirs'), path);
    onTestFinished(() => void (race.then = () => {}));
    expect(() => writePrivate(join(folder, 'relay.json'), '{}')).toThrow(/EEXIST/);
    expect(readFileSync(join(folder, 'theirs'), 'utf8')).toBe('theirs');
  },
);

test('L-03: what must outlive us lies in the person’s own folder, and never under a known name in /tmp', () => {
  for (const env of [{}, { XDG_STATE_HOME: 'relative' }, { XDG_STATE_HOME: '' }]) {
    const folder = stateFolder(env);
    expect(isAbsolute(folder)).toBe(true);
    expect(folder.startsWith(tmpdir())).toBe(false);
  }
});

test.skipIf(process.platform === 'win32')(
  'L-02: a state folder of another user is refused, whatever its mode',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'acp-scope-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    expect(prepareState(folder)).toEqual({ ok: true });
    const own = process.getuid?.() ?? 0;
    const other = vi.spyOn(process, 'getuid').mockReturnValue(own + 1);
    onTestFinished(() => other.mockRestore());
    expect(prepareState(folder)).toMatchObject({
      ok: false,
      message: expect.stringContaining('it belongs to another user') as string,
    });
  },
);

test('a private file that cannot take its place is a fault, and leaves nothing beside it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'acp-scope-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'relay.json'));
  expect(() => writePrivate(join(folder, 'relay.json'), '{}')).toThrow(/EISDIR|EPERM|ENOTEMPTY/);
  expect(readdirSync(folder)).toEqual(['relay.json']);
});

test.each(['openSync', 'writeFileSync', 'fsyncSync', 'renameSync'])(
  'every write can fail (R-21): where %s of a private file does, the one before stands, and nothing beside it',
  (step) => {
    const folder = mkdtempSync(join(tmpdir(), 'acp-scope-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'approved.json');
    writePrivate(path, 'before');
    disk.refuses = step;
    onTestFinished(() => void (disk.refuses = ''));
    expect(() => writePrivate(path, 'after')).toThrow('full');
    expect(readdirSync(folder)).toEqual(['approved.json']);
    expect(readFileSync(path, 'utf8')).toBe('before');
  },
);
