import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { capabilitiesOf, initializeParams } from './capabilities.ts';
import { clientOffer, offerFor } from './handshake.ts';

const off = {
  readFiles: false,
  writeFiles: false,
  terminals: false,
  elicitForm: false,
  elicitUrl: false,
  terminalAuth: false,
  sessionExtras: false,
  subagents: false,
};
const on = Object.fromEntries(Object.keys(off).map((key) => [key, true])) as unknown as typeof off;
const us = { name: 'acp-scope', version: '1.0.0' };

describe('initialize', () => {
  test('v1 with everything on', () => {
    expect(initializeParams(1, on, us)).toEqual({
      protocolVersion: 1,
      clientCapabilities: {
        fs: { readTextFile: true, writeTextFile: true },
        terminal: true,
        auth: { terminal: true },
        elicitation: { form: {}, url: {} },
        session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
        subagents: {},
      },
      clientInfo: us,
    });
  });
  test('v2 with everything off advertises nothing: an empty elicitation would say nothing', () => {
    expect(initializeParams(2, off, us)).toEqual({
      protocolVersion: 2,
      info: us,
      capabilities: {},
    });
  });
  test('highest asks for 2 in both shapes, so that an agent of either version sees the client', () => {
    const highest = initializeParams('highest', on, us);
    expect(highest).toEqual({ ...initializeParams(1, on, us), ...initializeParams(2, on, us) });
    expect(clientOffer(highest, 1)).toEqual(clientOffer(initializeParams(1, on, us), 1));
    expect(clientOffer(highest, 2)).toEqual(clientOffer(initializeParams(2, on, us), 2));
  });
  test('what is said in one shape alone is known to be that version’s', () => {
    const v2 = initializeParams(2, on, us);
    expect(clientOffer(v2, 1)).toBeUndefined();
    expect(offerFor(v2, 1)).toEqual(v2['capabilities']);
  });
  test('no shape has a root field of the other version', () => {
    expect(Object.keys(initializeParams(1, on, us))).not.toContain('info');
    expect(Object.keys(initializeParams(2, on, us))).not.toContain('clientInfo');
  });
});

describe('what is advertised', () => {
  const yes = (version: 1 | 2, capabilities: object) =>
    capabilitiesOf(version, 'agent', capabilities as never)
      .filter(({ advertised }) => advertised)
      .map(({ path }) => path);
  test('v1: booleans and markers', () => {
    const said = { loadSession: true, sessionCapabilities: { list: {}, resume: null } };
    expect(yes(1, said)).toEqual(['loadSession', 'sessionCapabilities.list']);
  });
  test('v2: the session marker, and an unstable capability under its path', () => {
    const said = { session: { fork: {}, prompt: { image: {} } }, _meta: { x: {} } };
    expect(yes(2, said)).toEqual(['session', 'session.prompt.image', 'session.fork']);
    const names = capabilitiesOf(2, 'agent', { session: { fork: {}, own: {}, toString: {} } });
    expect(names.slice(-3).map(({ name }) => name)).toEqual([
      'fork sessions (a draft)',
      'session.own',
      'session.toString',
    ]);
  });
  test('what is not advertised is listed too', () => {
    expect(capabilitiesOf(1, 'client', {}).map(({ path }) => path)).toContain('terminal');
  });
});

test('any JSON for capabilities gives a list', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (session, other) => {
      const list = capabilitiesOf(2, 'agent', { session, other } as never);
      expect(new Set(list.map(({ path }) => path)).size).toBe(list.length);
    }),
  );
});
