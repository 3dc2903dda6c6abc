import { expect, test } from 'vitest';
import { scenarioWords } from '../../engine/runs/scenario-run.ts';
import { inAssertion, inQuery, namesBefore } from './complete.ts';

const WORDS = scenarioWords();
const labels = ({ options }: { options: readonly { label: string }[] }) =>
  options.map(({ label }) => label);

test.each([
  ['', 'side:'],
  ['side:agent up', 'update:'],
  ['-is:re', 'replay'],
  ['type:req,er', 'err'],
  ['update:tool', 'tool_call'],
  ['method:session/pr', 'session/prompt'],
  ['connec', 'connection:'],
])('in a query, behind %j, %s is offered', (before, label) => {
  expect(labels(inQuery(before, WORDS))).toContain(label);
});

test.each([
  ['co', 'count('],
  ['none(ty', 'type:'],
  ['count(is:replay update:tool_call_', 'tool_call_update'],
  ['restore(', 'last'],
  ['restore(last) = replayed-', 'replayed-from-start'],
  ['fidelity(S1) >= co', 'cosmetic'],
  ['finding(w', 'warning'],
])('in an assertion, behind %j, %s is offered', (before, label) => {
  expect(labels(inAssertion(before, WORDS))).toContain(label);
});

test('names are those that have a value, also inside a text', () => {
  const text = '{"steps":[{"expect":"x","capture":{"$tool":"/params"}},{"request":"m","params":"';
  expect(labels(namesBefore(text, '$'))).toEqual(['$cwd', '$sessionId', '$tool']);
  expect(labels(namesBefore(text, 'the ${to'))).toEqual(['tool']);
  expect(labels(namesBefore(text, 'plain'))).toEqual([]);
});

test('what was typed is what the option replaces', () => {
  expect(inQuery('side:agent type:re', WORDS).back).toBe(2);
  expect(inAssertion('count(kind:ed', WORDS).back).toBe(2);
  expect(namesBefore('', '$se').back).toBe(3);
});
