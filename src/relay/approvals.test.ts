import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Launch } from '../link/messages.ts';
import { Approvals, hashOf, questionOf, type ApprovalOptions } from './approvals.ts';

let folder: string;
let asked: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'acp-scope-'));
  asked = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function launch(more: Partial<Launch> = {}): Launch {
  return { name: 'a', argv: ['agent', '--acp'], cwd: '/w', env: {}, roots: [], ...more };
}

function approvals(answer: boolean | undefined, more: Partial<ApprovalOptions> = {}): Approvals {
  return new Approvals({
    file: join(folder, 'approved.json'),
    terminal:
      answer === undefined
        ? undefined
        : {
            confirm(text) {
              asked.push(text);
              return Promise.resolve(answer);
            },
          },
    trustPage: false,
    allowed: [],
    isReplay: () => false,
    bundled: ['node', 'scope.js', 'agent'],
    presets: [['opencode', 'acp']],
    ...more,
  });
}

const check = (of: Approvals, of1: Launch) => of.check(of1, () => {}, new AbortController().signal);

test('P-01: a new command line waits for a y, which is remembered, also by the next relay', async () => {
  const first = approvals(true);
  expect(await check(first, launch())).toBeUndefined();
  expect(await check(first, launch())).toBeUndefined();
  expect(await check(approvals(false), launch())).toBeUndefined();
  expect(asked).toHaveLength(1);
  if (process.platform !== 'win32')
    expect(statSync(join(folder, 'approved.json')).mode & 0o777).toBe(0o600);
});

test('P-01: one more argument, another folder, variable or root, is another command line', async () => {
  const all = approvals(true);
  await check(all, launch());
  for (const more of [
    { argv: ['agent', '--acp', '-x'] },
    { cwd: '/other' },
    { env: { KEY: '1' } },
    { env: { NODE_OPTIONS: '--require a' } },
    { env: { NODE_OPTIONS: '--require b' } },
    { roots: ['/w'] },
  ])
    await check(all, launch(more));
  expect(asked).toHaveLength(7);
  await check(all, launch({ env: { KEY: 'another value' } }));
  expect(asked).toHaveLength(7);
});

test('P-01: a no is a sentence, and is not remembered', async () => {
  const refusing = approvals(false);
  expect((await check(refusing, launch()))?.code).toBe('refused');
  await check(refusing, launch());
  expect(asked).toHaveLength(2);
});

test('P-01: without a terminal the sentence names the two ways out', async () => {
  const problem = await check(approvals(undefined), launch());
  expect(problem?.code).toBe('no_terminal');
  expect(problem?.message).toContain(`--allow-command '["agent","--acp"]'`);
  expect(problem?.message).toContain('--trust-page');
});

test('P-01: what the command line of ours allows, the bundled agent and the presets ask nothing', async () => {
  const none = approvals(undefined, { allowed: [['agent', '--acp']] });
  expect(await check(none, launch({ cwd: '/any', roots: ['/any'] }))).toBeUndefined();
  const bundled = ['node', 'scope.js', 'agent', '--misbehave', 'never-answers'];
  expect(await check(none, launch({ argv: bundled }))).toBeUndefined();
  expect(
    await check(none, launch({ argv: ['opencode', 'acp'], env: { KEY: '1' } })),
  ).toBeUndefined();
  expect(await check(approvals(undefined, { trustPage: true }), launch())).toBeUndefined();
});

test('P-01: no general approval covers a variable that loads code, or folders to write in', async () => {
  const none = approvals(undefined, { allowed: [['agent', '--acp']] });
  for (const name of ['NODE_OPTIONS', 'LD_PRELOAD', 'DYLD_INSERT_LIBRARIES', 'PATH', 'Path'])
    expect((await check(none, launch({ env: { [name]: 'x' } })))?.code).toBe('no_terminal');
  const preset = launch({ argv: ['opencode', 'acp'], roots: ['/'] });
  expect((await check(none, preset))?.code).toBe('no_terminal');
  expect((await check(none, launch({ argv: ['opencode', 'acp', '-x'] })))?.code).toBe(
    'no_terminal',
  );
});

test('P-01: questions come one at a time, and one nobody waits for is not put', async () => {
  let answer: (yes: boolean) => void = () => {};
  const slow = approvals(undefined, {
    terminal: {
      confirm(text) {
        asked.push(text);
        return new Promise((resolve) => (answer = resolve));
      },
    },
  });
  const gone = new AbortController();
  const first = check(slow, launch());
  const second = slow.check(launch({ cwd: '/2' }), () => {}, gone.signal);
  const third = check(slow, launch());
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(asked).toHaveLength(1);
  gone.abort();
  answer(true);
  expect(await first).toBeUndefined();
  expect((await second)?.code).toBe('refused');
  expect(await third).toBeUndefined();
  expect(asked).toHaveLength(1);
});

test('S-10 S-11: nothing in the question can act or hide', () => {
  const text = questionOf(
    launch({
      argv: ['rm', '-rf', '~\u202e/tmp', 'a b', '\u001b[2J', 'x\ny'],
      env: { NODE_OPTIONS: '--require evil', KEY: 'secret' },
      roots: ['/w'],
    }),
  );
  expect(text).toContain('rm -rf "~<U+202E>/tmp" "a b" "<ESC>[2J" "x\u240ay"');
  expect(text).toContain('with NODE_OPTIONS="--require evil"   <- makes it load');
  expect(text).toContain('with KEY set');
  expect(text).toContain('may read, write and run commands in /w');
  expect(text).not.toContain('secret');
  expect([...text].filter((char) => char < ' ' && char !== '\n')).toEqual([]);
});

test('the order of variables and roots does not matter', () => {
  const one = launch({ env: { A: '1', B: '2' }, roots: ['/a', '/b'] });
  const two = launch({ env: { B: '2', A: '1' }, roots: ['/b', '/a'] });
  expect(hashOf(one)).toBe(hashOf(two));
});
