import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Launch } from '../../link/messages.ts';
import { Approvals, type Allowed, type ApprovalOptions } from './approvals.ts';

const posix = process.platform !== 'win32';
const node = process.execPath;
let folder: string;
let asked: string[];
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'acp-scope-')));
  for (const name of ['state', 'w', 'other', 'more']) mkdirSync(join(folder, name));
  asked = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function launch(more: Partial<Launch> = {}): Launch {
  const cwd = join(folder, 'w');
  return { name: 'a', argv: [node, 'agent.js', '--acp'], cwd, env: {}, roots: [], ...more };
}

/** `answer`: of the terminal; undefined: there is none. */
function approvals(answer: boolean | undefined, more: Partial<ApprovalOptions> = {}): Approvals {
  const confirm = (text: string) => {
    asked.push(text);
    return Promise.resolve(answer === true);
  };
  return new Approvals({
    state: join(folder, 'state'),
    terminal: answer === undefined ? undefined : { confirm },
    trustPage: false,
    allowed: [],
    isHarmless: (argv) => argv[1] === 'harmless.js',
    ...more,
  });
}

function given(more: Partial<Allowed> = {}): Partial<ApprovalOptions> {
  const { name: _, ...allowed } = launch();
  return { allowed: [{ ...allowed, ...more }] };
}

const check = (of: Approvals, of1: Launch) => of.check(of1, () => {}, new AbortController().signal);
const codeOf = async (of: Approvals, of1: Launch) => {
  const checked = await check(of, of1);
  return checked.ok ? 'ok' : checked.problem.code;
};
const messageOf = async (of: Approvals, of1: Launch) => {
  const checked = await check(of, of1);
  return checked.ok ? '' : checked.problem.message;
};

test('P-01: what is new waits for a y, which is remembered, also by the next relay', async () => {
  const first = approvals(true);
  expect(await codeOf(first, launch())).toBe('ok');
  expect(await codeOf(first, launch())).toBe('ok');
  expect(await codeOf(approvals(false), launch())).toBe('ok');
  expect(asked).toHaveLength(1);
});

test('P-01: what is remembered is private, and tells nobody what was started', async () => {
  await check(approvals(true), launch({ env: { KEY: 'hunter2', HOME: '/elsewhere' } }));
  const state = join(folder, 'state');
  for (const name of readdirSync(state)) {
    const text = readFileSync(join(state, name), 'utf8');
    for (const plain of ['hunter2', 'elsewhere', 'HOME', 'agent.js', folder])
      expect(text).not.toContain(plain);
    if (posix) expect(statSync(join(state, name)).mode & 0o777).toBe(0o600);
  }
  rmSync(join(state, 'approved.key'));
  expect(await codeOf(approvals(false), launch())).toBe('refused');
});

test('P-01: an approval of an older version is not honoured, and a broken file stops nothing', async () => {
  const file = join(folder, 'state', 'approved.json');
  for (const text of [
    JSON.stringify({ version: 1, approved: ['0'.repeat(64)] }),
    JSON.stringify({ version: 2, approved: [null, 7, {}, { same: [], most: 'x' }] }),
    'no json',
  ]) {
    writeFileSync(file, text);
    writeFileSync(join(folder, 'state', 'approved.key'), 'no key');
    expect(await codeOf(approvals(false), launch())).toBe('refused');
  }
  await check(approvals(true), launch());
  expect(await codeOf(approvals(false), launch())).toBe('ok');
});

test('P-01: a no is a sentence, and is not remembered', async () => {
  const refusing = approvals(false);
  expect(await codeOf(refusing, launch())).toBe('refused');
  await check(refusing, launch());
  expect(asked).toHaveLength(2);
});

test('P-01: what cannot be started is said at once, and nobody is asked', async () => {
  const all = approvals(true);
  expect(await codeOf(all, launch({ argv: ['no-such-program'] }))).toBe('not_found');
  expect(await codeOf(all, launch({ cwd: join(folder, 'none') }))).toBe('bad_cwd');
  const typed = await messageOf(all, launch({ argv: ['API_KEY=hunter2', node] }));
  expect(typed).toContain('API_KEY');
  expect(typed).not.toContain('hunter2');
  expect(asked).toEqual([]);
});

test('P-01: the command line of ours allows exactly what it says, where it was said', async () => {
  const none = approvals(undefined, given());
  expect(await codeOf(none, launch())).toBe('ok');
  expect(await codeOf(none, launch({ env: { LANG: 'de_DE.UTF-8', NO_COLOR: '1' } }))).toBe('ok');
  const more = given({ env: { HOME: '/h' }, roots: [join(folder, 'w')], terminals: true });
  const wide = approvals(undefined, more);
  const all = launch({ env: { HOME: '/h' }, roots: [join(folder, 'w')], terminals: true });
  expect(await codeOf(wide, all)).toBe('ok');
  const { terminals: _, ...less } = all;
  expect(await codeOf(wide, { ...less, roots: [] })).toBe('ok');
  expect(await codeOf(wide, { ...all, env: {} })).toBe('no_terminal');
  expect(await codeOf(approvals(undefined, { trustPage: true }), all)).toBe('ok');
});

