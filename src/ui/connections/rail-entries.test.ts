import { expect, test } from 'vitest';
import type { TraceSummary } from '../../engine/messages.ts';
import { connectionFacts, sessionFacts } from '../../test/programs/running-app.ts';
import { connectionId } from '../../trace/event.ts';
import { railEntries, runWords, stayingPut } from './rail-words.ts';

function trace(number: number, run?: string): TraceSummary {
  return {
    ...{ connection: connectionId(`c${number}`), name: 'agent', number, mode: 'drive' },
    ...{ state: 'ended', startedAt: '', events: 1, frames: 1, stored: 1 },
    ...(run && { group: { id: run, title: 'Restore variants', label: `v2 ${number}` } }),
  };
}

test('the connections of a run are one entry, below those made by hand', () => {
  const entries = railEntries([trace(5), trace(4, 'a'), trace(3), trace(2, 'a'), trace(1, 'b')]);
  expect(
    entries.map((entry) =>
      'trace' in entry ? entry.trace.number : entry.run.traces.map(({ number }) => number),
    ),
  ).toEqual([5, 3, [2, 4], [1]]);
});

test('what is held stays where it was, with what is new of it; what came since stands on top', () => {
  const before = { connections: [trace(3), trace(2)], stored: [trace(1), trace(0)] };
  const ended = { ...trace(3), events: 9 };
  const now = { connections: [trace(4), trace(2), trace(1), ended], stored: [trace(5)] };
  expect(stayingPut(now, before)).toEqual({
    connections: [trace(4), ended, trace(2)],
    stored: [trace(5), trace(1)],
  });
});

test('a run says of which agent and session it is, and when it began', () => {
  const made = { ...trace(1), facts: connectionFacts({ sessions: [sessionFacts('s1')] }) };
  const [group] = [{ id: 'a', title: 'Restore variants', label: 'v2 start', session: 's1' }];
  const run = [{ ...trace(2), agent: 'Ant', startedAt: '2026-11-21T10:41:00', group }];
  const now = new Date('2026-11-21T12:00:00');
  expect(runWords(run, [made, ...run], now)).toBe('Ant · S1 · today 10:41');
  expect(runWords([trace(3, 'b')], [made], now)).toBe('agent');
});
