import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { shutGate } from './gate.ts';
import { METHODS, methodsOf, supportOf } from './methods.ts';
import type { Version } from './methods.ts';

interface Def {
  readonly 'x-method'?: string;
  readonly 'x-side'?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** `agent session/new request`: handling side, method, kind, out of the SDK's schema. */
function marks(version: Version, file: string): Map<string, Def> {
  const url = import.meta.resolve(`@agentclientprotocol/sdk/schema/v${version}/${file}`);
  const schema = JSON.parse(readFileSync(new URL(url), 'utf8')) as { $defs: Record<string, Def> };
  return new Map(
    Object.entries(schema.$defs).flatMap(([name, def]): [string, Def][] => {
      if (!def['x-method'] || name.endsWith('Response')) return [];
      const kind = name.endsWith('Notification') ? 'notification' : 'request';
      return [[`${def['x-side']} ${def['x-method']} ${kind}`, def]];
    }),
  );
}

function rows(version: Version, stableOnly: boolean): string[] {
  return METHODS.filter((row) => {
    const support = supportOf(row, version);
    return support && (support.stable || !stableOnly);
  }).map(({ name, from, kind }) => {
    const both = name.startsWith('proxy/') ? 'proxy' : 'protocol';
    const handler = { client: 'agent', agent: 'client', both }[from];
    return `${handler} ${name} ${kind}`;
  });
}

describe.each([1, 2] as const)('the table of v%i', (version) => {
  const unstable = marks(version, 'schema.unstable.json');
  test('has the methods of the stable schema, and no other as stable', () => {
    expect(rows(version, true).sort()).toEqual([...marks(version, 'schema.json').keys()].sort());
  });
  test('has the methods of the unstable schema', () => {
    expect(rows(version, false).sort()).toEqual([...unstable.keys()].sort());
  });
  test('says of each method whether its params name a session', () => {
    for (const row of METHODS.filter((method) => supportOf(method, version))) {
      const def = [...unstable].find(([key]) => key.endsWith(` ${row.name} ${row.kind}`))?.[1];
      expect([row.name, row.session]).toEqual([row.name, 'sessionId' in (def?.properties ?? {})]);
    }
  });
});

test('a side is offered only what it may send', () => {
  const names = methodsOf(2, 'client').map(({ name }) => name);
  expect(names).toContain('session/resume');
  expect(names).toContain('$/cancel_request');
  expect(names).not.toContain('session/load');
  expect(names).not.toContain('session/update');
});

describe('gates', () => {
  const offered = (
    agentCapabilities: object,
    clientCapabilities = {},
    authMethods: unknown[] = [],
  ) => ({ agentCapabilities, clientCapabilities, authMethods }) as never;

  test('a method whose capability is missing names it', () => {
    const gate = shutGate('session/load', 'client', 1, offered({ loadSession: false }));
    expect(gate).toMatchObject({ by: 'agent', words: 'loadSession' });
  });
  test('true and an object open it, null and a string do not', () => {
    const gate = (resume: unknown) =>
      shutGate('session/resume', 'client', 1, offered({ sessionCapabilities: { resume } }));
    expect(gate({})).toBeUndefined();
    expect(gate(true)).toBeUndefined();
    expect(gate(null)).toBeDefined();
    expect(gate('yes')).toBeDefined();
  });
  test('either elicitation mode is enough', () => {
    const gate = (modes: object) =>
      shutGate('elicitation/create', 'agent', 2, offered({}, { elicitation: modes }));
    expect(gate({ url: {} })).toBeUndefined();
    expect(gate({})?.words).toBe('elicitation.form or elicitation.url');
  });
  test('sign-in needs an advertised method', () => {
    expect(shutGate('auth/login', 'client', 2, offered({}))?.words).toBe('authMethods');
    expect(shutGate('auth/login', 'client', 2, offered({}, {}, [{}]))).toBeUndefined();
  });
  test('what the handshake cannot tell, and unknown methods, are open', () => {
    expect(shutGate('session/set_mode', 'client', 1, offered({}))).toBeUndefined();
    expect(shutGate('_own/method', 'client', 1, offered({}))).toBeUndefined();
  });
});
