import { expect, test } from 'vitest';
import { indexed } from '../../test/traces/indexed.ts';
import type { ConnectionFacts } from './facts-view.ts';

function factsOf(picture: string): ConnectionFacts {
  return indexed(picture).index.facts();
}

test('a v1 handshake', () => {
  const { handshake } = factsOf(`
    client →0 initialize {"protocolVersion":1,"clientInfo":{"name":"scope","version":"1"},"clientCapabilities":{"fs":{"readTextFile":true}}}
    agent  ←0 result {"protocolVersion":1,"agentInfo":{"name":"a","version":"2","title":"A"},"agentCapabilities":{"loadSession":true},"authMethods":[{"id":"key","name":"API key"},{"type":"terminal","id":"tty","name":"Log in","args":["login"],"env":{"X":"1"}}]}
  `);
  expect(handshake).toEqual({
    request: 1,
    answer: 2,
    asked: 1,
    version: 1,
    client: { name: 'scope', version: '1' },
    agent: { name: 'a', version: '2', title: 'A' },
    clientCapabilities: { fs: { readTextFile: true } },
    agentCapabilities: { loadSession: true },
    authMethods: [
      { id: 'key', type: 'agent', name: 'API key', args: [], env: {} },
      { id: 'tty', type: 'terminal', name: 'Log in', args: ['login'], env: { X: '1' } },
    ],
  });
});

test('a v2 handshake that the agent answers in v1 speaks v1, which has no word of the client', () => {
  const { handshake } = factsOf(`
    client →0 initialize {"protocolVersion":2,"info":{"name":"scope","version":"1"},"capabilities":{"elicitation":{}}}
    agent  ←0 result {"protocolVersion":1,"agentCapabilities":{}}
  `);
  expect(handshake).toMatchObject({
    asked: 2,
    version: 1,
    client: { name: 'scope' },
    clientCapabilities: {},
  });
});

test('a handshake in both shapes counts by the version that is chosen', () => {
  const both =
    '"info":{"name":"c","version":"1"},"capabilities":{"elicitation":{"form":{}}},"clientCapabilities":{"terminal":true}';
  const offered = (version: number) =>
    factsOf(`
      client →0 initialize {"protocolVersion":2,${both}}
      agent  ←0 result {"protocolVersion":${version}}
    `).handshake?.clientCapabilities;
  expect(offered(1)).toEqual({ terminal: true });
  expect(offered(2)).toEqual({ elicitation: { form: {} } });
});

test('v2 methods of sign-in, and a handshake that fails', () => {
  const { handshake } = factsOf(`
    client →0 initialize {"protocolVersion":2}
    agent  ←0 result {"protocolVersion":2,"authMethods":[{"type":"terminal","methodId":"t","name":"T","env":[{"name":"X","value":"1"}]},{"type":"_odd","methodId":"o","name":"O"}]}
  `);
  expect(handshake?.authMethods).toMatchObject([
    { id: 't', type: 'terminal', env: { X: '1' } },
    { id: 'o', type: 'other' },
  ]);
  const failed = factsOf(`
    client →0 initialize {"protocolVersion":1}
    agent  ←0 error -32022 Unsupported protocol version
  `);
  expect(failed.handshake).toMatchObject({
    answer: 2,
    error: '−32022 Unsupported protocol version',
  });
});

test('sign-in is asked for from -32000 until a sign-in or a session succeeds', () => {
  const asked = `
    client →1 session/new {"cwd":"/w"}
    agent  ←1 error -32000 Authentication required
  `;
  expect(factsOf(asked).signIn).toEqual({ seq: 2, message: 'Authentication required' });
  const failed = `${asked}
    client →2 authenticate {"methodId":"key"}
    agent  ←2 error -32603 No key
  `;
  expect(factsOf(failed).signIn).toBeDefined();
  expect(factsOf(`${asked} \n client →2 session/list \n agent ←2 result {}`).signIn).toBeDefined();
  const done = `${failed}
    client →3 auth/login {"methodId":"key"}
    agent  ←3 result {}
  `;
  expect(factsOf(done).signIn).toBeUndefined();
});

