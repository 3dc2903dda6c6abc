import { expect, test } from 'vitest';
import { promptCount } from './file/scenario.ts';
import { readScenario } from './file/read.ts';

function promptsIn(document: object): number {
  const read = readScenario(JSON.stringify(document));
  if (!read.ok) throw new Error(read.problems[0]?.message);
  return promptCount(read.scenario);
}

const prompt = { request: 'session/prompt', params: { sessionId: 's', prompt: [] } };

test('prompts are counted however they are written', () => {
  const line = JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'session/prompt', params: {} });
  expect(promptsIn({ steps: [{ request: 'session/new' }, prompt, { line }, { quiet: 1 }] })).toBe(
    2,
  );
  expect(promptsIn({ steps: [{ line: 'no message' }] })).toBe(0);
});

test('what a fault duplicates costs each time', () => {
  expect(promptsIn({ steps: [{ ...prompt, fault: { duplicate: 2 } }] })).toBe(3);
});

test('what an intercept duplicates or injects costs each time; where nothing says how often, it is refused', () => {
  const steps = [prompt, prompt];
  const twice = (on: string) => promptsIn({ steps, intercept: [{ on, duplicate: 1 }] });
  expect(twice('side:client method:session/*')).toBe(4);
  expect(twice('hello')).toBe(4);
  expect(twice('method:initialize')).toBe(2);
  expect(twice('side:agent')).toBe(2);
  const inject = { on: 'type:ntf', inject: { request: 'session/prompt', params: {} } };
  expect(promptsIn({ steps: [...steps, { intercept: [{ ...inject, times: 3 }] }] })).toBe(5);
  expect(() => promptsIn({ steps, intercept: [inject] })).toThrow('sends prompts without end');
});