test('attack row 1 (P-01, P-09): what was allowed for its words gives no folders and no commands', async () => {
  const none = approvals(undefined, given());
  for (const more of [
    { roots: ['/'] },
    { roots: [join(folder, 'w')] },
    { terminals: true as const },
  ])
    expect(await codeOf(none, launch(more))).toBe('no_terminal');
});

test('attack row 3 (P-01): another folder, a variable or its value is another thing, for what was allowed as for our own', async () => {
  const none = approvals(undefined, given());
  const own = launch({ argv: [node, 'harmless.js'] });
  expect(await codeOf(none, own)).toBe('ok');
  expect(await codeOf(none, { ...own, cwd: join(folder, 'other') })).toBe('ok');
  for (const name of ['OPENSSL_CONF', 'HOME', 'XDG_STATE_HOME', 'PATH', 'LANGUAGE ', 'LD_PRELOAD'])
    for (const base of [launch(), own])
      expect(await codeOf(none, { ...base, env: { [name]: 'x' } })).toBe('no_terminal');
  expect(await codeOf(none, { ...own, env: { LANG: '../../evil' } })).toBe('no_terminal');
  expect(await codeOf(none, { ...own, roots: ['/'] })).toBe('no_terminal');
  expect(await codeOf(none, { ...own, terminals: true })).toBe('no_terminal');
  expect(await codeOf(none, launch({ cwd: join(folder, 'other') }))).toBe('no_terminal');
});

test('attack row 3 (P-01): a variable approved with one value is asked about with another', async () => {
  const all = approvals(true);
  await check(all, launch({ env: { HOME: '/one' } }));
  for (const env of [{ HOME: '/two' }, {}, { HOME: '/one', KEY: '1' }, { HOME: '/one' }])
    await check(all, launch({ env }));
  expect(asked).toHaveLength(4);
});

test('attack rows 1 and 3 (P-01): no launch that differs in anything is let through by an approval', async () => {
  const names = ['HOME', 'A', 'B', 'LANG', '__proto__'];
  const folders = ['w', 'other', 'more'];
  const arbitrary = fc.record({
    argv: fc.array(fc.constantFrom('a', 'b', '--c', ''), { maxLength: 3 }),
    cwd: fc.constantFrom(...folders),
    env: fc.dictionary(fc.constantFrom(...names), fc.constantFrom('', 'x', '/y')),
    roots: fc.uniqueArray(fc.constantFrom(...folders), { maxLength: 3 }),
    terminals: fc.boolean(),
  });
  type Wish = typeof arbitrary extends fc.Arbitrary<infer T> ? T : never;
  const made = ({ argv, cwd, env, roots, terminals }: Wish): Launch => ({
    ...launch({ argv: [node, ...argv], cwd: join(folder, cwd), env }),
    roots: roots.map((root) => join(folder, root)),
    ...(terminals && { terminals }),
  });
  const plain = ({ LANG, ...env }: Readonly<Record<string, string>>) =>
    JSON.stringify(Object.entries(LANG === '/y' ? { ...env, LANG } : env).sort());
  const mayBe = (approved: Wish, wish: Wish) =>
    JSON.stringify([approved.argv, approved.cwd]) === JSON.stringify([wish.argv, wish.cwd]) &&
    plain(approved.env) === plain(wish.env) &&
    wish.roots.every((root) => approved.roots.includes(root)) &&
    (approved.terminals || !wish.terminals);
  await fc.assert(
    fc.asyncProperty(arbitrary, arbitrary, fc.boolean(), async (one, two, near) => {
      rmSync(join(folder, 'state', 'approved.json'), { force: true });
      const wish = near ? { ...one, roots: two.roots, terminals: two.terminals } : two;
      await check(approvals(true), made(one));
      const { name: _, ...allowed } = made(one);
      const expected = mayBe(one, wish) ? 'ok' : 'no_terminal';
      expect(await codeOf(approvals(undefined), made(wish))).toBe(expected);
      rmSync(join(folder, 'state', 'approved.json'), { force: true });
      const byOption = approvals(undefined, { allowed: [allowed] });
      expect(await codeOf(byOption, made(wish))).toBe(expected);
    }),
    { numRuns: 300 },
  );
});

const reaching = (url: string, headers?: Readonly<Record<string, string>>) =>
  launch({ argv: [url], cwd: join(folder, 'none'), ...(headers && { headers }) });

