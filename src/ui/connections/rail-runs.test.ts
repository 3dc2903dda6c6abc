import { expect, test } from 'vitest';
import type { TraceSummary } from '../../engine/messages.ts';
import { connectionId } from '../../trace/event.ts';
import { railEntries } from './rail-runs.ts';

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
