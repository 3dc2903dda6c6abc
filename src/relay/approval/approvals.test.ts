// What may be started, and what is asked about; see asking.test.ts for how it is asked.
import {
  chmodSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
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
import type { Launch } from '../../link/messages.ts';
import type { Allowed, ApprovalOptions } from './approvals.ts';

const posix = process.platform !== 'win32';
atDesk();

function given(more: Partial<Allowed> = {}): Partial<ApprovalOptions> {
  const { name: _, ...allowed } = launch();
  return { allowed: [{ ...allowed, ...more }] };
}

test('P-01: what is new waits for a y, which is remembered, also by the next relay', async () => {
  const first = approvals(true);
  expect(await codeOf(first, launch())).toBe('ok');
  expect(await codeOf(first, launch())).toBe('ok');
  expect(await codeOf(approvals(false), launch())).toBe('ok');
  expect(desk.asked).toHaveLength(1);
});

test('P-01: what is remembered is private, and tells nobody what was started', async () => {
  await check(approvals(true), launch({ env: { KEY: 'hunter2', HOME: '/elsewhere' } }));
  const state = join(desk.folder, 'state');
  for (const name of readdirSync(state)) {
    const text = readFileSync(join(state, name), 'utf8');
    for (const plain of ['hunter2', 'elsewhere', 'HOME', 'agent.js', desk.folder])
      expect(text).not.toContain(plain);
    if (posix) expect(statSync(join(state, name)).mode & 0o777).toBe(0o600);
  }
  rmSync(join(state, 'approved.key'));
  expect(await codeOf(approvals(false), launch())).toBe('refused');
});

test('P-01: an approval of an older version is not honoured, and a broken file stops nothing', async () => {
  const file = join(desk.folder, 'state', 'approved.json');
  for (const text of [
    JSON.stringify({ version: 1, approved: ['0'.repeat(64)] }),
    JSON.stringify({ version: 3, approved: [null, 7, {}, { same: [], most: 'x' }] }),
    'no json',
  ]) {
    writeFileSync(file, text);
    writeFileSync(join(desk.folder, 'state', 'approved.key'), 'no key');
    expect(await codeOf(approvals(false), launch())).toBe('refused');
  }
  await check(approvals(true), launch());
  expect(await codeOf(approvals(false), launch())).toBe('ok');
  // The answers of a time when a question did not show every loader.
  writeFileSync(file, readFileSync(file, 'utf8').replace('"version":3', '"version":2'));
  expect(await codeOf(approvals(false), launch())).toBe('refused');
});

test('P-01: the newest thousand answers are kept, and no more', async () => {
  const file = join(desk.folder, 'state', 'approved.json');
  const approved = Array.from({ length: 1000 }, (_, nth) => ({ same: [String(nth)], most: [] }));
  writeFileSync(file, JSON.stringify({ version: 3, approved }));
  expect(await codeOf(approvals(true), launch())).toBe('ok');
  const kept = JSON.parse(readFileSync(file, 'utf8')) as { approved: unknown[] };
  expect(kept.approved).toHaveLength(1000);
  expect(kept.approved[0]).toEqual(approved[1]);
  expect(await codeOf(approvals(false), launch())).toBe('ok');
});

test('P-01: a no is a sentence, and is not remembered', async () => {
  const refusing = approvals(false);
  expect(await codeOf(refusing, launch())).toBe('refused');
  await check(refusing, launch());
  expect(desk.asked).toHaveLength(2);
});

test('P-01: what cannot be started is said at once, and nobody is asked', async () => {
  const all = approvals(true);
  expect(await codeOf(all, launch({ argv: ['no-such-program'] }))).toBe('not_found');
  expect(await codeOf(all, launch({ cwd: join(desk.folder, 'none') }))).toBe('bad_cwd');
  const typed = await messageOf(all, launch({ argv: ['API_KEY=hunter2', NODE] }));
  expect(typed).toContain('API_KEY');
  expect(typed).not.toContain('hunter2');
  expect(desk.asked).toEqual([]);
});

test('P-01: the command line of ours allows exactly what it says, where it was said', async () => {
  const none = approvals(undefined, given());
  expect(await codeOf(none, launch())).toBe('ok');
  expect(await codeOf(none, launch({ env: { LANG: 'de_DE.UTF-8', NO_COLOR: '1' } }))).toBe('ok');
  const more = given({ env: { HOME: '/h' }, roots: [join(desk.folder, 'w')], terminals: true });
  const wide = approvals(undefined, more);
  const all = launch({ env: { HOME: '/h' }, roots: [join(desk.folder, 'w')], terminals: true });
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
    { roots: [join(desk.folder, 'w')] },
    { terminals: true as const },
  ])
    expect(await codeOf(none, launch(more))).toBe('no_terminal');
});

test('attack row 3 (P-01): another desk.folder, a variable or its value is another thing, for what was allowed as for our own', async () => {
  const none = approvals(undefined, given());
  const own = launch({ argv: [NODE, 'harmless.js'] });
  expect(await codeOf(none, own)).toBe('ok');
  expect(await codeOf(none, { ...own, cwd: join(desk.folder, 'other') })).toBe('ok');
  for (const name of ['OPENSSL_CONF', 'HOME', 'XDG_STATE_HOME', 'PATH', 'LANGUAGE ', 'LD_PRELOAD'])
    for (const base of [launch(), own])
      expect(await codeOf(none, { ...base, env: { [name]: 'x' } })).toBe('no_terminal');
  expect(await codeOf(none, { ...own, env: { LANG: '../../evil' } })).toBe('no_terminal');
  expect(await codeOf(none, { ...own, roots: ['/'] })).toBe('no_terminal');
  expect(await codeOf(none, { ...own, terminals: true })).toBe('no_terminal');
  expect(await codeOf(none, launch({ cwd: join(desk.folder, 'other') }))).toBe('no_terminal');
});

