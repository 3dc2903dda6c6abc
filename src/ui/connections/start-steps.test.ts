import { expect, test } from 'vitest';
import type { ConnectionFacts, HandshakeView } from '../../model/facts/facts-view.ts';
import { millis } from '../../lib/time.ts';
import { connectionId, seq } from '../../trace/event.ts';
import { isStarting, startSteps } from './start-steps.ts';

const facts = (more: Partial<ConnectionFacts> = {}): ConnectionFacts => ({
  connection: connectionId('c'),
  started: { argv: ['my-agent', '--acp'], cwd: '/w', pid: 71 },
  sessions: [],
  open: [],
  lastWords: [],
  missing: 0,
  frames: 1,
  lastEventAt: millis(400),
  ...more,
});
const handshake = (more: Partial<HandshakeView> = {}): HandshakeView => ({
  request: seq(2),
  clientCapabilities: {},
  agentCapabilities: {},
  authMethods: [],
  ...more,
});
const states = (of: ConnectionFacts) => startSteps(of).map(({ state }) => state);
const answered = { firstFrameAt: millis(51), handshake: handshake({ answer: seq(3), version: 1 }) };

test('R-54: an agent that sends nothing is pending at its first byte, with advice', () => {
  const silent = facts({ handshake: handshake({ asked: 1 }) });
  expect(states(silent)).toEqual(['done', 'pending', 'later', 'later']);
  expect(startSteps(silent)[1]?.advice).toContain('--acp');
  expect(startSteps(silent)[0]?.note).toBe('my-agent --acp · pid 71');
  const byUrl = facts({ started: { argv: ['ws://127.0.0.1:9/acp'], cwd: '' } });
  expect(startSteps(byUrl)[1]?.advice).toContain('URL');
});

test('the step at which the agent exited has failed', () => {
  const exit = { seq: seq(4), code: 1 };
  expect(states(facts({ exit }))).toEqual(['done', 'failed', 'later', 'later']);
  expect(states(facts({ exit, firstFrameAt: millis(5) }))).toEqual([
    ...['done', 'done', 'failed', 'later'],
  ]);
});

test('a rejected initialize has failed, and shows the error', () => {
  const rejected = facts({
    firstFrameAt: millis(5),
    handshake: handshake({ answer: seq(3), error: '-32602 no such version' }),
  });
  expect(states(rejected)).toEqual(['done', 'done', 'failed', 'later']);
  expect(startSteps(rejected)[2]?.note).toBe('-32602 no such version');
});

test('a requested authentication has failed until it succeeds', () => {
  expect(states(facts(answered))).toEqual(['done', 'done', 'done', 'done']);
  const asked = facts({ ...answered, signIn: { seq: seq(5), message: 'log in first' } });
  expect(states(asked)).toEqual(['done', 'done', 'done', 'failed']);
  expect(isStarting(asked)).toBe(true);
  expect(isStarting(facts(answered))).toBe(false);
});