test('open requests carry what an answer by hand needs', () => {
  const { open } = factsOf(`
    client →4 session/prompt s1 "go"
    agent  →0 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t1","title":"Edit x"},"options":[{"optionId":"y","name":"Yes","kind":"allow_once"},{"optionId":"n","name":"No"},{"bad":1}]}
    agent  →"e" elicitation/create {"mode":"form","message":"Name?","requestId":4,"requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}
    agent  →5 elicitation/create {"mode":"url","message":"Sign in","elicitationId":"e2","url":"https://x.test/a","sessionId":"s1"}
    agent  →6 elicitation/create {"mode":"_odd","message":"?","sessionId":"s1"}
  `);
  expect(open).toMatchObject([
    { seq: 1, from: 'client', id: '→4', method: 'session/prompt', session: 'S1', summary: '“go”' },
    {
      seq: 2,
      from: 'agent',
      id: '←0',
      sessionId: 's1',
      since: 1,
      summary: 'Edit x · 3 options',
      options: [
        { optionId: 'y', name: 'Yes', kind: 'allow_once' },
        { optionId: 'n', name: 'No', kind: '' },
      ],
    },
    { id: '←"e"', session: 'S1', elicitation: { mode: 'form', message: 'Name?' } },
    { elicitation: { mode: 'url', url: 'https://x.test/a' } },
    { elicitation: { mode: 'other', message: '?' } },
  ]);
});

test('a session known from the request asked about is told apart as inferred', () => {
  const { frame } = indexed(`
    client →4 session/prompt s1 "go"
    client $/cancel_request {"requestId":4}
    agent  →0 elicitation/create {"mode":"form","message":"?","requestId":4}
    client ←0 result {"action":"decline"}
    agent  ←4 result {"stopReason":"cancelled"}
  `);
  expect(frame(2)).toMatchObject({ session: 'S1', inferredSession: true });
  expect(frame(3)).toMatchObject({ session: 'S1', inferredSession: true });
  expect(frame(4)).toMatchObject({ session: 'S1', inferredSession: true });
  expect(frame(5).inferredSession).toBeUndefined();
});

test('I-12: a command with a secret is known as it was, and without it for a screen', () => {
  const { started } = factsOf('start agent --api-key hunter2hunter2');
  expect(started?.argv).toEqual(['agent', '--api-key', 'hunter2hunter2']);
  expect(started?.shown).toEqual(['agent', '--api-key', '…']);
  expect(factsOf('start agent').started).not.toHaveProperty('shown');
});

test('start, exit, last words and first sign of life', () => {
  const words = Array.from({ length: 25 }, (_, i) => `stderr line ${i}`).join('\n');
  const facts = factsOf(`
    start my-agent --acp
    client →0 initialize {}
    ${words}
    agent  ←0 result {}
    exit 137
  `);
  expect(facts).toMatchObject({
    started: { argv: ['my-agent', '--acp'], cwd: '/w' },
    exit: { code: 137 },
    frames: 2,
    firstFrameAt: 27,
    lastEventAt: 28,
  });
  expect(facts.lastWords).toHaveLength(20);
  expect(facts.lastWords.at(-1)).toBe('line 24');
});

test('what is missing is counted by what the gaps say', () => {
  expect(factsOf('client →0 initialize {}').missing).toBe(0);
  expect(factsOf('gap 31 the disk was full\nclient →0 initialize {}\ngap 2 so').missing).toBe(33);
});

test('an end before another handshake in the same file is that of the connection before', () => {
  const facts = factsOf(`
    client →0 initialize {"protocolVersion":1}
    agent  ←0 result {"protocolVersion":1}
    exit
    client →0 initialize {"protocolVersion":1}
  `);
  expect(facts.exit).toBeUndefined();
  expect(facts.handshake?.request).toBe(4);
});

test('a second handshake counts once it succeeds, and not if it is refused', () => {
  const first = `
    client →0 initialize {"protocolVersion":2}
    agent  ←0 result {"protocolVersion":2,"capabilities":{"session":{}}}
    client →1 initialize {"protocolVersion":1}
  `;
  const inForce = { request: 1, asked: 2, version: 2, agentCapabilities: { session: {} } };
  expect(factsOf(first).handshake).toMatchObject(inForce);
  const refused = indexed(`${first} \n agent ←1 error -32600 Initialized already`).index;
  expect(refused.facts().handshake).toMatchObject(inForce);
  expect(refused.version).toBe(2);
  const other = indexed(`${first} \n agent ←1 result {"protocolVersion":1}`).index;
  expect(other.facts().handshake).toMatchObject({ request: 3, asked: 1, version: 1 });
  expect(other.version).toBe(1);
});

test('an agent advertises what it says in the field of the version that it chose', () => {
  const advertised = (version: number) =>
    factsOf(`
      client →0 initialize {"protocolVersion":2}
      agent  ←0 result {"protocolVersion":${version},"agentCapabilities":{"loadSession":true},"capabilities":{"session":{}},"authMethods":[{"id":"old","methodId":"new","name":"N"}]}
    `).handshake;
  expect(advertised(1)?.agentCapabilities).toEqual({ loadSession: true });
  expect(advertised(2)?.agentCapabilities).toEqual({ session: {} });
  expect(advertised(1)?.authMethods).toMatchObject([{ id: 'old' }]);
  expect(advertised(2)?.authMethods).toMatchObject([{ id: 'new' }]);
});