test('attack row 3 (P-01): a variable approved with one value is asked about with another', async () => {
  const all = approvals(true);
  await check(all, launch({ env: { HOME: '/one' } }));
  for (const env of [{ HOME: '/two' }, {}, { HOME: '/one', KEY: '1' }, { HOME: '/one' }])
    await check(all, launch({ env }));
  expect(desk.asked).toHaveLength(4);
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
    ...launch({ argv: [NODE, ...argv], cwd: join(desk.folder, cwd), env }),
    roots: roots.map((root) => join(desk.folder, root)),
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
      rmSync(join(desk.folder, 'state', 'approved.json'), { force: true });
      const wish = near ? { ...one, roots: two.roots, terminals: two.terminals } : two;
      await check(approvals(true), made(one));
      const { name: _, ...allowed } = made(one);
      const expected = mayBe(one, wish) ? 'ok' : 'no_terminal';
      expect(await codeOf(approvals(undefined), made(wish))).toBe(expected);
      rmSync(join(desk.folder, 'state', 'approved.json'), { force: true });
      const byOption = approvals(undefined, { allowed: [allowed] });
      expect(await codeOf(byOption, made(wish))).toBe(expected);
    }),
    { numRuns: 300 },
  );
});

const reaching = (url: string, headers?: Readonly<Record<string, string>>) =>
  launch({ argv: [url], cwd: join(desk.folder, 'none'), ...(headers && { headers }) });

test('P-13: a page reaches no URL before a y, and then exactly that one, from whatever folder', async () => {
  const all = approvals(true);
  const url = 'http://127.0.0.1:9000/acp?mode=x';
  expect(await codeOf(all, reaching(url))).toBe('ok');
  expect(desk.asked[0]).toContain('The page asks to reach an agent that is new here');
  expect(desk.asked[0]).toContain(url);
  expect(await codeOf(approvals(false), { ...reaching(url), cwd: desk.folder })).toBe('ok');
  for (const other of [
    reaching('http://127.0.0.1:9001/acp?mode=x'),
    reaching('http://127.0.0.1:9000/acp?mode=y'),
    reaching('http://169.254.169.254/acp?mode=x'),
    reaching(url, { 'Metadata-Flavor': 'Google' }),
    { ...reaching(url), roots: [desk.folder] },
    { ...reaching(url), terminals: true as const },
  ])
    expect(await codeOf(approvals(false), other)).toBe('refused');
});

test('P-13: the question says where a URL leads and which headers go along, without a secret', async () => {
  const headers = { Authorization: 'Bearer hunter2', 'X-Mode': 'a b' };
  await check(approvals(true), reaching('https://agents.example/acp?api_key=hunter2&x=1', headers));
  const [text = ''] = desk.asked;
  expect(text).toContain('https://agents.example/acp?api_key=…&x=1');
  expect(text).toContain('no name of this machine');
  expect(text).toContain('with the header Authorization as a secret of 14 characters, not shown');
  expect(text).toContain('with the header X-Mode: "a b"');
  expect(text).not.toContain('hunter2');
  await check(approvals(true), reaching('https://agents.example/acp?api_key=hunter2&x=1'));
  expect(desk.asked[1]).toContain('You allowed a page to reach this before');
  expect(desk.asked[1]).toContain('2 headers that it had are not set as then');
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
  expect(desk.asked).toEqual([]);
});

test.skipIf(!posix)('P-01: another file under the same words is another program', async () => {
  const program = (name: string) => {
    const path = join(desk.folder, name, 'agent');
    writeFileSync(path, '#!/bin/sh\n');
    chmodSync(path, 0o755);
    return path;
  };
  const [one, two] = [program('w'), program('other')];
  const link = join(desk.folder, 'more', 'agent');
  symlinkSync(one, link);
  const all = approvals(true);
  const wish = launch({ argv: ['../more/agent'] });
  const checked = await check(all, wish);
  expect(checked).toMatchObject({ settled: { target: { file: link, realFile: one } } });
  expect(desk.asked[0]).toContain(`which is ${link}, a link to ${one}`);
  unlinkSync(link);
  symlinkSync(two, link);
  expect(await codeOf(approvals(undefined), wish)).toBe('no_terminal');
  await check(all, wish);
  expect(desk.asked[1]).toContain('You allowed a page to start this before');
  expect(desk.asked[1]).toContain(`a link to ${two}`);
});

test.skipIf(!posix)('P-01: what changes while the terminal asks is not started', async () => {
  const link = join(desk.folder, 'link');
  symlinkSync(join(desk.folder, 'w'), link);
  const confirm = () => {
    unlinkSync(link);
    symlinkSync(join(desk.folder, 'other'), link);
    return Promise.resolve(true);
  };
  const swapped = approvals(true, { terminal: { confirm } });
  expect(await messageOf(swapped, launch({ cwd: link }))).toContain('became another one');
});
