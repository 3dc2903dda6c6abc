import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunFolderAnswer, RunFolderCall } from '../link/messages.ts';
import { RunFolder, isCanary } from './run-folder.ts';

let runs: RunFolder;
beforeEach(() => {
  runs = new RunFolder(['scope', 'canary-mcp']);
});
afterEach(() => runs.clear());

function answer<T extends RunFolderAnswer['op']>(call: RunFolderCall, op: T) {
  const said = runs.call(call);
  if ('problem' in said || said.op !== op) throw new Error(JSON.stringify(said));
  return said as Extract<RunFolderAnswer, { op: T }>;
}

const folder = (name = 'work', from = tmpdir()) => answer({ op: 'folder', name, from }, 'folder');

test('each folder is new, empty, absolute and without links in it', () => {
  const [one, two] = [folder(), folder()];
  expect(one.path).not.toBe(two.path);
  for (const { path } of [one, two]) {
    expect(readdirSync(path)).toEqual([]);
    expect(realpathSync(path)).toBe(path);
  }
});

test('it is told as seen from where the agent is started', () => {
  const from = realpathSync(tmpdir());
  const { path, relative } = folder('work', from);
  expect(resolve(from, relative)).toBe(path);
});

test('T-18: only a folder that was made here is removed, and that once', () => {
  const other = mkdtempSync(join(tmpdir(), 'acp-scope-other-'));
  const { path } = folder();
  answer({ op: 'remove', path: other }, 'done');
  answer({ op: 'remove', path: join(path, '..') }, 'done');
  expect(existsSync(other) && existsSync(path)).toBe(true);
  answer({ op: 'remove', path }, 'done');
  expect(existsSync(path)).toBe(false);
  rmSync(other, { recursive: true });
});

test('a canary tells what it noted; one that nobody knows tells nothing', () => {
  const { command, args, tool, name } = answer({ op: 'canary', name: 'canary' }, 'canary');
  expect([command, ...args]).toEqual([
    'scope',
    'canary-mcp',
    '--note',
    expect.any(String),
    '--tool',
    tool,
  ]);
  expect(name).toBe('acp-scope-canary');
  const seen = () => answer({ op: 'seen', tool }, 'seen');
  expect(seen()).toMatchObject({ started: 0, listed: 0, called: 0 });
  writeFileSync(args[2] ?? '', 'started\nlisted\nlisted\n');
  expect(seen()).toMatchObject({ started: 1, listed: 2, called: 0 });
  expect(answer({ op: 'seen', tool: 'other' }, 'seen')).toMatchObject({ started: 0 });
});

test('clearing takes all away, and it can be begun anew', () => {
  const { path } = folder();
  answer({ op: 'clear' }, 'done');
  expect(existsSync(path)).toBe(false);
  expect(existsSync(folder().path)).toBe(true);
});

test('a canary of a run is known by its words; what notes elsewhere or is another program is none', () => {
  const script = fileURLToPath(import.meta.url);
  const own = new RunFolder([process.execPath, script, 'canary-mcp']);
  const made = own.call({ op: 'canary', name: 'canary' });
  if (!('op' in made) || made.op !== 'canary') throw new Error('no canary');
  const words = [made.command, ...made.args];
  expect(isCanary(words, script)).toBe(true);
  const [node = '', , , , note = '', , tool = ''] = words;
  const other = (at: number, word: string) => words.map((one, i) => (i === at ? word : one));
  for (const wrong of [
    [...words, '--more'],
    words.slice(0, -2),
    other(0, '/bin/sh'),
    other(1, node),
    other(2, 'tap'),
    other(4, join(dirname(note), 'x.js')),
    other(4, join(dirname(note), '..', '1-canary.txt')),
    other(4, `${dirname(note)}/../${basename(dirname(note))}/${basename(note)}`),
    other(4, join(tmpdir(), '1-canary.txt')),
    other(4, '1-canary.txt'),
    other(6, `${tool}; x`),
  ])
    expect([wrong, isCanary(wrong, script)]).toEqual([wrong, false]);
  expect(isCanary(words, process.execPath)).toBe(false);
  own.clear();
  expect(isCanary(words, script)).toBe(false);
});
