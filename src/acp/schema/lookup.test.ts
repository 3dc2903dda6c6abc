import { describe as group, expect, test } from 'vitest';
import { describe, fieldsAt } from './lookup.ts';
import type { SchemaPlace } from './lookup.ts';

const resume: SchemaPlace = {
  version: 2,
  from: 'client',
  method: 'session/resume',
  part: 'params',
  path: [],
};
const prompt: SchemaPlace = { ...resume, method: 'session/prompt', path: ['prompt', 0] };
const names = async (place: SchemaPlace) => (await fieldsAt(place)).map(({ name }) => name);

group('fields at a place', () => {
  test('of params: required ones first, unstable ones marked', async () => {
    const fields = await fieldsAt(resume);
    expect(fields.slice(0, 2).map(({ name }) => name)).toEqual(['sessionId', 'cwd']);
    expect(fields.find(({ name }) => name === 'replayFrom')).toEqual({
      name: 'replayFrom',
      required: false,
      type: 'an object or null',
      description: 'Inclusive cursor describing where conversation replay should begin',
    });
    expect(fields.find(({ name }) => name === 'configOptions')?.unstable).toBe(true);
  });
  test('of a union follow its tag', async () => {
    const value = { sessionId: 's', prompt: [{ type: 'text' }] };
    expect(await names({ ...prompt, value })).toEqual(['type', 'text', 'annotations']);
  });
  test('of a union whose tag is not chosen yet are all, none but the tag required', async () => {
    const fields = await fieldsAt(prompt);
    expect(fields.filter(({ required }) => required).map(({ name }) => name)).toEqual(['type']);
    expect(fields.map(({ name }) => name)).toEqual(expect.arrayContaining(['text', 'data', 'uri']));
    const value = { sessionId: 's', prompt: [{}] };
    expect(await names({ ...prompt, value })).toEqual(['type']);
  });
  test('of a text, of nowhere and of an unknown method are none', async () => {
    expect(await fieldsAt({ ...resume, path: ['cwd'] })).toEqual([]);
    expect(await fieldsAt({ ...resume, path: ['nowhere', 3] })).toEqual([]);
    expect(await fieldsAt({ ...resume, method: '_mine' })).toEqual([]);
    expect(await fieldsAt({ ...resume, path: ['__proto__'] })).toEqual([]);
  });
});

group('what a place says', () => {
  test('a tag has its values, each with its words', async () => {
    const found = await describe({ ...resume, path: ['replayFrom', 'type'] });
    expect(found).toMatchObject({ required: true, type: '"start" or another string' });
    expect(found?.values?.[0]).toEqual({
      value: 'start',
      description: 'Replay all retained conversation history from its first replayable entry',
    });
  });
  test('the params themselves', async () => {
    expect(await describe(resume)).toMatchObject({
      name: '',
      type: 'an object',
      description: 'Request parameters for resuming an existing session',
    });
  });
  test('a result is that of the side that answers', async () => {
    const place: SchemaPlace = {
      ...resume,
      from: 'agent',
      part: 'result',
      path: ['configOptions'],
    };
    expect((await describe(place))?.type).toMatch(/^a list of objects/);
    expect(await describe({ ...place, from: 'client' })).toBeUndefined();
  });
  test('a field deep inside an update', async () => {
    const place: SchemaPlace = {
      version: 1,
      from: 'agent',
      method: 'session/update',
      part: 'notification',
      path: ['update', 'status'],
      value: { update: { sessionUpdate: 'tool_call' } },
    };
    expect((await describe(place))?.values?.map(({ value }) => value)).toEqual([
      'pending',
      'in_progress',
      'completed',
      'failed',
    ]);
  });
  test('true and false', async () => {
    const path = ['agentCapabilities', 'loadSession'];
    const found = await describe({
      ...resume,
      version: 1,
      from: 'agent',
      method: 'initialize',
      part: 'result',
      path,
    });
    expect(found).toMatchObject({
      type: 'true or false',
      values: [{ value: true }, { value: false }],
    });
  });
});
