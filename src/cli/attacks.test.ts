// What a hostile page tried, on the relay as a person starts it: a process, its link, its socket.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { HostCall, Launch, RelayEvent } from '../link/messages.ts';
import { buildBin } from '../test/programs/built-bin.ts';
import { TestPage } from '../test/programs/relay-fixture.ts';
import { until } from '../test/programs/until.ts';
import type { ConnectionId } from '../trace/event.ts';
import { lineText } from '../trace/line.ts';

let bin: string;
beforeAll(async () => {
  bin = await buildBin();
});

let folder: string;
let relay: ChildProcess;
let page: TestPage;
let port: number;
let request = 1;

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'acp-scope-attack-')));
  mkdirSync(join(folder, 'programs'));
  for (const name of ['opencode', 'opencode.cmd'])
    writeFileSync(join(folder, 'programs', name), '#!/bin/sh\n', { mode: 0o755 });
  for (const name of ['work', 'other']) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'quiet.js'), 'process.stdin.resume()');
  }
  const args = ['--no-open', '--port', '0', '--', process.execPath, 'quiet.js'];
  relay = spawn(process.execPath, [bin, ...args], {
    cwd: join(folder, 'work'),
    env: {
      ...process.env,
      PATH: [join(folder, 'programs'), process.env['PATH']].join(delimiter),
      ACP_SCOPE_STATE: join(folder, 'state'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const link = await new Promise<URL>((resolve) => {
    relay.stdout?.on('data', (data: Buffer) => {
      const found = /Open (http:\S+)/.exec(data.toString())?.[1];
      if (found !== undefined) resolve(new URL(found));
    });
  });
  port = Number(link.port);
  page = new TestPage(port);
  page.client.enter(link.hash.slice('#k='.length), undefined);
  await page.told1('welcome');
});
afterEach(async () => {
  page.client.close();
  relay.kill();
  await once(relay, 'exit');
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

// Windows and macOS open files by programs of their own.
test.runIf(process.platform === 'linux')(
  'attack row 10 (P-05): a browser that is slow to read its file still comes in, and no command line holds the code',
  async () => {
    const seen = join(folder, 'seen');
    const opener = `#!/bin/sh\nfile="\${1#file://}"\nsleep 1\necho "$file" > ${seen}.path\nstat -c %a "$file" "\${file%/*}" >> ${seen}.path\ncp "$file" ${seen}.part\nmv ${seen}.part ${seen}\n`;
    writeFileSync(join(folder, 'programs', 'xdg-open'), opener, { mode: 0o755 });
    const env = {
      ...process.env,
      PATH: [join(folder, 'programs'), process.env['PATH']].join(delimiter),
      ACP_SCOPE_STATE: join(folder, 'state'),
      DISPLAY: ':0',
    };
    const open = spawn(process.execPath, [bin, 'open', '--port', String(port)], { env });
    let said = '';
    open.stdout.on('data', (data: Buffer) => (said += data.toString()));
    await once(open, 'close');
    const lines = commandLines();
    const html = await until(() => readFileSync(seen, 'utf8'));
    const link = /url=([^"]+)/.exec(html)?.[1] ?? '';
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#k=./);
    const [path = '', ...modes] = readFileSync(`${seen}.path`, 'utf8').trim().split('\n');
    expect(modes).toEqual(['600', '700']);
    const codes = [link, said].map((text) => /#k=([\w-]+)/.exec(text)?.[1] ?? 'none');
    for (const code of codes) expect(lines.join('\n')).not.toContain(code);
    // What will remove it in a minute runs, and need not for the rest of this test.
    const [remover = ''] = lines.filter(
      (line) => line.includes(dirname(path)) && !/xdg/.test(line),
    );
    expect(remover).toContain('rmSync');
    process.kill(Number(remover.split(' ', 1)[0]));
    rmSync(dirname(path), { recursive: true });

    const browser = new TestPage(port);
    browser.client.enter(codes[0], undefined);
    await browser.told1('welcome');
    browser.client.close();
  },
);

test('T-13: a page or program that breaks off as it asks for a WebSocket ends neither an agent that listens nor a tap', async () => {
  const listening: ChildProcess[] = [];
  const listen = async (...words: string[]) => {
    const child = spawn(process.execPath, [bin, ...words], {
      env: { ...process.env, ACP_SCOPE_STATE: join(folder, 'listening') },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    listening.push(child);
    let said = '';
    child.stderr.on('data', (data: Buffer) => (said += data.toString()));
    return new URL(
      await until(() => /(http:\/\/127\S+\/acp)/.exec(said)?.[1] ?? Promise.reject(said)),
    );
  };
  try {
    const agent = await listen('agent', '--listen', '0', '--store', join(folder, 'sessions'));
    const tap = await listen('tap', '--listen', '0', '--', agent.href);
    for (const { host, port } of [agent, tap])
      for (const origin of ['Origin: http://evil.example\r\n', ''])
        for (let count = 0; count < 100; count++) {
          const head = `GET /acp HTTP/1.1\r\nHost: ${host}\r\n${origin}${UPGRADE}\r\n`;
          const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
          socket.write(head, () => socket.resetAndDestroy());
          await once(socket, 'close');
        }
    for (const { href } of [agent, tap]) {
      const answer = await fetch(href, { method: 'POST', body: '{}' });
      await answer.body?.cancel();
      expect(answer.status).toBeGreaterThanOrEqual(200);
    }
    expect(listening.map(({ exitCode }) => exitCode)).toEqual([null, null]);
  } finally {
    for (const child of listening)
      if (child.exitCode === null) {
        child.kill();
        await once(child, 'exit');
      }
  }
});

const UPGRADE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';

/** What runs on this machine, each with its process id before it. */
function commandLines(): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      if (!/^\d+$/.test(pid)) return [];
      return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`];
    } catch {
      return []; // It has ended meanwhile.
    }
  });
}

type Wish = Partial<Launch>;

function launch(more: Wish = {}): Launch {
  const argv = [process.execPath, 'quiet.js'];
  return { name: 'x', argv, cwd: join(folder, 'work'), env: {}, roots: [], ...more };
}

function answer(number: number): Promise<RelayEvent> {
  return page.until(() =>
    page.told.find((event) => 'request' in event && event.request === number),
  );
}

async function refusal(more: Wish): Promise<string> {
  page.command({ type: 'start', request: ++request, launch: launch(more) });
  const event = await answer(request);
  return event.type === 'problem' ? event.problem.code : event.type;
}

async function host(connection: ConnectionId, call: HostCall) {
  page.command({ type: 'host', request: ++request, connection, call });
  const event = await answer(request);
  return event.type === 'host' ? event.result : undefined;
}

async function bundled(): Promise<readonly string[]> {
  page.command({ type: 'presets', request: ++request });
  const event = await answer(request);
  return event.type === 'presets' ? (event.presets[0]?.argv ?? []) : [];
}

const makes = (name: string) =>
  ['-e', `require('fs').writeFileSync(${JSON.stringify(join(folder, name))}, '')`] as const;

test('attack row 1 (P-01, P-09): the command named at the start gives the page no folder and no shell', async () => {
  expect(await refusal({ roots: ['/'] })).toBe('no_terminal');
  expect(await refusal({ terminals: true })).toBe('no_terminal');
  const connection = await page.start(launch());
  const created = await host(connection, {
    op: 'terminal/create',
    ...{ command: process.execPath, args: makes('made'), env: {} },
  });
  expect(created).toMatchObject({ ok: false, error: { code: -32601 } });
  const path = join(folder, 'work', 'quiet.js');
  expect(await host(connection, { op: 'fs/read_text_file', path })).toMatchObject({ ok: false });
  const write = { op: 'fs/write_text_file', path, content: '' } as const;
  expect(await host(connection, write)).toMatchObject({ ok: false });
  expect(existsSync(join(folder, 'made'))).toBe(false);
});

test('attack row 2 (P-01): the bundled agent starts no program and reaches no address that a page names', async () => {
  const connection = await page.start(launch({ argv: [...(await bundled()), '--pace', '0'] }));
  page.follow(connection);
  interface Said {
    readonly id?: number;
    readonly result?: { readonly sessionId?: string };
    readonly params?: { readonly update?: { readonly content?: { readonly text?: string } } };
  }
  const frames = () =>
    (page.events.get(connection) ?? []).flatMap((event) =>
      event.type === 'frame' && event.from === 'agent'
        ? [JSON.parse(lineText(event.line)) as Said]
        : [],
    );
  let id = 0;
  const ask = async (method: string, params: object) => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params });
    page.command({ type: 'send', connection, line: { text }, origin: 'composer' });
    return page.until(() => frames().find((frame) => frame.id === id));
  };
  await ask('initialize', { protocolVersion: 1, clientCapabilities: {} });
  const cwd = join(folder, 'work');
  const [command, env] = [process.execPath, [] as string[]];
  const server = (name: string) => ({ name, command, args: makes(name), env });
  const web = { type: 'http', name: 'web', url: 'http://127.0.0.1:1/', headers: [] };
  // It looks like the resume lab's own server, and notes elsewhere.
  const [, script = ''] = await bundled();
  const note = join(folder, '1-note.txt');
  const args = [script, 'canary-mcp', '--note', note, '--tool', 'canary_abc123'];
  const canary = { name: 'canary', command, args, env };
  const servers = (name: string) => ({ cwd, mcpServers: [server(name), web, canary] });
  const made = await ask('session/new', servers('new'));
  const sessionId = made.result?.sessionId ?? '';
  const fork = await ask('session/fork', { sessionId, ...servers('fork') });
  for (const method of ['load', 'resume'])
    await ask(`session/${method}`, { sessionId, ...servers(method) });
  for (const session of [sessionId, fork.result?.sessionId])
    await ask('session/prompt', { sessionId: session, prompt: [{ type: 'text', text: 'mcp' }] });
  const said = frames()
    .map(({ params }) => params?.update?.content?.text ?? '')
    .join('');
  for (const name of ['fork', 'resume', 'web', 'canary'])
    expect(said).toContain(`“${name}” cannot be used: this agent was started without --mcp`);
  for (const name of ['new', 'fork', 'load', 'resume', '1-note.txt'])
    expect(existsSync(join(folder, name))).toBe(false);
});

test('attack row 3 (P-01): the page chooses no library, home, store or folder by itself', async () => {
  const argv = await bundled();
  const seed = [...argv, '--seed', '7', '--misbehave', 'never-answers', '--protocol', '2'];
  expect(await refusal({ argv: seed, cwd: join(folder, 'other') })).toBe('started');
  for (const more of [
    { argv, env: { OPENSSL_CONF: join(folder, 'x') } },
    { argv, env: { HOME: folder } },
    { argv, env: { XDG_STATE_HOME: folder } },
    { argv, env: { ACP_SCOPE_STATE: folder } },
    { argv: [...argv, '--store', folder] },
    { argv: [...argv, `--store=${folder}`] },
    { argv: [...argv, '--mcp'] },
    { argv: [...argv, '--misbehave', 'unheard-of'] },
    { argv: [...argv, '--pace'] },
    { argv, roots: [folder] },
    { argv, terminals: true as const },
    { cwd: join(folder, 'other') },
    { env: { HOME: folder } },
  ])
    expect([more, await refusal(more)]).toEqual([more, 'no_terminal']);
});

test('attack row 3 (P-01): known agents are asked about like any other', async () => {
  expect(await refusal({ argv: ['opencode', 'acp'] })).toBe('no_terminal');
});
