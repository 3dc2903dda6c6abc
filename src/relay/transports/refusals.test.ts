// Servers that are no agents, or hang: each ends in a sentence that names cause and fix, and what its
// server said is in the record.
import { createServer, type RequestListener } from 'node:http';
import { createServer as rawServer, type Server, type Socket } from 'node:net';
import { setTimeout as real } from 'node:timers/promises';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { encodeUtf8 } from '../../lib/utf8.ts';
import { agentIn, factsOf, framesOf, listen, reach } from '../../test/programs/remote.ts';
import { until } from '../../test/programs/until.ts';
import { lineText } from '../../trace/line.ts';

const HELLO = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}';
const WELCOME = '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}';
const NEW = '{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/"}}';

const UPGRADES: readonly (readonly [number, Record<string, string>, RegExp])[] = [
  [401, {}, /401: it wants other credentials\. Give them in a header.* It says: “no”/],
  [404, {}, /404: there is no ACP at this path/],
  [
    302,
    { location: 'http://other.example/?token=abc' },
    /points to http:\/\/other\.example\/\?token=…\. Redirects are not followed/,
  ],
  [302, {}, /answered 302, a redirect, and names no place/],
  [200, {}, /answered 200 instead of a WebSocket/],
];

test.each(UPGRADES)(
  'an upgrade answered with %i is a sentence, and its status, headers and words are recorded',
  async (status, headers, words) => {
    const seen: string[] = [];
    const server = createServer((request, answer) => {
      seen.push(request.url ?? '');
      answer.writeHead(status, { ...headers, 'set-cookie': 'a=secret' }).end('no');
    });
    const url = `ws://127.0.0.1:${await listen(server)}/acp`;
    const { reached, events, text } = await reach(url, ['Authorization: secret']);
    expect((await agentIn(reached).ended).problem).toMatch(words);
    expect(seen).toEqual(['/acp']);
    expect(events().map(({ type }) => type)).toEqual(['start', 'transport', 'exit']);
    expect(factsOf(events())[0]).toMatchObject({
      ...{ step: 'answered', stream: 'socket', method: 'GET', status, body: 'no' },
      ...{ request: { authorization: '…' }, response: { 'set-cookie': 'a=…' } },
      problem: expect.stringMatching(words) as string,
    });
    expect(text()).not.toMatch(/secret|token=abc/);
  },
);

/** A server that is none of HTTP. */
async function raw(onSocket: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = rawServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as { port: number }).port;
}

test.each(['ws', 'http'])('what speaks no HTTP is told as that over %s', async (way) => {
  const port = await raw((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
  const { reached } = await reach(`${way}://127.0.0.1:${port}/`);
  const problem = reached.ok ? await greeted(reached) : reached.problem.message;
  expect(problem).toMatch(/does not speak HTTP \(HPE_INVALID_CONSTANT\)\. Check the port\./);
});

async function greeted(reached: Awaited<ReturnType<typeof reach>>['reached']) {
  const agent = agentIn(reached);
  agent.send(encodeUtf8(HELLO), 'script');
  return (await agent.ended).problem;
}

const json = { 'content-type': 'application/json' };
const NO_AGENTS: readonly (readonly [string, RequestListener, RegExp])[] = [
  [
    'a web page',
    (_, answer) => answer.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hi'),
    /answered text\/html instead of a message\. It may be no ACP server.*“<p>Hi”/,
  ],
  [
    'plain JSON-RPC',
    (_, answer) => answer.writeHead(200, json).end(WELCOME),
    /without the header Acp-Connection-Id.* It may be no ACP server/,
  ],
  [
    'a server of MCP',
    (_, answer) =>
      answer
        .writeHead(200, { 'content-type': 'text/event-stream', 'mcp-session-id': 'm' })
        .write(`data: ${WELCOME}\n\n`),
    /answered text\/event-stream instead of .*Mcp-Session-Id: that is a server of tools \(MCP\), and no agent/,
  ],
  [
    'an answer that breaks off',
    (_, answer) => {
      answer.writeHead(200, { ...json, 'content-length': '99' }).write('{"json');
      setImmediate(() => answer.destroy());
    },
    /broke off in the middle of its answer\. It says: “\{"json”/,
  ],
];

test.each(NO_AGENTS)('%s in the place of an agent is a sentence at once', async (_, ask, words) => {
  const { reached } = await reach(`http://127.0.0.1:${await listen(createServer(ask))}/`);
  expect(await greeted(reached)).toMatch(words);
});

test('an error answer that comes along with a bad status is the answer, and no second problem', async () => {
  const refusal = '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"No"}}';
  const { url } = await hanging((_, answer) => answer.writeHead(400, json).end(refusal));
  const { reached, events, problems } = await reach(url);
  const agent = agentIn(reached);
  agent.send(encodeUtf8(HELLO), 'script');
  agent.send(encodeUtf8(NEW), 'script');
  await until(() =>
    expect(framesOf(events()).map(({ line }) => lineText(line))).toContain(refusal),
  );
  const [fact] = factsOf(events()).filter(({ status }) => status === 400);
  expect(fact).not.toHaveProperty('problem');
  expect(problems).toEqual([]);
  agent.cut();
});

/** An agent that greets, and does as the test says with what comes behind. `stream`: of its GETs. */
async function hanging(
  behind: (body: string, answer: Parameters<RequestListener>[1]) => unknown,
  stream: RequestListener = (_, answer) =>
    answer.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders(),
) {
  const asked: string[] = [];
  const server = createServer((request, answer) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      asked.push(`${request.method} ${/"method":"(.*?)"/.exec(body)?.[1] ?? ''}`.trim());
      if (request.method === 'GET') return stream(request, answer);
      if (request.method === 'DELETE') return answer.writeHead(202).end();
      if (body !== HELLO) return behind(body, answer);
      return answer.writeHead(200, { ...json, 'acp-connection-id': 'c' }).end(WELCOME);
    });
  });
  return { url: `http://127.0.0.1:${await listen(server)}/acp`, asked };
}

