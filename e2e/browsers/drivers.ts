// Other browsers, driven as their makers meant it: Firefox by WebDriver BiDi, which it speaks itself;
// WebKitGTK by WebDriver, through WebKitWebDriver, on a screen of its own.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { freshFolder, removeFolder } from '../relay.ts';

/** Sources of actions, as both protocols spell them. */
export type Actions = readonly {
  readonly type: 'pointer' | 'key';
  readonly id: string;
  readonly actions: readonly object[];
}[];

export interface Driver {
  readonly goto: (url: string) => Promise<void>;
  /** What the expression is in the page, which must be JSON. */
  readonly evaluate: (expression: string) => Promise<unknown>;
  readonly act: (actions: Actions) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface Browser {
  readonly name: string;
  /** What is not installed, and how it is; undefined: nothing is missing. */
  readonly missing: string | undefined;
  readonly start: () => Promise<Driver>;
}

const DIRECTORIES = (process.env['PATH'] ?? '').split(':');
const inPath = (name: string): string | undefined =>
  DIRECTORIES.map((directory) => join(directory, name)).find(existsSync);
const first = (...names: readonly string[]) => names.map(inPath).find(Boolean);

const FIREFOX = first('firefox-esr', 'firefox');
const WEBKIT = first('WebKitWebDriver');
const XVFB = first('Xvfb');
const MINI_BROWSER = ['x86_64-linux-gnu', 'aarch64-linux-gnu', ''].flatMap((folder) =>
  ['webkit2gtk-4.1', 'webkitgtk-6.0'].map((name) => join('/usr/lib', folder, name, 'MiniBrowser')),
);

export const BROWSERS: readonly Browser[] = [
  {
    name: 'Firefox',
    missing: FIREFOX ? undefined : 'Firefox is not installed: apt-get install firefox-esr',
    start: firefox,
  },
  {
    name: 'WebKitGTK',
    missing:
      WEBKIT && XVFB
        ? undefined
        : 'WebKitGTK is not installed: apt-get install webkit2gtk-driver xvfb',
    start: webkit,
  },
];

async function firefox(): Promise<Driver> {
  const profile = freshFolder();
  const child = spawn(FIREFOX ?? '', [
    ...['--headless', '--no-remote', '--profile', profile],
    ...['--window-size', '1440,900', '--remote-debugging-port', '0'],
  ]);
  const url = await saying(child, /WebDriver BiDi listening on (\S+)/);
  const socket = new WebSocket(`${url}/session`);
  await once(socket, 'open');
  const waiting = new Map<number, (answer: BiDiAnswer) => void>();
  socket.on('message', (data: Buffer) => {
    const answer = JSON.parse(data.toString()) as BiDiAnswer;
    waiting.get(answer.id ?? -1)?.(answer);
  });
  let last = 0;
  const ask = async (method: string, params: object): Promise<BiDiResult> => {
    const id = ++last;
    const answer = await new Promise<BiDiAnswer>((resolve) => {
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
    if (answer.result === undefined) throw new Error(`${method}: ${answer.message ?? 'refused'}`);
    return answer.result;
  };
  await ask('session.new', { capabilities: {} });
  const { contexts = [] } = await ask('browsingContext.getTree', {});
  const context = contexts[0]?.context;
  await ask('browsingContext.setViewport', { context, viewport: { width: 1440, height: 900 } });
  return {
    async goto(to) {
      await ask('browsingContext.navigate', { context, url: to, wait: 'complete' });
    },
    async evaluate(expression) {
      const { result } = await ask('script.evaluate', {
        expression: `JSON.stringify(${expression})`,
        target: { context },
        awaitPromise: true,
      });
      return result?.value === undefined ? undefined : (JSON.parse(result.value) as unknown);
    },
    async act(actions) {
      await ask('input.performActions', { context, actions });
    },
    async close() {
      socket.close();
      await ended(child);
      removeFolder(profile);
    },
  };
}

interface BiDiResult {
  readonly contexts?: readonly { readonly context: string }[];
  readonly result?: { readonly value?: string };
}
interface BiDiAnswer {
  readonly id?: number;
  readonly result?: BiDiResult;
  readonly message?: string;
}

async function webkit(): Promise<Driver> {
  const screen = spawn(XVFB ?? '', ['-displayfd', '1', '-screen', '0', '1440x1000x24']);
  const display = await saying(screen, /^(\d+)\n/);
  const port = await freePort();
  const driver = spawn(WEBKIT ?? '', [`--port=${port}`], {
    env: { ...process.env, DISPLAY: `:${display}`, WEBKIT_DISABLE_DMABUF_RENDERER: '1' },
  });
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: body ? 'POST' : 'DELETE',
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = (await answer.json()) as { readonly value: unknown };
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(value)}`);
    return value;
  };
  await listening(port);
  const binary = MINI_BROWSER.find(existsSync);
  const options = { ...(binary && { binary }), args: ['--automation'] };
  const { sessionId } = (await ask('/session', {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } },
  })) as { readonly sessionId: string };
  const of = `/session/${sessionId}`;
  await ask(`${of}/window/rect`, { width: 1440, height: 960 });
  return {
    async goto(url) {
      await ask(`${of}/url`, { url });
    },
    evaluate: (expression) =>
      ask(`${of}/execute/sync`, { script: `return ${expression};`, args: [] }),
    async act(actions) {
      await ask(`${of}/actions`, { actions });
    },
    async close() {
      await ask(of).catch(() => undefined);
      await ended(driver);
      await ended(screen);
    },
  };
}

/** What a process says first that is like this. */
function saying(child: ChildProcess, words: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const hear = (data: Buffer): void => {
      said += data;
      const [, found] = words.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`It ended with ${code}: ${said}`)));
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill();
  await gone;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

/** WebKitWebDriver says nothing when it is ready. */
async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/status`).catch(() => undefined);
    if (answer) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('WebKitWebDriver does not listen');
}
