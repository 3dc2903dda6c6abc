// Starts of the relay as a person makes them: processes, several at one port.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { groupLives } from '../relay/agents/kill-tree.ts';
import { buildBin } from '../test/programs/built-bin.ts';
import { TestPage, texts } from '../test/programs/relay-fixture.ts';
import { until } from '../test/programs/until.ts';

let bin: string;
beforeAll(async () => {
  bin = await buildBin();
});

/** Something else that listens, and its port. */
async function taken() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

/** Each SIGUSR2 is answered by the bytes in use, on stderr. */
const GARBAGE = [
  ...['--expose-gc', '--import'],
  "data:text/javascript,process.on('SIGUSR2',()=>{gc();console.error('in use: '+process.memoryUsage().heapUsed)})",
];

interface Started {
  readonly child: ChildProcess;
  /** All it has said. */
  readonly said: () => string;
  readonly state: string;
}

/** `more` are words of the command, `node` of what runs it. */
function starts(
  port: number,
  count: number,
  more: readonly string[] = [],
  node: readonly string[] = [],
): readonly Started[] {
  const folder = mkdtempSync(join(tmpdir(), 'acp-scope-serve-'));
  const state = join(folder, 'state');
  const env = { ...process.env, ACP_SCOPE_STATE: state };
  const started = Array.from({ length: count }, () => {
    const words = [...node, bin, '--no-open', '--port', String(port), ...more];
    const child = spawn(process.execPath, words, { env });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => (said += data.toString()));
    return { child, said: () => said, state };
  });
  onTestFinished(async () => {
    await Promise.all(
      started.map(async ({ child }) => {
        const isOver = child.exitCode !== null || child.signalCode !== null;
        child.kill('SIGKILL');
        if (!isOver) await once(child, 'exit');
      }),
    );
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  return started;
}

test('R-48: of twenty starts at once one has the port, and all others hand over to it', async () => {
  const { server, port } = await taken();
  server.close();
  await once(server, 'close');
  const started = starts(port, 20);
  await until(() => {
    for (const { said } of started) expect(said()).toMatch(/ Open http/);
  });
  const serving = started.filter(({ said }) => !said().includes('runs already'));
  const [{ child } = { child: undefined }] = serving;
  expect(serving).toHaveLength(1);
  for (const other of started.filter(({ child: one }) => one !== child)) {
    if (other.child.exitCode === null) await once(other.child, 'exit');
    expect(other.child.exitCode).toBe(0);
    expect(other.said()).toContain(`runs already (pid ${child?.pid})`);
  }
});

test('R-48: a port that another program has is status 3, and a sentence with the way out', async () => {
  const { server, port } = await taken();
  const [{ child, said } = { child: undefined, said: () => '' }] = starts(port, 1);
  if (child) await once(child, 'exit');
  server.close();
  expect(child?.exitCode).toBe(3);
  expect(said()).toContain(`Port ${port} is in use by another program. End it, or choose another`);
});

test.skipIf(process.platform === 'win32')(
  'R-48: of a relay that was stopped, a start says which process it is, and what to do',
  async () => {
    const [first] = starts(0, 1);
    if (!first) throw new Error('not started');
    await until(() => expect(first.said()).toMatch(/ Open http/));
    const [, port] = /127\.0\.0\.1:(\d+)/.exec(first.said()) ?? [];
    first.child.kill('SIGSTOP');
    const env = { ...process.env, ACP_SCOPE_STATE: first.state };
    for (const words of [['--no-open'], ['open']]) {
      const again = spawn(process.execPath, [bin, ...words, '--port', port ?? ''], { env });
      let said = '';
      again.stderr.on('data', (data: Buffer) => (said += data.toString()));
      const [status] = (await once(again, 'close')) as [number];
      expect(said).toMatch(
        `The relay on port ${port} (pid ${first.child.pid}) does not answer: it was stopped`,
      );
      expect(status).toBe(3);
    }
  },
);

/** An agent that heeds neither the end of its input nor SIGTERM, so that its end takes three seconds. */
const STUBBORN = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1e6); console.log(process.pid)`;

/** A relay, and a page that is there. */
async function entered(node: readonly string[] = []) {
  const [started] = starts(0, 1, ['--trust-page'], node);
  if (!started) throw new Error('not started');
  const { child, said, state } = started;
  await until(() => expect(said()).toMatch(/ Open http/));
  const [, port, code] = /127\.0\.0\.1:(\d+)\/#k=(\S+)/.exec(said()) ?? [];
  const page = new TestPage(Number(port));
  onTestFinished(() => page.client.close());
  page.client.enter(code, undefined);
  await page.told1('welcome');
  return { child, page, said, note: join(state, `relay-${port}.json`) };
}

const launchOf = (argv: readonly string[]) => ({
  ...{ name: 'agent', argv, cwd: tmpdir(), env: {}, roots: [] },
});

/** The same with such an agent. */
async function serving() {
  const { child, page, note } = await entered();
  const connection = await page.start(launchOf([process.execPath, '-e', STUBBORN]));
  page.follow(connection);
  const group = Number(await page.until(() => texts(page.events.get(connection) ?? [])[0]));
  const gone = once(child, 'exit');
  /** It has begun to end. */
  const closing = () => until(() => expect(existsSync(note)).toBe(false));
  return { child, page, closing, group, gone };
}

// Windows has no signals.
describe.skipIf(process.platform === 'win32')('R-45: a relay in a terminal', () => {
  test('ends its agents at Ctrl-C, and at the second one itself at once, and its agents soon after', async () => {
    const { child, closing, group, gone } = await serving();
    child.kill('SIGINT');
    await closing();
    child.kill('SIGINT');
    expect(await gone).toEqual([1, null]);
    // It did not wait for the three seconds that such an agent is given.
    expect(groupLives(group)).toBe(true);
    await until(() => expect(groupLives(group)).toBe(false));
  });

  test('that is closed, which sends SIGHUP twice and takes its output away, ends its agents and tells its pages first', async () => {
    const { child, page, closing, group, gone } = await serving();
    for (const stream of [child.stdout, child.stderr]) stream?.destroy();
    child.kill('SIGHUP');
    await closing();
    child.kill('SIGHUP');
    expect(await gone).toEqual([0, null]);
    expect(groupLives(group)).toBe(false);
    await until(() => expect(page.status?.status).toBe('lost'));
  });
});

/** A thousand take a busy machine minutes: `ACP_SCOPE_AGENTS=1000 npm run unit -- src/cli/serve`. */
const AGENTS = Number(process.env['ACP_SCOPE_AGENTS'] ?? 200);

test.runIf(process.platform === 'linux')(
  'R-51: two hundred agents that came and went leave no file, no socket and no memory',
  async () => {
    const { child, page, said } = await entered(GARBAGE);
    const cycles = async (count: number) => {
      for (let i = 0; i < count; i++) {
        const connection = await page.start(launchOf(['true']));
        page.follow(connection);
        await page.ended(connection);
      }
    };
    const files = () => readdirSync(`/proc/${child.pid}/fd`).length;
    let asked = 0;
    const kilobytes = async () => {
      asked++;
      child.kill('SIGUSR2');
      const told = () => [...said().matchAll(/in use: (\d+)/g)].map(([, bytes]) => Number(bytes));
      await until(() => expect(told()).toHaveLength(asked));
      return (told().at(-1) ?? NaN) / 1000;
    };
    await cycles(30);
    const [open, memory] = [files(), await kilobytes()];
    await cycles(AGENTS);
    await until(() => expect(Math.abs(files() - open)).toBeLessThanOrEqual(5));
    // A recording that nobody took yet keeps its place in the list. What the last few left is let go a little later.
    await until(async () => expect((await kilobytes()) - memory).toBeLessThan(AGENTS * 4));
  },
  // So many starts take a machine that has much else to do minutes.
  600_000,
);
