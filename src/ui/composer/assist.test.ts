import { CompletionContext } from '@codemirror/autocomplete';
import { json } from '@codemirror/lang-json';
import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import type { ComposerKind } from '../../state/connections/composer-line.ts';
import { complete, type AssistContext } from './assist.ts';

/** What is offered at `|`, asked for by a person. */
async function offered(marked: string, more: Partial<AssistContext> = {}): Promise<string[]> {
  const state = EditorState.create({ doc: marked.replace('|', ''), extensions: [json()] });
  const context: AssistContext = {
    version: 2,
    kind: 'request' as ComposerKind,
    requestMethod: undefined,
    known: () => [],
    ...more,
  };
  const found = await complete(new CompletionContext(state, marked.indexOf('|'), true), context);
  return (found?.options ?? []).map(({ label }) => label);
}

test('methods of the version and kind are offered', async () => {
  expect(await offered('{"method":"|"}')).toContain('"session/prompt"');
  expect(await offered('{"method":"|"}')).not.toContain('"session/load"');
  expect(await offered('{"method":"|"}', { version: 1 })).toContain('"session/load"');
  expect(await offered('{"method":"|"}', { kind: 'notification' })).toContain('"session/cancel"');
});

test('fields of the params are offered, those there already are not', async () => {
  const fields = await offered('{"method":"session/resume","params":{"cwd":"/",|}}');
  expect(fields).toContain('"replayFrom"');
  expect(fields).not.toContain('"cwd"');
  expect(await offered('{"method":"x","params":{|}}')).toEqual([]);
});

test('values are offered from the schema, also in a list and while the text is broken', async () => {
  const prompt = '{"method":"session/prompt","params":{"prompt":[{"type":"|"}]}}';
  expect(await offered(prompt)).toContain('"resource_link"');
  expect(await offered('{"method":"session/prompt","params":{"prompt":[{"type":"|')).toContain(
    '"text"',
  );
  const flag = '{"method":"initialize","params":{"clientCapabilities":{"terminal":t|}}}';
  expect(await offered(flag, { version: 1 })).toContain('true');
});

test('values only the connection knows are offered in an answer', async () => {
  const known = (name: string) => (name === 'optionId' ? [{ token: '"o1"', what: 'Yes' }] : []);
  const answer = '{"id":0,"result":{"outcome":{"outcome":"selected","optionId":"|"}}}';
  const more = { kind: 'response' as const, requestMethod: 'session/request_permission', known };
  expect(await offered(answer, more)).toEqual(['"o1"']);
  expect(await offered('{"id":0,"result":{"outcome":{"outcome":"|"}}}', more)).toContain(
    '"cancelled"',
  );
});

test('what is typed narrows, beginnings first', async () => {
  const found = await offered('{"method":"session/prompt","params":{"prompt":[{"type":"re|"}]}}');
  expect(found.toSorted()).toEqual(['"resource"', '"resource_link"']);
  const methods = await offered('{"method":"list|"}');
  expect(methods).toContain('"session/list"');
  expect(methods).not.toContain('"session/new"');
});

test('a raw line has no helper', async () => {
  expect(await offered('{"method":"|"}', { kind: 'raw' })).toEqual([]);
});
