import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findProgram, programPlaces } from './find-program.ts';

const posix = process.platform !== 'win32';
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'acp-scope-find-'));
  for (const name of ['one', 'two', 'w']) mkdirSync(join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true }));

function program(path: string, mode = 0o755): string {
  const at = join(folder, path);
  writeFileSync(at, '#!/bin/sh\n');
  chmodSync(at, mode);
  return at;
}
const find = (name: string, ...folders: readonly string[]) =>
  findProgram(name, join(folder, 'w'), { PATH: folders.join(delimiter), PATHEXT: '.EXE' });

test.skipIf(!posix)(
  'the first folder of PATH that holds a program that runs is meant',
  async () => {
    const [one, two] = [join(folder, 'one'), join(folder, 'two')];
    mkdirSync(join(one, 'agent'));
    const second = program('two/agent');
    expect(await find('agent', one, two)).toEqual({ ok: true, path: second });
    rmSync(join(one, 'agent'), { recursive: true });
    const first = program('one/agent', 0o644);
    expect(await find('agent', one, two)).toEqual({ ok: true, path: second });
    rmSync(second);
    expect(await find('agent', one, two)).toEqual({
      ok: false,
      why: 'not_executable',
      path: first,
    });
    rmSync(first);
    expect(await find('agent', one, two, one)).toEqual({
      ...{ ok: false, why: 'missing', searched: [one, two] },
    });
  },
);

test.skipIf(!posix)(
  'P-01: an empty or relative entry of PATH finds nothing, wherever we run',
  async () => {
    program('w/agent');
    const here = relative(process.cwd(), join(folder, 'w'));
    for (const entry of ['', '.', './', '..', here, '~'])
      expect([entry, await find('agent', entry)]).toEqual([
        entry,
        { ok: false, why: 'missing', searched: [] },
      ]);
    expect(await findProgram('agent', join(folder, 'w'), {})).toMatchObject({ searched: [] });
  },
);

test.skipIf(!posix)(
  'a name with a folder is looked up from the working folder, and not in PATH',
  async () => {
    const path = program('w/agent');
    program('one/agent');
    expect(await find('./agent', join(folder, 'one'))).toEqual({ ok: true, path });
    expect(await find('../w/agent')).toEqual({ ok: true, path });
    expect(await find(path)).toEqual({ ok: true, path });
    expect(await find('./none', join(folder, 'one'))).toMatchObject({
      why: 'missing',
      searched: [],
    });
  },
);

test.skipIf(!posix)(
  'a link is a program by the name it is found at, unless it leads nowhere',
  async () => {
    const link = join(folder, 'one', 'agent');
    symlinkSync(program('w/real'), link);
    expect(await find('agent', join(folder, 'one'))).toEqual({ ok: true, path: link });
    rmSync(join(folder, 'w', 'real'));
    expect(await find('agent', join(folder, 'one'))).toMatchObject({ why: 'missing' });
  },
);

const onWindows = (name: string, env: Readonly<Record<string, string>>) =>
  programPlaces(name, 'C:\\w', env, 'win32');

test('R-52: on Windows the endings of PATHEXT are tried in their order, in each folder of PATH', () => {
  expect(onWindows('npx', { Path: 'C:\\a;D:\\b', pathext: '.EXE;.CMD' })).toEqual([
    ...['C:\\a\\npx.exe', 'C:\\a\\npx.cmd', 'D:\\b\\npx.exe', 'D:\\b\\npx.cmd'],
  ]);
  expect(onWindows('npx', { PATH: 'C:\\a' })).toEqual([
    ...['C:\\a\\npx.com', 'C:\\a\\npx.exe', 'C:\\a\\npx.bat', 'C:\\a\\npx.cmd'],
  ]);
});

test('R-52: on Windows an ending that is one of PATHEXT is left, and another is part of the name', () => {
  const env = { PATH: 'C:\\a', PATHEXT: '.EXE;.CMD' };
  expect(onWindows('npx.CMD', env)).toEqual(['C:\\a\\npx.CMD']);
  expect(onWindows('agent.js', env)).toEqual(['C:\\a\\agent.js.exe', 'C:\\a\\agent.js.cmd']);
});

test('R-52 R-42: on Windows only what Windows itself starts is a program, whatever PATHEXT lists', () => {
  const env = { PATH: 'C:\\a', PATHEXT: '.JS;.EXE;.PS1;.VBS;.WSF;.CMD' };
  const tried = ['C:\\a\\agent.js.exe', 'C:\\a\\agent.js.cmd'];
  expect(onWindows('agent.js', env)).toEqual(tried);
  expect(onWindows('agent', env)).toEqual(['C:\\a\\agent.exe', 'C:\\a\\agent.cmd']);
  const scripts = { PATH: 'C:\\a', PATHEXT: '.JS' };
  expect(onWindows('npx', scripts)).toContain('C:\\a\\npx.exe');
});

test.skipIf(posix)('R-52 R-42: on Windows a script that is there cannot run', async () => {
  const path = program('one/agent.js');
  const there = { ok: false, why: 'not_executable', path };
  expect(await find('agent.js', join(folder, 'one'))).toEqual(there);
  expect(await find(path)).toEqual(there);
});

test('R-52 P-01: on Windows the working folder is not searched, and a path is one by either slash', () => {
  const env = { PATH: ';.;bin;C:rel;..\\x;C:\\a', PATHEXT: '.EXE' };
  expect(onWindows('agent', env)).toEqual(['C:\\a\\agent.exe']);
  expect(onWindows('.\\agent', env)).toEqual(['C:\\w\\agent.exe']);
  expect(onWindows('bin/agent.exe', env)).toEqual(['C:\\w\\bin\\agent.exe']);
  expect(onWindows('D:\\x y\\agent', env)).toEqual(['D:\\x y\\agent.exe']);
});
