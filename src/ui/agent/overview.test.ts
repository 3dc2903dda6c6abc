import { expect, test } from 'vitest';
import type { TraceSession, TraceSummary } from '../../engine/messages.ts';
import type { RunVerdict } from '../../model/sessions/session-runs.ts';
import { railTree } from '../../state/connections/rail-tree.ts';
import { connectionId, seq } from '../../trace/event.ts';
import { agentOverview } from './overview.ts';

const judged = (history: RunVerdict['history']): RunVerdict => ({
  ...{ protocol: 'followed', history, headline: '', figures: '' },
  tape: [['replayed', 1]],
});
function restored(number: number, agentVersion: string, name: string, of: RunVerdict['history']) {
  const sessions: readonly TraceSession[] = [
    {
      ...{ sessionId: 's', chip: 'S1', items: 0 },
      restores: [{ request: seq(3), name, outcome: 'answered', late: 0, judged: judged(of) }],
    },
  ];
  const trace: TraceSummary = {
    ...{ connection: connectionId(`c${number}`), name: 'agent', number, mode: 'drive' },
    ...{ state: 'ended', startedAt: `2026-11-0${number}T00:00:00Z`, events: 1, frames: 1 },
    ...{ stored: 1, agent: 'Ant', agentVersion, sessions },
  };
  return trace;
}

test('one row per version, one column per shape, the worst verdict in each cell', () => {
  const traces = [
    restored(1, '1.3', 'start', 'equivalent'),
    restored(2, '1.3', 'load', 'identical'),
    restored(3, '1.4', 'start', 'identical'),
    restored(4, '1.4', 'start', 'wrong'),
  ];
  const [agent] = railTree(traces).agents;
  const { shapes, rows } = agentOverview(agent ?? { sessions: [] });
  expect(shapes).toEqual(['load', 'start']);
  expect(rows.map(({ version, restores }) => [version, restores])).toEqual([
    ['1.4', 2],
    ['1.3', 2],
  ]);
  const cell = rows[0]?.cells.get('start');
  expect([
    cell?.word.word,
    cell?.counts.map(({ word, times }) => `${times} ${word.word}`),
    cell?.run.trace.number,
    cell?.was?.word,
  ]).toEqual(['wrong', ['1 wrong', '1 identical'], 4, 'equivalent']);
  expect(rows[0]?.cells.get('load')).toBeUndefined();
  expect(rows[1]?.cells.get('start')?.was).toBeUndefined();
});
