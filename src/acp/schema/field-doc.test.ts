import { describe, expect, test } from 'vitest';
import type { Json } from '../message.ts';
import { fieldDoc } from './field-doc.ts';
import type { FieldPlace } from './field-doc.ts';

const update: Json = {
  jsonrpc: '2.0',
  method: 'session/update',
  params: {
    sessionId: 's',
    extra: { deep: 1 },
    update: {
      sessionUpdate: 'tool_call',
      toolCallId: 't',
      title: 'Read',
      status: 'pending',
      rawInput: { path: '/a' },
      content: [{ type: 'content', content: { type: 'text', text: 'hi' } }],
      _meta: { traceparent: '00', 'a/b': { c: 1 } },
    },
  },
};
const place: FieldPlace = {
  version: 1,
  from: 'agent',
  method: 'session/update',
  message: update,
  path: ['params'],
};
const at = (...path: FieldPlace['path']) => fieldDoc({ ...place, path });

describe('a field of the schema', () => {
  test('has its type, whether it must be there, and all that the schema says', async () => {
    const doc = await at('params', 'update', 'toolCallId');
    expect(doc).toMatchObject({ name: 'toolCallId', type: 'a string', required: true });
    expect(doc.texts.join(' ')).toContain('Unique identifier for this tool call');
    expect((await at('params', 'sessionId')).texts.at(-1)).toMatch(
      /See protocol docs: \[Session ID\]\(https:\/\/agentclientprotocol\.com\/protocol\/v1\/session-setup/,
    );
  });
  test('has its values with what they mean, and what the official SDK makes of others', async () => {
    const doc = await at('params', 'update', 'status');
    expect(doc.type).toBe('one of these');
    expect(doc.values?.[0]).toMatchObject({ value: 'pending', description: expect.any(String) });
    expect(doc.sdk).toBe('The official SDK reads a wrong value as left out.');
  });
  test('is found through lists and unions', async () => {
    const doc = await at('params', 'update', 'content', 0, 'content', 'text');
    expect(doc).toMatchObject({ name: 'text', type: 'a string', required: true });
    expect(await at('params', 'update', 'content', 0)).toMatchObject({ name: 'content[0]' });
  });
  test('of a tag lists every variant, those of the unstable schema marked', async () => {
    const doc = await at('params', 'update', 'sessionUpdate');
    const notes = doc.values?.filter(({ unstable }) => unstable).map(({ value }) => value);
    expect(doc.values?.map(({ value }) => value)).toContain('tool_call');
    expect(notes).toContain('plan_removed');
  });
});

describe('what the schema does not know says so', () => {
  test('a field of nobody', async () => {
    expect(await at('params', 'extra')).toEqual({
      name: 'extra',
      version: 1,
      label: 'not in the schema',
      note: 'Neither v1 nor v2 has such a field here. Data of one’s own belongs in `_meta`.',
      texts: [],
    });
  });
  test('a field of the other version, with what that says', async () => {
    const message = { id: 1, method: 'session/resume', params: { replayFrom: { type: 'start' } } };
    const doc = await fieldDoc({
      version: 1,
      from: 'client',
      method: 'session/resume',
      message,
      path: ['params', 'replayFrom'],
    });
    expect(doc).toMatchObject({ version: 2, label: 'not in v1', note: 'v2 has it, and says:' });
    expect(doc.texts.join(' ')).toContain('replay');
  });
  test('a field inside free JSON', async () => {
    expect((await at('params', 'update', 'rawInput', 'path')).note).toBe(
      'Any JSON may stand in `rawInput`: the schema says nothing of its fields.',
    );
  });
  test('_meta, a trace context in it, and data of one’s own', async () => {
    const own = ['params', 'update', '_meta'] as const;
    expect((await at(...own)).type).toBe('an object or null');
    expect((await at(...own, 'traceparent')).texts[0]).toContain('W3C Trace Context');
    expect((await at(...own, 'a/b', 'c')).note).toContain('Data of one’s own');
  });
  test('a method of one’s own, an unknown method, an answer without its request', async () => {
    const note = async (method: string | undefined, message: Json) =>
      (await fieldDoc({ ...place, method, message, path: ['params', 'a'] })).note;
    expect(await note('_mine/do', update)).toBe(
      '`_mine/do` is a method of one’s own: it has no schema.',
    );
    expect(await note('session/nope', update)).toContain('is not a method of ACP');
    expect(await note(undefined, { id: 1, result: {} })).toContain('not in the trace');
    expect((await at('nobody')).note).toBe('JSON-RPC has no such field.');
  });
});

describe('the envelope', () => {
  test('a method says what it is for', async () => {
    const doc = await at('method');
    expect(doc.type).toBe('a method');
    expect(doc.texts[0]).toContain('session');
  });
  test('an error is described as any other field', async () => {
    const message = { id: 1, error: { code: -32000, message: 'no' } };
    const doc = await fieldDoc({ ...place, message, path: ['error', 'code'] });
    expect(doc).toMatchObject({ type: 'a whole number', required: true });
  });
  test('an id and the version of JSON-RPC have words of their own', async () => {
    expect((await at('id')).texts[0]).toContain('response');
    expect((await at('jsonrpc')).type).toBe('always "2.0"');
  });
});
