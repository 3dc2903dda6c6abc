import { expect, test } from 'vitest';
import type { EditionId } from '../../acp/editions/edition.ts';
import { addEdition, EDITIONS, removeEdition, useEdition } from '../../acp/editions/editions.ts';
import { seq } from '../../trace/event.ts';
import type { SessionFacts } from '../facts/facts-view.ts';
import { dueFor } from './clauses.ts';
import { restoreLine, type ShapeId } from './restore-shapes.ts';

const parts = (shape: ShapeId, cursor = '') =>
  restoreLine({ shape, id: '7', sessionId: 's1', cwd: '/w', mcpServers: '[]', cursor });

const session: SessionFacts = {
  sessionId: 's1',
  chip: 'S1',
  cwd: '/w',
  frames: 1,
  first: seq(1),
  last: seq(2),
  active: false,
  listedOnly: false,
  turn: 'idle',
  prompts: [],
  config: [],
  commands: [],
};

const context = (version: number, agentCapabilities = {}) => ({
  sessions: [session],
  handshake: {
    request: seq(1),
    version,
    clientCapabilities: {},
    agentCapabilities,
    authMethods: [],
  },
});

const texts = (line: string, version = 2, capabilities = { session: {} } as object) =>
  dueFor(line, context(version, capabilities)).map((due) => `${due.tone}: ${due.text}`);

test('v2: what is due for each cursor', () => {
  expect(texts(parts('omitted'))).toEqual([
    'expected: Valid request. The agent must not replay history.',
    'expected: A state_update comes after the replay and before the response.',
  ]);
  expect(texts(parts('start'))[0]).toBe(
    'expected: Valid request. Before the response, the agent must replay all history that it retained.',
  );
  expect(texts(parts('custom', '{"type":"_message","messageId":"m1"}'))).toContain(
    'expected: An agent that knows the type replays m1 first.',
  );
  expect(texts(parts('unknown', '{"type":"checkpoint"}'))).toContain(
    'expected: An agent that does not know the cursor must respond with error −32602.',
  );
  expect(texts(parts('malformed', '{"type":5}'))).toContain(
    'expected: The agent must respond with error −32602.',
  );
  expect(texts(parts('malformed', '{"type":5}')).join()).not.toContain('state_update');
  expect(texts(parts('start')).join()).toContain('state_update');
  expect(texts(parts('load'))[0]).toBe('breaks: v2 has no session/load. Expected error: −32601.');
});

test('what an edition does not have is not expected of a restore', () => {
  const base = EDITIONS['v2-2.4.0'];
  const own = 'v2-without-state' as EditionId;
  const counts = { 'resume/state-snapshot': 'off' } as const;
  addEdition({ ...base, id: own, on: base.id, counts });
  try {
    useEdition(EDITIONS[own]);
    expect(texts(parts('omitted'))).toEqual([
      'expected: Valid request. The agent must not replay history.',
    ]);
  } finally {
    useEdition(base);
    removeEdition(own);
  }
  expect(texts(parts('omitted'))).toHaveLength(2);
});

test('v1: load and resume as the agent advertises them', () => {
  expect(texts(parts('load'), 1, { loadSession: true })[0]).toMatch(/^legal: Valid request/);
  expect(texts(parts('load'), 1)[0]).toMatch(/Expected error: −32601/);
  expect(texts(parts('resume'), 1, { sessionCapabilities: { resume: {} } })).toEqual([
    'legal: Valid request. The agent advertises sessionCapabilities.resume.',
    'expected: The agent must not replay history before the response.',
  ]);
  expect(texts(parts('start'), 1).join()).toContain('v1 has no replayFrom');
});

test('a line typed by hand is judged by what it says', () => {
  expect(texts('{"jsonrpc"')[0]).toMatch(/^breaks: This is not JSON/);
  expect(texts('{"method":"session/prompt"}')).toEqual([
    'open: This line requests session/prompt, which restores no session.',
  ]);
  expect(texts('{"method":"session/resume"}').join()).toContain('sessionId is not a string');
  expect(texts(parts('omitted').replace('"/w"', '"w"')).join()).toContain('cwd is not absolute');
  expect(texts(parts('omitted').replace('"/w"', '"/x"')).join()).toContain(
    'The session’s cwd is /w.',
  );
  expect(texts(parts('omitted').replace('"s1"', '"s9"')).join()).toContain(
    'must respond with error −32002',
  );
});

test('nothing is called legal where no session is chosen', () => {
  const line = restoreLine({
    ...{ shape: 'start', id: '7', sessionId: '', cwd: '/w', mcpServers: '[]', cursor: '' },
  });
  expect(texts(line)).toEqual(['open: sessionId is empty: choose a session, or type an id.']);
});

test('a line that breaks its schema is not called legal', () => {
  const line = restoreLine({
    ...{ shape: 'start', id: '7', sessionId: 's1', cwd: 'w', mcpServers: '[]', cursor: '' },
  });
  expect(texts(line)).toContain('breaks: cwd is not absolute. Expected error: −32602.');
  expect(texts(line).join()).not.toMatch(/Valid|history/);
  const load = parts('load').replace('"/w"', '"w"');
  const due = dueFor(load, context(1, { loadSession: true }));
  expect(due.map(({ text }) => text)).toEqual([
    'The agent advertises loadSession.',
    'cwd is not absolute. Expected error: −32602.',
  ]);
  expect(due[1]?.source).toBe('LoadSessionRequest');
});

test('that we asked for a session does not make the agent know it', () => {
  const asked = {
    ...context(2, { session: {} }),
    sessions: [{ ...session, askedOnly: true as const }],
  };
  expect(dueFor(parts('start'), asked).map(({ text }) => text)).toContain(
    'An agent that does not know this session must respond with error −32002.',
  );
});