test('P-13: a page reaches no URL before a y, and then exactly that one, from whatever folder', async () => {
  const all = approvals(true);
  const url = 'http://127.0.0.1:9000/acp?mode=x';
  expect(await codeOf(all, reaching(url))).toBe('ok');
  expect(asked[0]).toContain('The page asks to reach an agent that is new here');
  expect(asked[0]).toContain(url);
  expect(await codeOf(approvals(false), { ...reaching(url), cwd: folder })).toBe('ok');
  for (const other of [
    reaching('http://127.0.0.1:9001/acp?mode=x'),
    reaching('http://127.0.0.1:9000/acp?mode=y'),
    reaching('http://169.254.169.254/acp?mode=x'),
    reaching(url, { 'Metadata-Flavor': 'Google' }),
    { ...reaching(url), roots: [folder] },
    { ...reaching(url), terminals: true as const },
  ])
    expect(await codeOf(approvals(false), other)).toBe('refused');
});

test('P-13: the question says where a URL leads and which headers go along, without a secret', async () => {
  const headers = { Authorization: 'Bearer hunter2', 'X-Mode': 'a b' };
  await check(approvals(true), reaching('https://agents.example/acp?api_key=hunter2&x=1', headers));
  const [text = ''] = asked;
  expect(text).toContain('https://agents.example/acp?api_key=…&x=1');
  expect(text).toContain('no name of this machine');
  expect(text).toContain('with the header Authorization as a secret of 14 characters, not shown');
  expect(text).toContain('with the header X-Mode: "a b"');
  expect(text).not.toContain('hunter2');
  await check(approvals(true), reaching('https://agents.example/acp?api_key=hunter2&x=1'));
  expect(asked[1]).toContain('You allowed a page to reach this before');
  expect(asked[1]).toContain('2 headers that it had are not set as then');
});

test('P-13: our own command line allows a URL, and nobody is told to write a secret into one', async () => {
  const url = 'ws://127.0.0.1:9000/acp';
  const none = approvals(undefined);
  expect(await messageOf(none, reaching(url))).toContain(`--allow-command '["${url}"]'`);
  const secret = await messageOf(none, reaching(url, { 'X-Api-Key': 'hunter2' }));
  expect(secret).toContain('holds a secret, which no command line should');
  expect(secret).not.toMatch(/hunter2|--allow-command/);
  const plain = await messageOf(none, reaching(url, { 'X-Mode': 'a' }));
  const object = /--allow-command '(.*?)',/.exec(plain)?.[1] ?? '';
  const all = approvals(undefined, given(JSON.parse(object) as Partial<Allowed>));
  expect(await codeOf(all, reaching(url, { 'X-Mode': 'a' }))).toBe('ok');
  expect(await codeOf(all, reaching(url, { 'X-Mode': 'b' }))).toBe('no_terminal');
});

test('P-13: a URL that cannot be used is said at once, and nobody is asked', async () => {
  const all = approvals(true);
  expect(await messageOf(all, reaching('http://u:hunter2@127.0.0.1/'))).toContain('a password');
  expect(await messageOf(all, reaching('http://10.0.0.7/', { A: 'x' }))).toContain('in the clear');
  expect(await messageOf(all, reaching('ws://127.0.0.1/', { Host: 'x' }))).toContain('is Host');
  expect(asked).toEqual([]);
});

test('P-01: another file under the same words is another program', async () => {
  if (!posix) return;
  const program = (name: string) => {
    const path = join(folder, name, 'agent');
    writeFileSync(path, '#!/bin/sh\n');
    chmodSync(path, 0o755);
    return path;
  };
  const [one, two] = [program('w'), program('other')];
  const link = join(folder, 'more', 'agent');
  symlinkSync(one, link);
  const all = approvals(true);
  const wish = launch({ argv: ['../more/agent'] });
  const checked = await check(all, wish);
  expect(checked).toMatchObject({ settled: { target: { file: link, realFile: one } } });
  expect(asked[0]).toContain(`which is ${link}, a link to ${one}`);
  unlinkSync(link);
  symlinkSync(two, link);
  expect(await codeOf(approvals(undefined), wish)).toBe('no_terminal');
  await check(all, wish);
  expect(asked[1]).toContain('You allowed a page to start this before');
  expect(asked[1]).toContain(`a link to ${two}`);
});

test('P-01: what changes while the terminal asks is not started', async () => {
  if (!posix) return;
  const link = join(folder, 'link');
  symlinkSync(join(folder, 'w'), link);
  const confirm = () => {
    unlinkSync(link);
    symlinkSync(join(folder, 'other'), link);
    return Promise.resolve(true);
  };
  const swapped = approvals(true, { terminal: { confirm } });
  expect(await messageOf(swapped, launch({ cwd: link }))).toContain('became another one');
});

