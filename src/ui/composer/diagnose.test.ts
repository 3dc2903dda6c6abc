import { expect, test } from 'vitest';
import { indexed } from '../../test/traces/indexed.ts';
import { asKind } from '../../state/connections/composer-line.ts';
import { diagnose, pointerRange } from './diagnose.ts';

const told = async (text: string, version: 1 | 2 = 2) =>
  (await diagnose(text, version, undefined)).map(
    ({ from, to, severity, message }) => `${severity} «${text.slice(from, to)}» ${message}`,
  );

test('what breaks the schema is a warning at its place', async () => {
  const text = '{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":7}}';
  expect((await told(text)).join()).toMatch(/warning «7» .*a string/);
});

test('of a text that lacks what makes it a message, the rest is checked too', async () => {
  const text = '{"method":"session/new","params":{"cwd":7}}';
  const whole = asKind('request', text, '1');
  const found = await diagnose(text, 2, undefined, [], 'client', whole);
  expect(found.map(({ from, to, message }) => `${text.slice(from, to)} ${message}`)).toEqual([
    '{ no "jsonrpc":"2.0"',
    expect.stringMatching(/^7 .*a string/),
  ]);
});

test('what is no JSON is an error at its place, and nothing more', async () => {
  expect(await told('{"id":1,}')).toEqual([expect.stringMatching(/^error «}» expected a "key"/)]);
  expect(await told('{"id":')).toHaveLength(1);
  expect(await told('')).toEqual([]);
});

test('a sound message has no warning', async () => {
  expect(
    await told(
      '{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"x"}]}}',
    ),
  ).toEqual([]);
});

test('a line of the agent is held against what an agent says', async () => {
  const text = '{"jsonrpc":"2.0","id":1,"method":"fs/read_text_file","params":{"sessionId":"s"}}';
  const about = async (from: 'client' | 'agent') =>
    (await diagnose(text, 1, undefined, [], from)).map(({ message }) => message).join();
  expect(await about('client')).toBe('fs/read_text_file is for the agent to send');
  expect(await about('agent')).toMatch(/path/);
});

test('a pointer finds its value, and an object by its opening sign', () => {
  const text = '{"a":[{"b/c":1}],"d":{}}';
  const at = (pointer: string) =>
    text.slice(pointerRange(text, pointer).from, pointerRange(text, pointer).to);
  expect([at(''), at('/a'), at('/a/0/b~1c'), at('/d'), at('/nothing')]).toEqual([
    '{',
    '[',
    '1',
    '{',
    '{',
  ]);
});

test('a child session takes nothing but a cancel, where it allows that', async () => {
  const { sessions } = indexed(CHILDREN).index.facts();
  const about = async (text: string) =>
    (await diagnose(text, 2, undefined, sessions)).map(({ message }) => message);
  const prompt = (id: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"${id}","prompt":[{"type":"text","text":"x"}]}}`;
  const cancel = (id: string) =>
    `{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"${id}"}}`;
  expect(await about(prompt('s1'))).toEqual([]);
  expect(await about(prompt('a'))).toEqual([expect.stringContaining('S1.1 is a child session')]);
  expect(await about(cancel('a'))).toEqual([]);
  expect(await about(cancel('b'))).toEqual([expect.stringContaining('does not let its work')]);
});

const CHILDREN = `
  client →0 initialize {"protocolVersion":2}
  agent  ←0 result {"protocolVersion":2}
  client →1 session/new {"cwd":"/w"}
  agent  ←1 result {"sessionId":"s1"}
  agent  update s1 subagent_update {"sessionId":"a","capabilities":{"cancel":{}}}
  agent  update s1 subagent_update {"sessionId":"b"}`;

test('a placeholder is checked as the value that goes out, and marked where it stands', async () => {
  const text =
    '{"jsonrpc":"2.0","id":1,"method":"session/load","params":{"sessionId":"$sessionId","cwd":"$cwd","mcpServers":[]}}';
  const found = (cwd: string) =>
    diagnose(text, 1, undefined, [], 'client', text, { sessionId: 's', cwd });
  expect(await found('/w')).toEqual([]);
  const [warning] = await found('w');
  expect(text.slice(warning?.from, warning?.to)).toBe('"$cwd"');
});
