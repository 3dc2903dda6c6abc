// A trace whose events have no times: nothing is invented for it, and nothing says zero.
import { describe, expect, test } from 'vitest';
import { waitingAt } from '../../model/facts/waiting.ts';
import { statsDocument } from '../../model/performance/document.ts';
import { StatsFold } from '../../model/performance/stats.ts';
import { densityOf } from '../../model/timeline/density.ts';
import type { RowView } from '../../model/timeline/row-view.ts';
import { textReport } from '../../report/text.ts';
import { checkTrace } from '../../rules/check-trace.ts';
import { draw, untimed } from './draw.ts';
import { indexed } from './indexed.ts';
import { recordings } from './recordings.ts';

const RECORDED = recordings().map(({ name, events }) => [name, events] as const);

describe.each(RECORDED)('%s without its times', (_, events) => {
  const bare = untimed(events);

  test('has the same rows, in the same order, but for times', () => {
    const none = {
      ...{ at: undefined, delta: undefined, latency: undefined, window: undefined },
      bar: undefined,
    };
    const timeless = (row: RowView) => ({
      ...row,
      ...none,
      ...(row.type === 'turn' && { turn: { ...row.turn, took: undefined } }),
    });
    expect(indexed(bare).rows().map(timeless)).toEqual(indexed(events).rows().map(timeless));
    for (const row of indexed(bare).rows()) {
      if (row.type !== 'frame') continue;
      expect([row.at, row.delta, row.latency, row.bar]).toEqual([
        NaN,
        undefined,
        undefined,
        undefined,
      ]);
    }
  });

  test('has no finding that it does not have with them', () => {
    const told = (findings: ReturnType<typeof checkTrace>['findings']) =>
      findings
        .filter(({ verdict }) => verdict === 'fail')
        .map(({ rule, seqs }) => `${rule} ${seqs.join(' ')}`);
    const known = new Set(told(checkTrace(events).findings));
    expect(told(checkTrace(bare).findings).filter((one) => !known.has(one))).toEqual([]);
  });
});

describe('a trace without times', () => {
  const bare = untimed(
    draw(`
      client →0 session/list
      +7000ms
      agent  ←0 result {"sessions":[]}
      client →1 session/prompt {"sessionId":"s1","prompt":[]}
      +1000ms
      agent  ←1 result {"stopReason":"end_turn"}
    `),
  );

  test('has no bars over time, no silences and no latency', () => {
    const trace = indexed(bare);
    const { index } = trace;
    const { from, agent, silences, windows } = densityOf(trace, 10);
    expect([from, agent.reduce((a, b) => a + b, 0), silences, windows]).toEqual([NaN, 0, [], []]);
    const { silence, usual, histogram, silences: told } = waitingAt(index, index.length);
    expect([silence, usual, told]).toEqual([NaN, undefined, []]);
    expect(histogram.every((n) => n === 0)).toBe(true);
  });

  test('its figures say that there are none, instead of zeros', () => {
    const fold = new StatsFold();
    for (const event of bare) fold.append(event);
    const stats = fold.stats();
    expect(stats.methods.map(({ latency }) => latency)).toEqual([undefined, undefined]);
    const text = textReport(statsDocument(stats));
    expect(text).toContain('4 frames without times');
    expect(text).not.toMatch(/\b0(\.0)? ms/);
  });
});
