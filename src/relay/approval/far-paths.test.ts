import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  approvals,
  atDesk,
  codeOf,
  desk,
  launch,
  messageOf,
  NODE,
} from '../../test/programs/approval-desk.ts';
import type { Launch } from '../../link/messages.ts';
import { farPaths } from './far-paths.ts';

atDesk();

const SHARE = '\\\\evil.example\\share';
const plain = { argv: ['agent'], cwd: 'C:\\w', env: {}, roots: [] };
const farOnWindows = (more: Partial<Launch>) => farPaths({ ...plain, ...more }, [], 'win32');

test('P-14: on Windows a share is far as a folder, a root, a program and in PATH, by any spelling', async () => {
  expect(await farOnWindows({ env: { Path: 'D:\\bin;C:\\tools' }, roots: ['C:\\'] })).toEqual([]);
  expect(await farOnWindows({ cwd: SHARE })).toEqual([SHARE]);
  expect(await farOnWindows({ roots: ['C:\\w', SHARE] })).toEqual([SHARE]);
  expect(await farOnWindows({ argv: ['ws://127.0.0.1:9/'], cwd: SHARE })).toEqual([SHARE]);
  expect(await farOnWindows({ argv: [`${SHARE}\\x.exe`] })).toEqual([`${SHARE}\\x.exe`]);
  expect(await farOnWindows({ argv: ['//evil.example/share/x.exe'] })).toEqual([`${SHARE}\\x.exe`]);
  expect(await farOnWindows({ argv: ['\\\\?\\UNC\\evil.example\\share\\x.exe'] })).toHaveLength(1);
  for (const name of ['PATH', 'Path'])
    expect(await farOnWindows({ env: { [name]: `C:\\bin;${SHARE}`, PATHEXT: '.EXE' } })).toEqual([
      `${SHARE}\\agent.exe`,
    ]);
});

test('P-14: what the person chose by starting here or on the command line is looked at', async () => {
  const far = { argv: ['/net/tools/agent'], cwd: '/net/w', env: {}, roots: ['/net/data'] };
  const all = ['/net/w', '/net/data', '/net/tools/agent'];
  expect(await farPaths(far, [], 'linux')).toEqual(all);
  expect(await farPaths(far, [far], 'linux')).toEqual([]);
  expect(await farPaths({ ...far, cwd: '/net/w/sub' }, [far], 'linux')).toEqual([]);
  expect(await farPaths({ ...far, cwd: '/net/w2' }, [far], 'linux')).toEqual(['/net/w2']);
  const home = { ...far, argv: ['x'], cwd: join(homedir(), 'w'), roots: [] };
  expect(await farPaths(home, [], 'linux')).toEqual([]);
});

test('P-14: `..` from behind a link is held for the place that it may lead to', async () => {
  const wish = { argv: ['../net/evil/agent'], cwd: '/var/run', env: {}, roots: [] };
  expect(await farPaths(wish, [], 'linux')).toEqual(['/net/evil/agent']);
  expect(await farPaths({ ...wish, argv: ['../bin/agent'] }, [], 'linux')).toEqual([]);
});

const far: readonly Partial<Launch>[] = [
  { cwd: '/net/evil.example/w' },
  { roots: ['/net/evil.example/w'] },
  { argv: ['/net/evil.example/w/agent'] },
  { argv: ['agent'], env: { PATH: '/usr/bin:/net/evil.example/w' } },
  { argv: ['ws://127.0.0.1:9/acp'], cwd: '/net/evil.example/w' },
];

test.skipIf(process.platform === 'win32')(
  'P-14: nothing of a launch is looked up where another machine may be reached, before a y',
  async () => {
    for (const more of far) {
      desk.asked = [];
      expect(await codeOf(approvals(false), launch(more))).toBe('refused');
      expect(desk.asked).toEqual([
        expect.stringMatching(
          /another machine.*\n\n {2}looks at \/net\/evil\.example\/w(\/agent)?\n/,
        ),
      ]);
      expect(await messageOf(approvals(undefined), launch(more))).toContain('--trust-page');
    }
  },
);

test.skipIf(process.platform === 'win32')(
  'P-14: a y lets exactly these paths be looked at, also by the next relay, and starts nothing',
  async () => {
    const wish = launch({ cwd: '/net/evil.example/w' });
    expect(await codeOf(approvals(true), wish)).toBe('bad_cwd');
    expect(await codeOf(approvals(undefined), wish)).toBe('bad_cwd');
    const other = launch({ cwd: '/net/evil.example/other' });
    expect(await codeOf(approvals(undefined), other)).toBe('no_terminal');
    // What is found there is asked about like anything else.
    const roots = launch({ argv: [NODE], roots: ['/net/evil.example/w'] });
    expect(await codeOf(approvals(undefined), roots)).toBe('no_terminal');
    expect(desk.asked).toHaveLength(1);
  },
);
