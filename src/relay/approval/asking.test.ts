// How the terminal is asked: one question at a time, readable, and not again and again.
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import {
  approvals,
  atDesk,
  check,
  codeOf,
  desk,
  launch,
  messageOf,
  NODE,
} from '../../test/programs/approval-desk.ts';
import type { Allowed } from './approvals.ts';

atDesk();

test('P-01: questions come one at a time, and one nobody waits for is not put', async () => {
  let answer: (yes: boolean) => void = () => {};
  const slow = approvals(true, {
    terminal: {
      confirm(text) {
        desk.asked.push(text);
        return new Promise((resolve) => (answer = resolve));
      },
    },
  });
  const gone = new AbortController();
  const first = check(slow, launch());
  // Each looks at files before it is put: on a busy machine a later one may be there sooner.
  await expect.poll(() => desk.asked.length).toBe(1);
  const second = slow.check(launch({ cwd: join(desk.folder, 'other') }), () => {}, gone.signal);
  const third = check(slow, launch());
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(desk.asked).toHaveLength(1);
  gone.abort();
  answer(true);
  expect((await first).ok).toBe(true);
  expect(await second).toMatchObject({ problem: { code: 'refused' } });
  expect((await third).ok).toBe(true);
  expect(desk.asked).toHaveLength(1);
});

test('P-01: a page that asks again and again is refused for a while, whoever it says it is', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const all = approvals(false);
  const wish = (nth: number) => launch({ argv: [NODE, `agent-${nth}.js`] });
  for (let nth = 0; nth < 5; nth++)
    expect(await messageOf(all, wish(nth))).toContain('refused in the terminal');
  expect(await messageOf(all, wish(5))).toContain('asked 5 times within a minute');
  expect(desk.asked).toHaveLength(5);
  vi.advanceTimersByTime(61_000);
  expect(await messageOf(all, wish(6))).toContain('refused in the terminal');
  expect(desk.asked).toHaveLength(6);
  vi.useRealTimers();
});

test('a yes is no reason to ask less', async () => {
  const all = approvals(true);
  for (let nth = 0; nth < 8; nth++)
    expect(await codeOf(all, launch({ argv: [NODE, `agent-${nth}.js`] }))).toBe('ok');
  expect(desk.asked).toHaveLength(8);
});

test('a later question names only what is new', async () => {
  const all = approvals(true);
  await check(all, launch({ env: { HOME: '/one', KEPT: 'yes' } }));
  const cwd = join(desk.folder, 'other');
  const env = { HOME: '/two', KEPT: 'yes' };
  await check(all, launch({ cwd, env, roots: [desk.folder], terminals: true }));
  expect(desk.asked[1]?.split('\n').slice(4, -2)).toEqual([
    'New now:',
    '',
    `  in ${cwd}`,
    '  with HOME=/two',
    `  may read and write files in ${desk.folder}`,
    '  may run any command as you',
    '  1 variable that it had is not set as then',
  ]);
});

test('without a terminal, the sentence names what allows exactly this, and no secret', async () => {
  const none = approvals(undefined);
  const here = process.cwd();
  expect(await messageOf(none, launch({ argv: [NODE, "it's"], cwd: here }))).toContain(
    `--allow-command '${JSON.stringify([NODE, 'it\\u0027s']).replace('\\\\u', '\\u')}'`,
  );
  const message = await messageOf(
    none,
    launch({ env: { HOME: '/h', API_KEY: 'hunter2' }, roots: [desk.folder], terminals: true }),
  );
  expect(message).not.toContain('hunter2');
  expect(message).toContain('API_KEY looks secret');
  expect(message).toContain('--trust-page');
  const object = /--allow-command '(.*?)',/.exec(message)?.[1] ?? '';
  const allowed = JSON.parse(object) as Allowed;
  expect(allowed).toEqual({
    argv: launch().argv,
    ...{ cwd: launch().cwd, env: { HOME: '/h' }, roots: [desk.folder], terminals: true },
  });
  const wish = launch({ env: { HOME: '/h' }, roots: [desk.folder], terminals: true });
  expect(await codeOf(approvals(undefined, { allowed: [allowed] }), wish)).toBe('ok');
});

test('S-10 S-11: nothing in the question can act or hide, and no secret stands in it', async () => {
  const argv = [NODE, '~\u202e/tmp', 'a b', '\u001b[2J', 'x\ny'];
  const env = { NODE_OPTIONS: '--require evil', API_KEY: 'hunter2', 'A\u001b]0;': 'sk-live-1' };
  await check(approvals(true), launch({ argv, env, roots: [desk.folder], terminals: true }));
  const [text = ''] = desk.asked;
  expect(text).toContain('"~<U+202E>/tmp" "a b" "<ESC>[2J" "x\u240ay"');
  expect(text).toContain('with NODE_OPTIONS="--require evil"');
  expect(text).toContain('with API_KEY set to a secret of 7 characters');
  expect(text).toContain(`may read and write files in ${desk.folder}`);
  expect(text).toContain('may run any command as you');
  expect(text).toContain('MCP servers');
  expect(text).not.toMatch(/hunter2|sk-live/);
  expect([...text].filter((char) => char < ' ' && char !== '\n')).toEqual([]);
});

test('what is too long to be read is not asked about', async () => {
  const all = approvals(true);
  expect(await messageOf(all, launch({ env: { A: 'x'.repeat(5000) } }))).toContain('too long');
  expect(desk.asked).toEqual([]);
});
