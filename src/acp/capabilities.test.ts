import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { authMethodsOf } from './auth-methods.ts';
import { capabilitiesOf, initializeParams } from './capabilities.ts';
import { codeWords } from './errors.ts';

const off = {
  readFiles: false,
  writeFiles: false,
  terminals: false,
  elicitForm: false,
  elicitUrl: false,
  terminalAuth: false,
  sessionExtras: false,
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
  test('highest asks for 2 in the shape of v2', () => {
    expect(initializeParams('highest', on, us)).toEqual(initializeParams(2, on, us));
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
  });
  test('what is not advertised is listed too', () => {
    expect(capabilitiesOf(1, 'client', {}).map(({ path }) => path)).toContain('terminal');
  });
});

describe('sign-in methods', () => {
  test('v1: no type means the agent does it; env is an object', () => {
    const entry = {
      type: 'terminal',
      id: 'b',
      name: 'B',
      args: ['--login'],
      env: { A: '1', B: 2 },
    };
    expect(authMethodsOf({ authMethods: [{ id: 'a', name: 'A' }, entry] })).toEqual([
      { id: 'a', type: 'agent', name: 'A', args: [], env: {} },
      { id: 'b', type: 'terminal', name: 'B', args: ['--login'], env: { A: '1' } },
    ]);
  });
  test('v2: methodId, env is a list, an unknown type is kept', () => {
    const entry = {
      type: 'env_var',
      methodId: 'a',
      description: 'd',
      env: [{ name: 'A', value: '1' }],
    };
    expect(authMethodsOf({ authMethods: [entry, { type: 'agent' }, 5] })).toEqual([
      { id: 'a', type: 'other', name: 'a', description: 'd', args: [], env: { A: '1' } },
    ]);
  });
  test('any JSON gives a list', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (entry, rest) => {
        expect(authMethodsOf({ authMethods: [entry, rest] } as never).length).toBeLessThan(3);
        capabilitiesOf(2, 'agent', { session: entry, other: rest } as never);
      }),
    );
  });
});

test('codes have words, and unknown ones say where they lie', () => {
  expect(codeWords(-32002)).toBe('resource not found');
  expect(codeWords(-32050)).toBe('not defined, in a reserved range');
  expect(codeWords(7)).toBe("the agent's or client's own");
});
