import { expect, test } from 'vitest';
import type { ConnectionFacts, OpenRequest } from '../../model/facts/facts-view.ts';
import { millis } from '../../lib/time.ts';
import { connectionId, seq } from '../../trace/event.ts';
import { exitSentence } from './panel-words.ts';

const PROMPT: OpenRequest = {
  seq: seq(9),
  from: 'client',
  id: '→4',
  method: 'session/prompt',
  since: millis(0),
  summary: '',
};
const facts = (more: Partial<ConnectionFacts>): ConnectionFacts => ({
  connection: connectionId('c'),
  sessions: [],
  open: [],
  lastWords: [],
  missing: 0,
  frames: 3,
  lastEventAt: millis(400),
  ...more,
});

test('an exit before the handshake says so, and points to the last words', () => {
  expect(exitSentence(facts({ exit: { seq: seq(2), code: 1 }, lastWords: ['no key'] }))).toBe(
    'The agent exited with 1 after 400 ms, before it answered the handshake. Its last words:',
  );
});

test('an exit that we asked for says so', () => {
  const exit = { seq: seq(9), code: 0, sent: 'SIGTERM' } as const;
  expect(exitSentence(facts({ exit }))).toContain('was sent SIGTERM by us, and exited with 0');
});

test('an exit with requests open names them', () => {
  const handshake = {
    request: seq(1),
    version: 1,
    clientCapabilities: {},
    agentCapabilities: {},
    authMethods: [],
  };
  expect(
    exitSentence(facts({ exit: { seq: seq(9), signal: 'SIGKILL' }, handshake, open: [PROMPT] })),
  ).toBe('The agent was ended by SIGKILL after 400 ms with 1 request open: session/prompt →4.');
});

test('an exit that we asked for says so, and by what', () => {
  const ended = (exit: { readonly signal: string; readonly sent: 'SIGTERM' | 'SIGKILL' }) =>
    exitSentence(facts({ exit: { seq: seq(9), ...exit } }));
  expect(ended({ signal: 'SIGKILL', sent: 'SIGKILL' })).toMatch(
    /^The agent was ended by us, with SIGKILL after 400 ms/,
  );
  expect(ended({ signal: 'SIGKILL', sent: 'SIGTERM' })).toMatch(
    /^The agent was sent SIGTERM by us, and was ended by SIGKILL after 400 ms/,
  );
});

test('an exit after the intercept cut the stream says that first', () => {
  const cut = { exit: { seq: seq(9), code: 0 }, intercept: { held: [], cut: 'cut-in-turn' } };
  expect(exitSentence(facts(cut))).toMatch(
    /^The intercept cut the stream, by the rule cut-in-turn\. The agent exited with 0/,
  );
});
