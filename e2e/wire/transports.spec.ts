// Agents reached by URL; what a transport did stands beside the frames of a trace, and in the detail of
// both.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { bundledAgent } from '../relay.ts';
import { expect, test } from '../scope.ts';

const frame = (seq: number, from: string, message: object, via: object) => ({
  ...{ type: 'frame', seq, at: seq, from, origin: 'script', via },
  line: { text: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }) },
});
const argv = ['http://127.0.0.1:9000/acp'];
const EVENTS = [
  {
    ...{ format: 'acptrace', version: 1, created: '2026-11-22T10:00:00.000Z', tool: 'test' },
    ...{ mode: 'drive', argv, cwd: '/', clock: 'monotonic' },
  },
  { type: 'start', seq: 1, at: 0, argv, cwd: '/', headers: ['Authorization'] },
  frame(2, 'client', { method: 'session/list', params: {} }, { stream: 'post' }),
  {
    ...{ type: 'transport', seq: 3, at: 4, stream: 'post', method: 'POST', of: 2 },
    ...{ step: 'answered', status: 400, ms: 3, body: 'who are you' },
    request: { authorization: '…', 'content-type': 'application/json' },
    response: { 'www-authenticate': 'Bearer …' },
    problem: 'It wants other credentials.',
  },
  frame(4, 'agent', { result: { sessions: [] } }, { stream: 'session', session: 's1', read: 3 }),
];

test('status, masked headers and body of a request, and by which stream a frame came', async ({
  scope,
}) => {
  const { page } = scope;
  const file = EVENTS.map((event) => `${JSON.stringify(event)}\n`).join('');
  await scope.import('http.acptrace.jsonl', Buffer.from(file));
  await scope.view('Trace');
  await page.getByText('POST 400 for #2').first().click();
  const detail = page.getByRole('region', { name: 'Frame detail' });
  await expect(detail.getByText('It wants other credentials.', { exact: true })).toBeVisible();
  await expect(detail.getByText('www-authenticate:')).toBeVisible();
  await expect(detail.getByText('who are you', { exact: true })).toBeVisible();
  await page.screenshot({ path: test.info().outputPath('wide.png') });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: test.info().outputPath('dark.png') });
  await scope.row(/client to agent, request, session\/list/).click();
  await expect(detail.getByTitle('crossed by POST')).toBeVisible();
  await page.getByText('0 sessions').first().click();
  await expect(
    detail.getByTitle('crossed by session stream of s1 · read 3 of the stream'),
  ).toBeVisible();
  await page.setViewportSize({ width: 390, height: 800 });
  await page.screenshot({ path: test.info().outputPath('narrow.png') });
});

interface Between {
  readonly url: string;
  /** As a network does that is gone. */
  drop(): void;
}

/** The bundled agent listens, and the page may reach it with one header, or through what drops its sockets. */
const remote = test.extend<{ readonly url: string; readonly between: Between }>({
  url: async ({ folder }, use) => {
    const [node = '', ...args] = bundledAgent('--listen', '0');
    const child = spawn(node, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    const url = await new Promise<string>((resolve, reject) => {
      let said = '';
      child.stderr.on('data', (data: Buffer) => {
        said += data;
        const [at] = /http:\S+/.exec(said) ?? [];
        if (at !== undefined) resolve(at);
      });
      child.once('exit', () => reject(new Error(`It does not listen: ${said}`)));
    });
    await use(url);
    child.kill();
  },
  between: async ({ url }, use) => {
    const open = new Set<Socket>();
    const server = createServer((socket) => {
      const further = connect(Number(new URL(url).port), '127.0.0.1');
      for (const one of [socket, further]) open.add(one.on('error', () => undefined));
      socket.pipe(further).pipe(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const drop = () => open.forEach((socket) => socket.resetAndDestroy());
    await use({ url: `ws://127.0.0.1:${port}/acp`, drop });
    drop();
    server.close();
  },
  relayOptions: async ({ url, between }, use) => {
    await use({ allow: [{ argv: [url], headers: { 'X-Mode': 'test' } }, [between.url]] });
  },
});

remote(
  'a WebSocket that is cut in a turn: the page says so, keeps what came, and restores the session',
  async ({ scope, between }) => {
    await scope.tryCommand([between.url], { permissions: 'ask me' });
    await expect(scope.row(/answer, initialize/)).toBeVisible();
    await scope.newSession();
    await scope.prompt('quick');
    await scope.turnEnds();
    await scope.prompt('Please edit a file');
    await expect(scope.page.getByText('The agent asks: Edit src/parse-date.ts?')).toBeVisible();
    between.drop();
    await scope.showConnection();
    await expect(scope.connection).toContainText('The connection to the agent broke');
    await scope.view('Trace');
    await expect(scope.row(/agent to client, request, session\/request_permission/)).toBeVisible();
    await scope.rail.getByRole('treeitem', { name: /^S1 / }).click();
    await scope.button('Start again and send', scope.session).click();
    const restores = scope.session.getByRole('treeitem');
    await expect(restores.last()).toHaveText(/c2#\d+\s*start\s*v2.*(identical|equivalent)/);
  },
);

remote(
  'P-13: an agent by URL is asked about, reached with its header, ended, and restored on a new connection',
  async ({ scope, url }) => {
    const { page } = scope;
    const command = page.getByRole('textbox', { name: 'Command' });
    await scope.tryCommand([url]);
    await expect(page.getByRole('alert')).toContainText('the relay has no terminal to ask in');
    await page.getByRole('textbox', { name: 'Headers' }).fill('X-Mode: test');
    // What is half typed is there again after a look elsewhere.
    await scope.view('Session');
    await scope.connectView();
    await expect(command).toHaveValue(url);
    await expect(page.getByRole('textbox', { name: 'Headers' })).toHaveValue('X-Mode:••••••••');
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1280, 390]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        await command.scrollIntoViewIfNeeded();
        const path = test.info().outputPath(`form-${colorScheme}-${width}.png`);
        await page.screenshot({ path });
      }
    await page.setViewportSize({ width: 1440, height: 900 });
    await command.press('Enter');
    await expect(scope.row(/answer, initialize/)).toBeVisible();
    await expect(page.getByText('POST 200 for #2').first()).toBeVisible();
    await scope.newSession();
    await scope.prompt('quick');
    await scope.turnEnds();
    await scope.showConnection();
    await expect(scope.connection.getByText('X-Mode')).toBeVisible();
    await scope.stopAgent('Close the connection');
    await expect(scope.button('Start again', scope.connection)).toBeVisible();
    await scope.rail.getByRole('treeitem', { name: /^S1 / }).click();
    await scope.button('Start again and send', scope.session).click();
    const restores = scope.session.getByRole('treeitem');
    await expect(restores.last()).toHaveText(/c2#\d+\s*start\s*v2.*(identical|equivalent)/);
  },
);