test('P-01: questions come one at a time, and one nobody waits for is not put', async () => {
  let answer: (yes: boolean) => void = () => {};
  const slow = approvals(true, {
    terminal: {
      confirm(text) {
        asked.push(text);
        return new Promise((resolve) => (answer = resolve));
      },
    },
  });
  const gone = new AbortController();
  const first = check(slow, launch());
  const second = slow.check(launch({ cwd: join(folder, 'other') }), () => {}, gone.signal);
  const third = check(slow, launch());
  await expect.poll(() => asked.length).toBe(1);
  gone.abort();
  answer(true);
  expect((await first).ok).toBe(true);
  expect(await second).toMatchObject({ problem: { code: 'refused' } });
  expect((await third).ok).toBe(true);
  expect(asked).toHaveLength(1);
});

test('P-01: a page that asks again and again is refused for a while, whoever it says it is', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const all = approvals(false);
  const wish = (nth: number) => launch({ argv: [node, `agent-${nth}.js`] });
  for (let nth = 0; nth < 5; nth++)
    expect(await messageOf(all, wish(nth))).toContain('refused in the terminal');
  expect(await messageOf(all, wish(5))).toContain('asked 5 times within a minute');
  expect(asked).toHaveLength(5);
  vi.advanceTimersByTime(61_000);
  expect(await messageOf(all, wish(6))).toContain('refused in the terminal');
  expect(asked).toHaveLength(6);
  vi.useRealTimers();
});

test('a yes is no reason to ask less', async () => {
  const all = approvals(true);
  for (let nth = 0; nth < 8; nth++)
    expect(await codeOf(all, launch({ argv: [node, `agent-${nth}.js`] }))).toBe('ok');
  expect(asked).toHaveLength(8);
});

test('a later question names only what is new', async () => {
  const all = approvals(true);
  await check(all, launch({ env: { HOME: '/one', KEPT: 'yes' } }));
  const cwd = join(folder, 'other');
  const env = { HOME: '/two', KEPT: 'yes' };
  await check(all, launch({ cwd, env, roots: [folder], terminals: true }));
  expect(asked[1]?.split('\n').slice(4, -2)).toEqual([
    'New now:',
    '',
    `  in ${cwd}`,
    '  with HOME=/two',
    `  may read and write files in ${folder}`,
    '  may run any command as you',
    '  1 variable that it had is not set as then',
  ]);
});

test('without a terminal, the sentence names what allows exactly this, and no secret', async () => {
  const none = approvals(undefined);
  const here = process.cwd();
  expect(await messageOf(none, launch({ argv: [node, "it's"], cwd: here }))).toContain(
    `--allow-command '${JSON.stringify([node, 'it\\u0027s']).replace('\\\\u', '\\u')}'`,
  );
  const message = await messageOf(
    none,
    launch({ env: { HOME: '/h', API_KEY: 'hunter2' }, roots: [folder], terminals: true }),
  );
  expect(message).not.toContain('hunter2');
  expect(message).toContain('API_KEY looks secret');
  expect(message).toContain('--trust-page');
  const object = /--allow-command '(.*?)',/.exec(message)?.[1] ?? '';
  const allowed = JSON.parse(object) as Allowed;
  expect(allowed).toEqual({
    argv: launch().argv,
    ...{ cwd: launch().cwd, env: { HOME: '/h' }, roots: [folder], terminals: true },
  });
  const wish = launch({ env: { HOME: '/h' }, roots: [folder], terminals: true });
  expect(await codeOf(approvals(undefined, { allowed: [allowed] }), wish)).toBe('ok');
});

test('S-10 S-11: nothing in the question can act or hide, and no secret stands in it', async () => {
  const argv = [node, '~\u202e/tmp', 'a b', '\u001b[2J', 'x\ny'];
  const env = { NODE_OPTIONS: '--require evil', API_KEY: 'hunter2', 'A\u001b]0;': 'sk-live-1' };
  await check(approvals(true), launch({ argv, env, roots: [folder], terminals: true }));
  const [text = ''] = asked;
  expect(text).toContain('"~<U+202E>/tmp" "a b" "<ESC>[2J" "x\u240ay"');
  expect(text).toContain('with NODE_OPTIONS="--require evil"');
  expect(text).toContain('with API_KEY set to a secret of 7 characters');
  expect(text).toContain(`may read and write files in ${folder}`);
  expect(text).toContain('may run any command as you');
  expect(text).toContain('MCP servers');
  expect(text).not.toMatch(/hunter2|sk-live/);
  expect([...text].filter((char) => char < ' ' && char !== '\n')).toEqual([]);
});

test('what is too long to be read is not asked about', async () => {
  const all = approvals(true);
  expect(await messageOf(all, launch({ env: { A: 'x'.repeat(5000) } }))).toContain('too long');
  expect(asked).toEqual([]);
});
