import { expect, test } from 'vitest';
import type { TraceSummary } from '../../engine/messages.ts';
import { connectionId } from '../../trace/event.ts';
import { connectionFacts, sessionFacts, traceSummary } from '../../test/programs/running-app.ts';
import { lastRunOf } from './last-run.ts';

const trace = (name: string, number: number, more: Partial<TraceSummary> = {}): TraceSummary => ({
  ...traceSummary(connectionFacts({ connection: connectionId(name) })),
  ...{ number, agent: 'toy' },
  ...more,
});
const group = (id: string, more: Partial<NonNullable<TraceSummary['group']>> = {}) => ({
  ...{ id, title: 'Restore variants', label: 'v1 load', session: 's1' },
  ...more,
});
const restored = connectionFacts({ sessions: [sessionFacts('s1', { chip: 'S2' })] });

test('a connection without a session knows the windows of the run that was begun on it', () => {
  const here = trace('here', 3);
  const traces = [
    trace('older', 4, { group: group('r1') }),
    trace('sent', 6, { group: group('r2'), facts: restored }),
    trace('copy', 7, { group: group('r2', { copy: true }), facts: restored }),
    trace('not sent', 8, { group: group('r2') }),
    here,
  ];
  expect(lastRunOf(traces, here)).toEqual({
    session: 's1',
    chip: 'S2',
    windows: 1,
    connection: connectionId('sent'),
  });
});

test('a run of another agent is none of it', () => {
  const here = trace('here', 3);
  expect(lastRunOf([trace('x', 4, { group: group('r1'), agent: 'other' }), here], here)).toBe(
    undefined,
  );
});
