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
  const env = { NODE_OPTIONS: '--require evil', API_KEY: 'hunter2', 'A\u001b]0;_TOKEN': 'abc' };
  await check(approvals(true), launch({ argv, env, roots: [desk.folder], terminals: true }));
  const [text = ''] = desk.asked;
  expect(text).toContain('"~<U+202E>/tmp" "a b" "<ESC>[2J" "x\u240ay"');
  expect(text).toContain('with NODE_OPTIONS="--require evil"');
  expect(text).toContain('with API_KEY set to a secret of 7 characters');
  expect(text).toContain(`may read and write files in ${desk.folder}`);
  expect(text).toContain('may run any command as you');
  expect(text).toContain('MCP servers');
  expect(text).not.toMatch(/hunter2|abc/);
  expect([...text].filter((char) => char < ' ' && char !== '\n')).toEqual([]);
});

/** The text of the launch that a person reads. */
async function question(env: Readonly<Record<string, string>>): Promise<string> {
  desk.asked = [];
  await check(approvals(false), launch({ env }));
  return desk.asked[0] ?? '';
}

const LOADERS = [
  ...[
    'LD_PRELOAD',
    'LD_LIBRARY_PATH',
    'LD_AUDIT',
    'DYLD_INSERT_LIBRARIES',
    'PATH',
    'MANPATH',
    'NODE_PATH',
  ],
  ...[
    'NODE_OPTIONS',
    'NODE_EXTRA_CA_CERTS',
    'PYTHONPATH',
    'PYTHONHOME',
    'PYTHONSTARTUP',
    'RUBYOPT',
    'RUBYLIB',
  ],
  ...[
    'PERL5OPT',
    'PERL5LIB',
    'JAVA_TOOL_OPTIONS',
    '_JAVA_OPTIONS',
    'JDK_JAVA_OPTIONS',
    'CLASSPATH',
    'BASH_ENV',
  ],
  ...[
    'ENV',
    'PROMPT_COMMAND',
    'GIT_SSH_COMMAND',
    'GIT_EXEC_PATH',
    'GIT_CONFIG_VALUE_0',
    'EDITOR',
    'PAGER',
  ],
  ...[
    'ELECTRON_RUN_AS_NODE',
    'npm_config_node_options',
    'COMSPEC',
    'PATHEXT',
    'DOTNET_STARTUP_HOOKS',
  ],
  ...[
    'GCONV_PATH',
    'GLIBC_TUNABLES',
    'SSL_CERT_FILE',
    'HTTPS_PROXY',
    'http_proxy',
    'ANTHROPIC_BASE_URL',
  ],
  ...['GOOGLE_APPLICATION_CREDENTIALS', 'SSH_ASKPASS', 'ZDOTDIR', 'CORECLR_PROFILER_PATH', 'Path'],
];
const LOOK_SECRET = ['npm_x', 'sk-x', 'Bearer x', 'Basic x', 'AKIAX', 'ghp_x', 'eyJx.', 'xoxb-x'];

test('P-01: no look of a value keeps it from view, and least of all that of a loader', async () => {
  for (const [at, name] of [...LOADERS, 'ANYTHING', 'LD_PRELOAD_KEY', 'GIT_TOKEN'].entries()) {
    const value = `${LOOK_SECRET[at % LOOK_SECRET.length] ?? ''} /tmp/evil.so:/x`;
    const text = await question({ [name]: value });
    expect(text).toContain(`with ${name}="${value}"`);
    expect([name, text.includes('secret')]).toEqual([name, false]);
  }
});

test('P-01: what decides what runs is read before the rest, and a name alone keeps a value from view', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`OPENCODE_LOG_${at}`, '1']),
  );
  const text = await question({ ...many, API_KEY: '/tmp/evil', LD_PRELOAD: 'npm_x /tmp/evil.so' });
  const lines = text.split('\n');
  const [command, loader] = ['agent.js', 'LD_PRELOAD'].map((word) =>
    lines.findIndex((line) => line.includes(word)),
  );
  expect(command).toBeLessThan(6);
  expect(loader).toBeLessThan(6);
  expect(lines.findIndex((line) => line.includes('OPENCODE_LOG_'))).toBeGreaterThan(loader ?? 99);
  expect(text).toContain('with API_KEY set to a secret of 9 characters, not shown');
});

test('P-01: without a terminal a loader is part of what is to be allowed, however it looks', async () => {
  const env = { LD_PRELOAD: 'npm_x /tmp/evil.so', ANYTHING: 'sk-live-1' };
  const message = await messageOf(approvals(undefined), launch({ env }));
  expect(message).toContain('npm_x /tmp/evil.so');
  expect(message).not.toContain('sk-live-1');
});

test('S-11: blanks and fillers of a variable, of a word and of a folder are marks in the question', async () => {
  const argv = [NODE, 'a\u3164b', '\u2800', 'x\u00a0y', '👩\u200d🚀', '⚠\ufe0f'];
  await check(approvals(false), launch({ argv, env: { 'A\u115f': '\u{e0100}\ufff9' } }));
  const [text = ''] = desk.asked;
  expect(text).toContain('"a<U+3164>b" "<U+2800>" "x<U+00A0>y" "👩<U+200D>🚀" "⚠<U+FE0F>"');
  expect(text).toContain('with A<U+115F>="<U+E0100><U+FFF9>"');
});

test('what is too long to be read is not asked about', async () => {
  const all = approvals(true);
  expect(await messageOf(all, launch({ env: { A: 'x'.repeat(5000) } }))).toContain('too long');
  expect(desk.asked).toEqual([]);
});
