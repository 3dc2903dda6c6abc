import { expect, test } from 'vitest';
import { scenarioFileName } from './scenario-words.ts';

test('a scenario is saved under the name of its trace, whatever that has in it', () => {
  expect(scenarioFileName('Bundled agent, crash-mid-turn')).toBe(
    'bundled-agent-crash-mid-turn.scenario.json',
  );
  expect(scenarioFileName('../..\\x\u202e.exe')).toBe('x-exe.scenario.json');
  expect(scenarioFileName('…')).toBe('trace.scenario.json');
});
