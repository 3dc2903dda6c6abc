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
  const faults = [{ fault: { duplicate: 1 }, on: 'session/*', times: 'all' }];
  expect(promptsIn({ steps: [prompt, prompt], faults })).toBe(4);
  expect(
    promptsIn({ steps: [prompt], faults: [{ fault: { duplicate: 1 }, on: 'initialize' }] }),
  ).toBe(1);
});
