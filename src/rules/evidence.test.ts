// Which edition `auto` takes, and what a later feature changes.
import { expect, test } from 'vitest';
import { draw } from '../test/traces/draw.ts';
import { found, V1, V1_SESSION, V2_SESSION } from '../test/traces/rule-case.ts';
import { againstWords } from './against.ts';
import { checkTrace } from './check-trace.ts';

const against = (picture: string) => againstWords(checkTrace(draw(picture)).against);
const OPTED = V1_SESSION.replace('"terminal":true', '"terminal":true,"subagents":{}');
const CHILD = 'agent update s1 subagent_update {"sessionId":"c1","title":"Look"}';
const LINK =
  'agent update s1 tool_call {"toolCallId":"t1","title":"Ask","content":[{"type":"session","sessionId":"c1"}]}';
const LINK2 = LINK.replace('tool_call {', 'tool_call_update {');
const MARKER = 'agent update s1 replay_complete {"whatever":1}';

test('auto begins at SDK 2.4.0', () => {
  expect(against(V1_SESSION)).toBe('v1 as of SDK 2.4.0');
  expect(against(V2_SESSION)).toBe('v2 as of SDK 2.4.0');
});

test('August is taken only where a form that August alone had is spoken', () => {
  const prompt = `${V2_SESSION}\nclient →2 session/prompt s1 "Hi"`;
  expect(against(`${prompt}\nagent ←2 result {}`)).toBe('v2 as of August 2026');
  expect(against(`${V2_SESSION}\nagent update s1 subagent_spawned {}`)).toBe(
    'v2 as of August 2026',
  );
  expect(
    against(`${prompt}\nagent ←2 result {"messageId":"m1"}\nagent update s1 subagent_spawned {}`),
  ).toBe('v2 as of SDK 2.4.0');
});

test('a later feature raises the edition for that feature alone, and it is said', () => {
  expect(against(OPTED)).toBe('v1 as of SDK 2.4.0, child sessions by v1 as of November 2026');
  expect(against(`${V2_SESSION}\n${CHILD}`)).toBe(
    'v2 as of SDK 2.4.0, child sessions by v2 (Preview) as of November 2026',
  );
  expect(against(`${V2_SESSION}\n${LINK2}`)).toContain(
    'child sessions by v2 (Preview) as of November 2026',
  );
  expect(against(`${V2_SESSION}\n${MARKER}`)).toBe(
    'v2 as of SDK 2.4.0, `replay_complete` by v2 (Preview) as of November 2026',
  );
  // What the client did not ask for, the agent cannot bring in.
  expect(against(`${V1}\n${CHILD}`)).toBe('v1 as of SDK 2.4.0');
});

test('updates of children are unstable in SDK 2.4.0, and as good as any in November', () => {
  const [v1, v2] = [`${OPTED}\n${CHILD}`, `${V2_SESSION}\n${CHILD}`];
  expect(found('method/unstable', v1, { edition: 'v1-2.4.0' })).toMatchObject([
    { method: 'initialize', pointer: '/params/clientCapabilities/subagents' },
    { method: 'session/update' },
  ]);
  expect(found('method/unstable', v2, { edition: 'v2-2.4.0' })).toHaveLength(1);
  expect([
    ...found('method/unstable', v1),
    ...found('method/unstable', v1, { edition: 'v1-2026-11' }),
    ...found('method/unstable', v2),
    ...found('method/unstable', v2, { edition: 'v2-2026-11' }),
  ]).toEqual([]);
  // What no schema allows is a fault in every edition.
  const broken = `${V2_SESSION}\nagent update s1 subagent_update {"title":"Look"}`;
  expect(found('schema/update', broken)).toMatchObject([{ seen: '`sessionId` is missing' }]);
});

test('links to sessions: no content of v1 in SDK 2.4.0, an unknown one of v2, in November one of both', () => {
  const v1 = `${OPTED}\n${LINK}`;
  const v2 = `${V2_SESSION}\n${LINK2}`;
  expect(found('schema/update', v1, { edition: 'v1-2.4.0' })).toMatchObject([
    {
      seen: expect.stringContaining('`type` is "session"'),
      pointer: '/params/update/content/0/type',
    },
  ]);
  expect(found('enum/unprefixed', v2, { edition: 'v2-2.4.0' })).toMatchObject([
    { seen: '`type` is "session"' },
  ]);
  expect([...found('schema/update', v1), ...found('enum/unprefixed', v2)]).toEqual([]);
  const bare = v2.replace('"type":"session","sessionId":"c1"', '"type":"session"');
  expect(found('schema/update', bare)).toMatchObject([
    { seen: expect.stringContaining('`sessionId` is missing') },
  ]);
  expect(found('schema/update', bare, { edition: 'v2-2.4.0' })).toEqual([]);
});

test('the marker of a complete replay is an unknown update in SDK 2.4.0 alone, and has no fields', () => {
  const trace = `${V2_SESSION}\n${MARKER}`;
  expect(found('enum/unprefixed', trace, { edition: 'v2-2.4.0' })).toMatchObject([
    { seen: '`sessionUpdate` is "replay_complete"' },
  ]);
  for (const edition of ['auto', 'v2-2026-11'] as const) {
    for (const rule of ['enum/unprefixed', 'schema/update'])
      expect(found(rule, trace, { edition })).toEqual([]);
    const rule = 'shape/extra-root-field';
    expect(found(rule, trace, { edition })).toMatchObject([{ severity: 'hint', newer: true }]);
    expect(found(rule, trace.replace('{"whatever":1}', '{}'), { edition })).toEqual([]);
  }
  expect(found('update/wrong-version', `${V1_SESSION}\n${MARKER}`).length).toBe(1);
});
