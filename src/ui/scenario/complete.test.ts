import { CompletionContext } from '@codemirror/autocomplete';
import { json } from '@codemirror/lang-json';
import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { scenarioWords } from '../../engine/runs/scenario-run.ts';
import { completeScenario } from './complete.ts';

/** What is offered at `|`, asked for by a person. */
async function offered(marked: string): Promise<string[]> {
  const state = EditorState.create({ doc: marked.replace('|', ''), extensions: [json()] });
  const context = new CompletionContext(state, marked.indexOf('|'), true);
  const found = await completeScenario(context, scenarioWords());
  return (found?.options ?? []).map(({ label }) => label.replaceAll('"', ''));
}

test('the document, its lists and its steps offer their fields, those there already not', async () => {
  expect(await offered('{|}')).toEqual(expect.arrayContaining(['name', 'steps', 'assert']));
  expect(await offered('{"steps":[{|}]}')).toEqual(
    expect.arrayContaining(['request', 'expect', 'kill', 'restart']),
  );
  const more = await offered('{"steps":[{"expect":"is:error", |}]}');
  expect(more).toEqual(expect.arrayContaining(['nth', 'within', 'capture']));
  expect(more).not.toContain('expect');
});

test('methods and the params of a method come from the protocol', async () => {
  expect(await offered('{"steps":[{"request":"session/|"}]}')).toContain('session/prompt');
  expect(await offered('{"steps":[{"answer":"|"}]}')).toContain('session/request_permission');
  expect(await offered('{"steps":[{"request":"session/prompt","params":{|}}]}')).toContain(
    'prompt',
  );
});

test('values that are a choice are offered', async () => {
  expect(await offered('{"steps":[{"kill":"|"}]}')).toContain('SIGKILL');
  expect(await offered('{"protocol": |}')).toEqual(['1', '2']);
  expect(await offered('{"steps":[{"line":"x","fault":{|}}]}')).toContain('truncate');
});

test('inside queries and assertions their fields and values are offered, in params what was captured', async () => {
  expect(await offered('{"steps":[{"expect":"side:agent upd|"}]}')).toEqual(['update:']);
  expect(await offered('{"assert":["count(type:e|) = 0"]}')).toEqual(['err', 'evt']);
  expect(await offered('{"assert":[{"that":"restore(last) = replayed-from|"}]}')).toEqual([
    'replayed-from-start',
    'replayed-from-cursor',
  ]);
  expect(
    await offered(
      '{"steps":[{"expect":"x","capture":{"$tool":"/id"}},{"request":"m","params":{"a":"$t|"}}]}',
    ),
  ).toEqual(['$tool']);
});

test('a place far behind what the editor has parsed by itself is completed too', async () => {
  const before = '{"prompt":"a long prompt"},'.repeat(4000);
  expect(await offered(`{"steps":[${before}{"kill":"|"}]}`)).toContain('SIGKILL');
});