test('S-06: headers called as what every object has are recorded as they came, and too many are said to be that', async () => {
  const names = ['constructor', 'toString', '__proto__'];
  const odd = Object.fromEntries(names.map((name) => [name, 'x']));
  const few = await hanging((_, answer) => answer.writeHead(200, { ...json, ...odd }).end('{}'));
  const { reached, events } = await reach(few.url);
  const agent = agentIn(reached);
  agent.send(encodeUtf8(HELLO), 'script');
  agent.send(encodeUtf8(NEW), 'script');
  const fact = () =>
    factsOf(events()).findLast(({ method, status }) => method === 'POST' && status);
  await until(() => expect(fact()?.response).toMatchObject({ constructor: '…', tostring: '…' }));
  agent.cut();
  const many = createServer((_, answer) => answer.writeHead(200, { a: 'x'.repeat(70_000) }).end());
  const more = await reach(`http://127.0.0.1:${await listen(many)}/`);
  expect(await greeted(more.reached)).toMatch(
    /answered with more headers than are read \(\d+ KiB\)/,
  );
});

test('N5: children without end get streams up to a number, and then it is said, once', async () => {
  const warned: string[] = [];
  const warn = ({ message }: Error) => void warned.push(message);
  process.on('warning', warn);
  onTestFinished(() => void process.off('warning', warn));
  const child = (n: number) => ({
    ...{ jsonrpc: '2.0', method: 'session/update' },
    params: { sessionId: 's', update: { sessionUpdate: 'subagent_update', sessionId: `c${n}` } },
  });
  const { url, asked } = await hanging(
    (_, answer) => answer.writeHead(202).end(),
    (request, answer) => {
      answer.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      if (request.headers['acp-session-id'] === undefined)
        for (let n = 0; n < 300; n++) answer.write(`data: ${JSON.stringify(child(n))}\n\n`);
    },
  );
  const { reached, problems } = await reach(url);
  const agent = agentIn(reached);
  agent.send(encodeUtf8(HELLO), 'script');
  await until(() => expect(asked.filter((one) => one === 'GET')).toHaveLength(256));
  expect(problems).toEqual([expect.stringMatching(/^256 event streams are open/)]);
  expect(warned).toEqual([]);
  agent.cut();
});

describe('what hangs is given up after a time', () => {
  afterEach(() => void vi.useRealTimers());
  const onlyTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  const came = async (holds: () => boolean) => {
    for (let tries = 0; tries < 600 && !holds(); tries++) await real(10);
    expect(holds()).toBe(true);
  };

  test('initialize without a status', async () => {
    const asked: string[] = [];
    const server = createServer((request) => asked.push(request.method ?? ''));
    const { reached } = await reach(`http://127.0.0.1:${await listen(server)}/`);
    onlyTimers();
    const ended = greeted(reached);
    await came(() => asked.length === 1);
    await later(120_000);
    expect(await ended).toMatch(/gave no answer within 120 s, not even a status\. Its server may/);
  });

  test('an answer that is begun and not ended: the request is over, and the connection stays', async () => {
    const { url, asked } = await hanging((_, answer) => answer.writeHead(200, json).write('{'));
    const { reached, problems } = await reach(url);
    const agent = agentIn(reached);
    onlyTimers();
    agent.send(encodeUtf8(HELLO), 'script');
    agent.send(encodeUtf8(NEW), 'script');
    await came(() => asked.includes('POST session/new'));
    for (let tries = 0; tries < 20 && problems.length === 0; tries++) await later(30_000);
    expect(problems).toEqual([
      expect.stringMatching(/did not end its answer within 30 s\. It says/),
    ]);
    expect(agent.send(encodeUtf8(NEW), 'script')).toBeUndefined();
    agent.cut();
  });

  test('an event stream without a head: lines go out meanwhile, and it is not tried for ever', async () => {
    const { url, asked } = await hanging(
      (_, answer) => answer.writeHead(202).end(),
      () => undefined,
    );
    const { reached } = await reach(url);
    const agent = agentIn(reached);
    onlyTimers();
    agent.send(encodeUtf8(HELLO), 'script');
    agent.send(encodeUtf8(NEW), 'script');
    await came(() => asked.includes('GET'));
    expect(asked).not.toContain('POST session/new');
    await later(5000);
    await came(() => asked.includes('POST session/new'));
    const gets = () => asked.filter((one) => one === 'GET').length;
    for (let tries = 1; tries <= 5; tries++) {
      await came(() => gets() === tries);
      await later(30_000);
    }
    expect((await agent.ended).problem).toMatch(/gave no answer within 30 s/);
    expect(gets()).toBe(5);
  });
});
