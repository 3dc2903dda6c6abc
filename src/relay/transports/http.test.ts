import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { encodeUtf8 } from '../../lib/utf8.ts';
import { agentIn, factsOf, framesOf, listen, reach } from '../../test/programs/remote.ts';
import { lineText } from '../../trace/line.ts';
import type { Agent } from '../agents/agent.ts';

interface Asked {
  readonly method: string;
  readonly session: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Answering = (asked: Asked, answer: ServerResponse, nth: number) => void;

/** A server that answers as the test says; `nth`: of requests with this method and session, from 1. */
async function serve(answering: Answering) {
  const asked: Asked[] = [];
  const server = createServer((request, answer) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const session = request.headers['acp-session-id'] as string | undefined;
      const one = { method: request.method ?? '', session, headers: request.headers, body };
      asked.push(one);
      const same = asked.filter(
        (other) => other.method === one.method && other.session === session,
      );
      answering(one, answer, same.length);
    });
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}/acp`, asked };
}

const HELLO = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":2}}';
const WELCOME = '{"jsonrpc":"2.0", "id":0,"result":{"protocolVersion":2}}';
const NEW = '{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/"}}';
const ID = '0123456789abcdef';

function welcome(answer: ServerResponse, more: Record<string, string | string[]> = {}): void {
  answer.writeHead(200, { 'content-type': 'application/json', 'acp-connection-id': ID, ...more });
  answer.end(WELCOME);
}

function stream(answer: ServerResponse, ...texts: readonly string[]): ServerResponse {
  answer.writeHead(200, { 'content-type': 'text/event-stream' });
  answer.flushHeaders();
  for (const text of texts) answer.write(text);
  return answer;
}

const data = (value: unknown, id?: string) =>
  `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(value)}\n\n`;

/** The handshake, an open connection stream, and 202 for the rest, where the test says nothing else. */
const usual: Answering = ({ method, body }, answer) => {
  if (method === 'GET') return void stream(answer);
  if (method === 'POST' && body === HELLO) return welcome(answer);
  answer.writeHead(202).end();
};

const say = (agent: Agent, line: string) => agent.send(encodeUtf8(line), 'script');

async function until(holds: () => boolean): Promise<void> {
  for (let waited = 0; !holds(); waited += 10) {
    if (waited > 8000) throw new Error('It did not come to be.');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test('the connection is opened by initialize, its stream before the next line, and ended by DELETE', async () => {
  const { url, asked } = await serve(usual);
  const { reached, events } = await reach(url);
  const agent = agentIn(reached);
  say(agent, HELLO);
  say(agent, NEW);
  say(agent, '{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s1"}}');
  say(agent, 'no json');
  agent.end();
  expect(await agent.ended).toEqual({});
  const order = asked.map(({ method, session, body }) => [method, session, body.slice(0, 40)]);
  expect(order.map(([method, session]) => [method, session])).toEqual([
    ['POST', undefined],
    ['GET', undefined],
    ['POST', undefined],
    ['GET', 's1'],
    ['POST', 's1'],
    ['POST', undefined],
    ['DELETE', undefined],
  ]);
  expect(asked[0]?.headers['acp-connection-id']).toBeUndefined();
  expect(asked.slice(1).every(({ headers }) => headers['acp-connection-id'] === ID)).toBe(true);
  expect(asked.map(({ body }) => body)).toContain('no json');
  const [hello] = framesOf(events());
  const first = framesOf(events()).find(({ from }) => from === 'agent');
  expect(hello).toMatchObject({ from: 'client', via: { stream: 'post' }, line: { text: HELLO } });
  expect(first).toMatchObject({ from: 'agent', via: { stream: 'post' }, line: { text: WELCOME } });
  expect(factsOf(events())[0]).toMatchObject({
    ...{ step: 'answered', method: 'POST', of: hello?.seq, status: 200 },
    request: { 'content-type': 'application/json' },
    response: { 'acp-connection-id': '01234567…' },
  });
});

test('R-10: an array in the body of an answer is a frame, answers its requests, and opens the streams of its sessions', async () => {
  const { url, asked } = await serve((one, answer, nth) => {
    if (one.method !== 'POST' || one.body !== NEW) return usual(one, answer, nth);
    answer.writeHead(200, { 'content-type': 'application/json' });
    answer.end('[{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s1"}}]');
  });
  const { reached, events } = await reach(url);
  const agent = agentIn(reached);
  say(agent, HELLO);
  say(agent, NEW);
  await until(() => asked.some(({ method, session }) => method === 'GET' && session === 's1'));
  agent.end();
  await agent.ended;
  const frames = framesOf(events()).filter(({ from }) => from === 'agent');
  expect(frames.map(({ line }) => lineText(line)).at(-1)).toMatch(/^\[.*s1/);
  expect(factsOf(events()).some(({ problem, body }) => problem ?? body)).toBe(false);
});

test('each session that is made, asked for or announced as a child has a stream of its own', async () => {
  const child = { sessionUpdate: 'subagent_update', sessionId: 'c1', state: { state: 'running' } };
  const { url, asked } = await serve((one, answer, nth) => {
    if (one.method !== 'GET') return usual(one, answer, nth);
    if (one.session === undefined)
      return void stream(answer, data({ jsonrpc: '2.0', id: 1, result: { sessionId: 's1' } }));
    if (one.session === 's1')
      return void stream(
        answer,
        data({
          jsonrpc: '2.0',
          method: 'session/update',
          params: { sessionId: 's1', update: child },
        }),
        data({ jsonrpc: '2.0', id: 7, method: 'session/request_permission', params: {} }),
      );
    stream(answer, data({ jsonrpc: '2.0', method: '_x', params: { sessionId: 'c1' } }));
  });
  const { reached, events, hearing } = await reach(url);
  const agent = agentIn(reached);
  // The answer to what the agent asks goes under the session on whose stream it asked, also at once.
  hearing.onLine = (line) => {
    if (line.includes('"id":7')) say(agent, '{"jsonrpc":"2.0","id":7,"result":{}}');
  };
  say(agent, HELLO);
  const agentFrames = () => framesOf(events()).filter(({ from }) => from === 'agent');
  await until(() => agentFrames().length === 5);
  expect(agentFrames().map(({ via }) => via)).toEqual([
    { stream: 'post' },
    { stream: 'connection', read: 1 },
    { stream: 'session', session: 's1', read: 1 },
    { stream: 'session', session: 's1', read: expect.any(Number) as number },
    { stream: 'session', session: 'c1', read: 1 },
  ]);
  await until(() => asked.some(({ body }) => body.includes('"id":7')));
  expect(asked.find(({ body }) => body.includes('"id":7'))?.session).toBe('s1');
  await agent.kill();
});

test('a stream that breaks is opened again behind its last event, and what comes twice is told once', async () => {
  const { url, asked } = await serve((one, answer, nth) => {
    if (one.method !== 'GET') return usual(one, answer, nth);
    if (nth === 1) {
      stream(
        answer,
        'retry: 1\n\n',
        data({ a: 1 }, 'e1'),
        data({ a: 2 }, 'e2'),
        'id: e3\ndata: {"cut',
      );
      return void setTimeout(() => answer.destroy(), 50);
    }
    stream(answer, data({ a: 2 }, 'e2'), data({ a: 'other' }, 'e1'), data({ a: 3 }, 'e3'));
  });
  const { reached, events } = await reach(url);
  const agent = agentIn(reached);
  say(agent, HELLO);
  const said = () => framesOf(events()).filter(({ via }) => via?.stream === 'connection');
  await until(() => said().length === 5);
  expect(said().map(({ line, cut, via }) => [lineText(line), cut, via?.id])).toEqual([
    ['{"a":1}', undefined, 'e1'],
    ['{"a":2}', undefined, 'e2'],
    ['{"cut', true, 'e3'],
    ['{"a":"other"}', undefined, 'e1'],
    ['{"a":3}', undefined, 'e3'],
  ]);
  const gets = asked.filter(({ method }) => method === 'GET');
  expect(gets.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'e2']);
  const facts = factsOf(events());
  expect(facts).toContainEqual(expect.objectContaining({ step: 'repeated', id: 'e2' }));
  expect(facts.find(({ step }) => step === 'failed')?.problem).toMatch(
    /opened again behind event e2/,
  );
  await agent.kill();
});

test('a stream without ids that ends is opened again, and says what may be lost', async () => {
  const { url } = await serve((one, answer, nth) => {
    if (one.method !== 'GET') return usual(one, answer, nth);
    if (nth === 1) return void stream(answer, 'retry: 1\n', data({ a: 1 })).end();
    stream(answer, data({ a: 1 }));
  });
  const { reached, events } = await reach(url);
  const agent = agentIn(reached);
  say(agent, HELLO);
  const said = () => framesOf(events()).filter(({ via }) => via?.stream === 'connection');
  await until(() => said().length === 2);
  expect(factsOf(events()).find(({ step }) => step === 'closed')?.problem).toMatch(/no ids/);
  await agent.kill();
});

test('a stream that never says a whole event is given up, and the connection ends with a sentence', async () => {
  const { url, asked } = await serve((one, answer, nth) => {
    if (one.method !== 'GET') return usual(one, answer, nth);
    stream(answer, 'retry: 1\n\n', 'id: e1\ndata: {"cut');
    setTimeout(() => answer.destroy(), 20);
  });
  const { reached, events } = await reach(url);
  const agent = agentIn(reached);
  say(agent, HELLO);
  expect((await agent.ended).problem).toMatch(/ended 5 times before an event was whole/);
  const gets = asked.filter(({ method }) => method === 'GET');
  expect(gets.map(({ headers }) => headers['last-event-id'])).toEqual(Array(5).fill(undefined));
  expect(framesOf(events()).filter(({ cut }) => cut)).toHaveLength(5);
});

test('cookies of the server go back to it, and stand masked in the trace', async () => {
  const { url, asked } = await serve((one, answer, nth) => {
    if (one.body !== HELLO) return usual(one, answer, nth);
    welcome(answer, {
      'set-cookie': ['node=geheim-7; Path=/; HttpOnly', 'b=2'],
      'x-token': 'geheim',
    });
  });
  const { reached, text, events } = await reach(url, ['Authorization: Bearer geheim']);
  const agent = agentIn(reached);
  say(agent, HELLO);
  say(agent, NEW);
  agent.end();
  await agent.ended;
  expect(asked[0]?.headers).toMatchObject({ authorization: 'Bearer geheim' });
  expect(asked[0]?.headers.cookie).toBeUndefined();
  expect(asked.slice(1).map(({ headers }) => headers.cookie)).toEqual(
    asked.slice(1).map(() => 'node=geheim-7; b=2'),
  );
  expect(text()).not.toMatch(/geheim|0123456789abcdef/);
  expect(factsOf(events())[0]).toMatchObject({
    request: { authorization: '…' },
    response: { 'set-cookie': 'node=…, b=…', 'x-token': '…' },
  });
});

const FIRST_FAULTS: readonly (readonly [string, number, Record<string, string>, string, RegExp])[] =
  [
    [
      'wrong credentials',
      401,
      { 'www-authenticate': 'Bearer realm=x' },
      'who are you',
      /401: it wants other cred/,
    ],
    ['no ACP there', 404, {}, 'Not Found', /404: there is no ACP/],
    ['another type wanted', 415, {}, 'Unsupported', /415: it takes no application\/json/],
    [
      'a redirect',
      307,
      { location: 'http://127.0.0.1:1/?k=geheim' },
      '',
      /307 and points to http:\/\/127\.0\.0\.1:1\/\?k=…\. Redirects/,
    ],
    [
      'a page',
      200,
      { 'content-type': 'text/html', 'acp-connection-id': ID },
      '<h1>Hi</h1>',
      /text\/html instead of a message/,
    ],
    [
      'a page that names no connection',
      200,
      { 'content-type': 'text/html' },
      '<h1>Sign in</h1>',
      /text\/html instead of a message\. It may be no ACP server/,
    ],
    [
      'no connection id',
      200,
      { 'content-type': 'application/json' },
      WELCOME,
      /without the header Acp-Connection-Id/,
    ],
  ];

test.each(FIRST_FAULTS)(
  'initialize answered with %s: a sentence, and all of it recorded',
  async (_, status, headers, body, words) => {
    const { url, asked } = await serve((one, answer) => {
      if (one.method === 'DELETE') return void answer.writeHead(202).end();
      answer.writeHead(status, headers).end(body);
    });
    const { reached, text, events } = await reach(url, ['X-Secret: geheim']);
    const agent = agentIn(reached);
    say(agent, HELLO);
    expect((await agent.ended).problem).toMatch(words);
    expect(say(agent, NEW)).toMatchObject({ code: 'ended' });
    const [fact] = factsOf(events());
    expect(fact).toMatchObject({
      step: 'answered',
      status,
      problem: expect.stringMatching(words) as string,
    });
    const kept = [fact?.body ?? '', ...framesOf(events()).map(({ line }) => lineText(line))];
    expect(kept).toContain(body);
    expect(text()).not.toMatch(/geheim/);
    expect(events().at(-1)).toMatchObject({ type: 'exit' });
    expect(asked.filter(({ method }) => method !== 'DELETE')).toHaveLength(1);
  },
);

test('a refused request that is no end of the connection leaves it open, and its answer is kept', async () => {
  const refusal = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}';
  const { url } = await serve((one, answer, nth) => {
    if (one.body === NEW)
      return void answer.writeHead(400, { 'content-type': 'text/plain' }).end('Missing');
    if (one.body === '[]') return void answer.writeHead(400).end(refusal);
    usual(one, answer, nth);
  });
  const { reached, events, problems } = await reach(url);
  const agent = agentIn(reached);
  for (const line of [HELLO, NEW, '[]']) say(agent, line);
  agent.end();
  expect(await agent.ended).toEqual({});
  expect(problems.filter((sentence) => /answered 400/.test(sentence))).toHaveLength(2);
  const refused = factsOf(events()).filter(({ status }) => status === 400);
  expect(refused).toMatchObject([{ body: 'Missing' }, { problem: expect.any(String) as string }]);
  expect(framesOf(events()).map(({ line }) => lineText(line))).toContain(refusal);
});

test('a session stream that is refused leaves the connection and its other streams as they are', async () => {
  const { url } = await serve((one, answer, nth) => {
    if (one.method === 'GET' && one.session !== undefined)
      return void answer.writeHead(406, { 'content-type': 'text/plain' }).end('no');
    usual(one, answer, nth);
  });
  const { reached, events } = await reach(url);
  const agent = agentIn(reached);
  say(agent, HELLO);
  say(agent, '{"jsonrpc":"2.0","id":2,"method":"session/load","params":{"sessionId":"s1"}}');
  agent.end();
  expect(await agent.ended).toEqual({});
  expect(factsOf(events())).toContainEqual(
    expect.objectContaining({ stream: 'session', session: 's1', status: 406, body: 'no' }),
  );
});

test('a connection that its server forgot ends with a sentence', async () => {
  const { url } = await serve((one, answer, nth) => {
    if (one.method === 'GET' && nth === 1)
      return void stream(answer, 'retry: 1\n\n', data({})).end();
    if (one.method === 'GET') return void answer.writeHead(404).end();
    usual(one, answer, nth);
  });
  const { reached } = await reach(url);
  const agent = agentIn(reached);
  say(agent, HELLO);
  expect((await agent.ended).problem).toMatch(/404: .* not known there any more/);
});

test('where nothing listens, the first line ends the connection with a sentence', async () => {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  const { reached, events } = await reach(`http://127.0.0.1:${port}/`);
  const agent = agentIn(reached);
  say(agent, HELLO);
  expect((await agent.ended).problem).toMatch(/Nothing listens at http:/);
  expect(framesOf(events())).toHaveLength(1);
  expect(factsOf(events())).toMatchObject([{ step: 'failed', of: 2 }]);
});

test('a line that was recorded and never answered is told of when the connection ends', async () => {
  const { url } = await serve((one, answer, nth) => {
    if (one.body === NEW) return void answer.writeHead(401).end();
    usual(one, answer, nth);
  });
  const { reached, events } = await reach(url);
  const agent = agentIn(reached);
  for (const line of [HELLO, NEW, '{"behind":1}']) say(agent, line);
  await agent.ended;
  const behind = framesOf(events()).find(({ line }) => lineText(line) === '{"behind":1}');
  expect(factsOf(events()).filter(({ of }) => of === behind?.seq)).toMatchObject([
    { step: 'failed', problem: 'The connection ended before this was answered.' },
  ]);
});

test('dropped, it says nothing more to the server', async () => {
  const { url, asked } = await serve(usual);
  const { reached } = await reach(url);
  const agent = agentIn(reached);
  say(agent, HELLO);
  await until(() => asked.length === 2);
  agent.signal('SIGKILL');
  expect(await agent.ended).toEqual({});
  expect(asked.map(({ method }) => method)).toEqual(['POST', 'GET']);
});
