import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../acp/message.ts';
import { connectionId, seq } from '../../trace/event.ts';
import type { HandshakeView } from '../facts/facts-view.ts';
import {
  causesOf,
  type AskedSession,
  type CauseContext,
  type FailedRestore,
} from './restore-causes.ts';
import { RESTORE_VERDICTS } from './restore-verdict.ts';

const connection = connectionId('c1');
const at = { connection, seq: seq(8) };
const SESSION: AskedSession = { cwd: '/w', isKnown: true, isListed: true, hasHistory: true };
const LOAD: JsonObject = { sessionId: 's1', cwd: '/w', mcpServers: [] };

const handshake = (version: 1 | 2, agentCapabilities: JsonObject): HandshakeView => ({
  request: seq(1),
  version,
  clientCapabilities: {},
  agentCapabilities,
  authMethods: [],
});
const V1 = handshake(1, { loadSession: true, sessionCapabilities: { resume: {} } });
const V2 = handshake(2, { session: {} });

function causes(
  params: Json,
  more: Partial<FailedRestore> = {},
  session: Partial<AskedSession> = {},
  context: Partial<CauseContext> = {},
) {
  const failed: FailedRestore = {
    ...{ connection, request: seq(12), method: 'session/load', version: 1, params },
    ...{ verdict: 'rejected', code: -32603 },
    ...more,
  };
  const others = [{ sessionId: 's7', name: '“Flaky test”' }];
  const known = { ...SESSION, ...session };
  return causesOf(failed, { handshake: V1, session: known, others, ...context });
}
const first = (...all: Parameters<typeof causes>) => causes(...all)[0];

test('mcpServers left out is the likeliest of all, and is mended by an empty list', () => {
  expect(first({ sessionId: 's1', cwd: '/elsewhere' })).toMatchObject({
    id: 'servers',
    text: 'mcpServers is missing: the schema makes −32602 due.',
    frame: { seq: 12 },
    mend: { mcpServers: '[]' },
  });
});

test('a relative cwd, another folder and another spelling are mended by the session’s own', () => {
  expect(first({ ...LOAD, cwd: 'w' })).toMatchObject({ id: 'cwd', mend: { cwd: '/w' } });
  expect(first({ ...LOAD, cwd: '/x' })).toMatchObject({ id: 'own-cwd', mend: { cwd: '/w' } });
  expect(first({ ...LOAD, cwd: '/w/' })?.text).toContain('spelled /w');
});

test('a method that is not advertised is mended by the one that is', () => {
  const only = handshake(1, { sessionCapabilities: { resume: {} } });
  expect(first(LOAD, { code: -32601 }, {}, { handshake: only })).toMatchObject({
    id: 'capability',
    mend: { shape: 'resume' },
  });
  expect(first(LOAD, { code: -32601 }, {}, { handshake: handshake(1, {}) })?.mend).toBeUndefined();
});

describe('of the session itself', () => {
  test('deleted, not listed, and known to nobody lead to another session', () => {
    expect(first(LOAD, {}, { deleted: at })).toMatchObject({ id: 'deleted', frame: at });
    expect(first(LOAD, {}, { isListed: false, hasHistory: false })).toMatchObject({
      id: 'not-listed',
      mend: { sessionId: 's7', label: 'Restore “Flaky test” instead' },
    });
    const { isListed: _, ...unlisted } = SESSION;
    const all = causesOf(
      {
        ...{ connection, request: seq(12), method: 'session/load', version: 1, params: LOAD },
        ...{ verdict: 'rejected', code: -32603 },
      },
      { handshake: V1, session: { ...unlisted, isKnown: false, hasHistory: false }, others: [] },
    );
    expect(all[0]).toMatchObject({ id: 'unknown' });
    expect(all[0]).not.toHaveProperty('mend');
  });

  test('never prompted, and open elsewhere, are told with their frames', () => {
    expect(first(LOAD, {}, { hasHistory: false, setup: at })).toMatchObject({
      id: 'never-prompted',
      frame: at,
    });
    expect(first(LOAD, {}, { closed: at })).toMatchObject({ id: 'closed', frame: at });
    expect(first(LOAD, {}, { openAt: at })).toMatchObject({ id: 'open-elsewhere', frame: at });
  });

  test('open on the connection itself, most of all where the agent says so, is mended by a fresh one', () => {
    const open = { openHere: at };
    expect(first(LOAD, {}, open)).toMatchObject({ id: 'open-here', mend: { fresh: true } });
    const never = { ...open, hasHistory: false };
    expect(first(LOAD, {}, never)?.id).toBe('never-prompted');
    const said = { code: -32602, message: 'Session s1 is already loaded' };
    expect(first(LOAD, said, never)?.id).toBe('open-here');
  });

  test('the name of a file is mended by the id in it', () => {
    const params = { ...LOAD, sessionId: 'session-4f2a.jsonl' };
    const ids = causes(params, {}, { isKnown: false, hasHistory: false }).map(({ mend }) => mend);
    expect(ids).toContainEqual({ label: 'Send with 4f2a', sessionId: '4f2a' });
  });
});

test('a cursor that was refused is mended by start', () => {
  const params = { ...LOAD, replayFrom: { type: '_seq', seq: 3 } };
  const v2 = { version: 2, method: 'session/resume', code: -32602 } as const;
  expect(first(params, v2, {}, { handshake: V2 })).toMatchObject({
    id: 'cursor',
    mend: { shape: 'start' },
  });
});

test('other servers than it had, and transports that are not advertised, are told', () => {
  const servers = [{ type: 'http', name: 'web', url: 'https://a', headers: [] }];
  const ids = causes(
    { ...LOAD, mcpServers: servers },
    {},
    { setup: { ...at, mcpServers: '[]' } },
  ).map(({ id }) => id);
  expect(ids).toEqual(['transport', 'other-servers', 'same-minute']);
});

test('a restore that came to something has no causes; ranks fall; every mend has words', () => {
  const verdict = fc.constantFrom(...RESTORE_VERDICTS);
  const params = fc.record(
    { sessionId: fc.string(), cwd: fc.string(), mcpServers: fc.jsonValue() },
    { requiredKeys: [] },
  );
  const session = fc.record({ isKnown: fc.boolean(), hasHistory: fc.boolean() });
  fc.assert(
    fc.property(verdict, params, session, (is, sent, known) => {
      const all = causes(sent as Json, { verdict: is }, known);
      const failed = ['rejected', 'rejected-as-due', 'replayed-nothing', 'restored-nothing'];
      if (!failed.includes(is)) expect(all).toEqual([]);
      const weights = all.map(({ weight }) => weight);
      expect(weights).toEqual(weights.toSorted((a, b) => b - a));
      for (const { mend } of all) if (mend) expect(mend.label).not.toBe('');
    }),
  );
});
