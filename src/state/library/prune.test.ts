import { describe, expect, test } from 'vitest';
import type { TraceSummary } from '../../engine/messages.ts';
import { connectionId } from '../../trace/event.ts';
import { PRUNE_FORM, pruned, pruneProblem, ruleOf, type PruneRule } from './prune.ts';

const NOW = Date.parse('2026-11-23T10:00:00.000Z');
const OLD = '2026-09-01T10:00:00.000Z';
const YOUNG = '2026-11-22T10:00:00.000Z';

function trace(number: number, more: Partial<TraceSummary> = {}): TraceSummary {
  return {
    ...{ connection: connectionId(`c-${number}`), number, name: `${number}`, mode: 'drive' },
    ...{ state: 'ended', startedAt: OLD, events: 1, frames: 1, stored: 5_000_000, ...more },
  };
}
function prune(traces: readonly TraceSummary[], rule: PruneRule, around = {}) {
  const { goes, stays } = pruned(traces, rule, {
    ...{ now: NOW, here: undefined, elsewhere: [], ...around },
  });
  return {
    goes: goes.map(({ number }) => number),
    stays: stays.map(({ trace, why }) => `${trace.number} ${why}`),
  };
}

describe('a rule takes away', () => {
  test('what is older, and not what does not say when it began', () => {
    const traces = [trace(1), trace(2, { startedAt: YOUNG }), trace(3, { startedAt: '' })];
    expect(prune(traces, { days: 30 })).toEqual({ goes: [1], stays: [] });
  });

  test('what fits all that is given', () => {
    const traces = [trace(1), trace(2, { stored: 1 }), trace(3, { startedAt: YOUNG })];
    expect(prune(traces, { days: 30, megabytes: 4.9 }).goes).toEqual([1]);
    expect(prune(traces, { megabytes: 5 }).goes).toEqual([]);
  });

  test('what came here before the newest', () => {
    const traces = [trace(3), trace(1), trace(2)];
    expect(prune(traces, { newest: 2 }).goes).toEqual([1]);
    expect(prune(traces, { newest: 0 }).goes).toEqual([3, 1, 2]);
    expect(prune(traces, { days: 30, newest: 5 }).goes).toEqual([]);
  });
});

test('what is recorded, tagged or open stays, and the reason is told', () => {
  const traces = [
    trace(1, { state: 'running' }),
    trace(2, { tags: ['Keep'] }),
    trace(3),
    trace(4),
    trace(5),
    trace(6, { state: 'running', startedAt: YOUNG }),
  ];
  const around = { here: traces[2]?.connection, elsewhere: [traces[3]?.connection] };
  expect(prune(traces, { days: 30, keepTag: 'keep' }, around)).toEqual({
    goes: [5],
    stays: ['1 being recorded', '2 tagged keep', '3 open here', '4 open in another tab'],
  });
});

describe('what is typed', () => {
  const empty = { ...PRUNE_FORM, days: '' };

  test('is a rule where numbers are numbers, and none where nothing is given', () => {
    expect(ruleOf(PRUNE_FORM)).toEqual({ days: 30, keepTag: 'keep' });
    expect(ruleOf({ ...empty, megabytes: ' 1.5 ', newest: '20', keepTag: ' ' })).toEqual({
      ...{ megabytes: 1.5, newest: 20 },
    });
    expect(ruleOf(empty)).toBeUndefined();
  });

  test.each(['-1', 'x', '1e9', '1,5', '0x1'])('%s is no number, and a sentence says so', (days) => {
    expect(pruneProblem({ ...empty, days }, 'days')).toBe(
      'Write a number of days, like 30, or nothing.',
    );
    expect(ruleOf({ ...PRUNE_FORM, days })).toBeUndefined();
  });
  test('half a trace is not kept', () => {
    expect(pruneProblem({ ...empty, newest: '1.5' }, 'newest')).toMatch(/whole number/);
  });
});
