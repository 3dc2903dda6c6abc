import { expect, test } from 'vitest';
import type { TraceSummary } from '../../engine/messages.ts';
import type { Millis } from '../../lib/time.ts';
import type { HeldFrame } from '../../model/facts/facts-view.ts';
import { connectionId, seq } from '../../trace/event.ts';
import {
  dayWords,
  doing,
  dotOf,
  runMeta,
  runState,
  sessionMeta,
  waitsForYou,
} from './rail-words.ts';

const trace: TraceSummary = {
  connection: connectionId('c'),
  name: 'Bundled agent',
  number: 1,
  mode: 'drive',
  state: 'running',
  startedAt: '2026-11-21T10:41:00',
  events: 3,
  frames: 2,
  stored: 100,
  agent: 'Bundled agent',
  version: 2,
  facts: {
    connection: connectionId('c'),
    handshake: {
      request: seq(1),
      agent: { name: 'Bundled agent', version: '1.0.0' },
      client: { name: 'Zed', version: '0.214' },
      clientCapabilities: {},
      agentCapabilities: {},
      authMethods: [],
    },
    sessions: [],
    open: [],
    lastWords: [],
    missing: 0,
    frames: 2,
    lastEventAt: 5 as Millis,
  },
};

test('a run has its own name and its editor, where its agent and its session do not tell it apart', () => {
  const run = { ...{ key: '', before: 0, items: 0 }, sessionId: 's', name: 'live', trace };
  expect(runMeta(run)).toBe('');
  expect(runMeta({ ...run, trace: { ...trace, mode: 'tap', name: 'my tap' } })).toBe(
    'my tap · tap from Zed 0.214',
  );
  const loose = { key: '', before: 0, items: 0, name: 'retry-live', trace };
  expect(runMeta({ ...loose, trace: { ...trace, name: 'retry-live' } })).toBe('v2 · Bundled agent');
});

test('a session has its version and its counts', () => {
  const of = { ...trace, agentVersion: '0.1.0' };
  expect(sessionMeta({ trace: of, items: 6 })).toBe('0.1.0 · v2 · 6 messages & tools');
  expect(sessionMeta({ trace: of, items: 0 })).toBe('0.1.0 · v2 · no live part');
});

test('a live run says what it does, and how its agent ended', () => {
  expect(runState(trace)).toBe('idle');
  const facts = trace.facts;
  if (!facts) throw new Error('no facts');
  const open = {
    seq: seq(2),
    from: 'agent',
    id: '←0',
    method: 'session/request_permission',
    since: 1 as Millis,
    summary: '',
  } as const;
  expect(doing({ ...trace, facts: { ...facts, open: [open] } })).toContain('waits for you');
  const held: HeldFrame = {
    ...{ seq: seq(2), at: 1 as Millis, from: 'agent', rule: 'mine', summary: '' },
    deadline: 60_000,
  };
  const holds = { ...facts, intercept: { held: [held] } };
  expect(doing({ ...trace, facts: holds })).toContain('waits for you');
  expect(waitsForYou({ ...trace, facts: holds, state: 'ended' })).toBe(false);
  const asked = { ...open, from: 'client', method: 'initialize' } as const;
  expect(doing({ ...trace, facts: { ...facts, open: [asked] } })).toContain('no answer yet');
  const ended = { ...trace, state: 'ended' } as const;
  expect(doing({ ...ended, facts: { ...facts, exit: { seq: seq(3), code: 1 } } })).toBe('exited 1');
  expect(doing({ ...ended, facts: { ...facts, exit: { seq: seq(3), code: 0 } } })).toBe(
    'ended well',
  );
  expect(runState({ ...ended, facts: { ...facts, exit: { seq: seq(3), code: 0 } } })).toBe(
    '2 frames',
  );
  const left = { seq: seq(3), code: 0, sent: 'SIGTERM' } as const;
  expect(doing({ ...ended, facts: { ...facts, exit: left } })).toBe('ended by us');
  const killed = { seq: seq(3), signal: 'SIGKILL', sent: 'SIGKILL' } as const;
  expect(doing({ ...ended, facts: { ...facts, exit: killed } })).toBe('killed by us');
  const died = { seq: seq(3), signal: 'SIGSEGV', sent: 'SIGTERM' } as const;
  expect(doing({ ...ended, facts: { ...facts, exit: died } })).toBe('ended by SIGSEGV');
  const onWindows = { seq: seq(3), code: 1, sent: 'SIGKILL' } as const;
  expect(doing({ ...ended, facts: { ...facts, exit: onWindows } })).toBe('killed by us');
  const byEditor = { seq: seq(3), code: 130, sent: 'SIGINT', by: 'client' } as const;
  expect(doing({ ...ended, facts: { ...facts, exit: byEditor } })).toBe('ended by the client');
  expect(doing({ ...ended, lost: true })).toBe('relay gone');
  const dots = [{ code: 1 }, onWindows, byEditor, { signal: 'SIGSEGV' }, { signal: 'SIGKILL' }];
  expect(
    dots.map((exit) => dotOf({ ...ended, facts: { ...facts, exit: { ...exit, seq: seq(3) } } })),
  ).toEqual(['bad', '', '', 'bad', 'bad']);
});

test('a day is said as people say it', () => {
  const now = new Date('2026-11-21T12:00:00');
  expect(dayWords('2026-11-21T10:41:00', now)).toBe('today 10:41');
  expect(dayWords('2026-11-20T23:59:00', now)).toBe('yesterday');
  expect(dayWords('2026-11-18T10:00:00', now)).toBe('18 Nov');
  expect(dayWords('2025-11-18T10:00:00', now)).toBe('18 Nov 2025');
  expect(dayWords('nonsense', now)).toBe('');
  expect(dayWords('1970-01-01T00:00:00.000Z', now)).toBe('');
});

test('a file that is being read is not shown as ended', () => {
  const file: TraceSummary = { ...trace, mode: 'file', state: 'ended', reading: true };
  expect(doing(file)).toBe('being read');
  expect(runState(file)).toBe('being read');
});
