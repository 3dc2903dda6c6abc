import { expect, test } from 'vitest';
import type { RunSummary } from '../../engine/runs/run-messages.ts';
import { connectionFacts, runningApp } from '../../test/programs/running-app.ts';
import { until } from '../../test/programs/until.ts';
import { lastTestIn } from './last-test.ts';

test('the last test of an agent says how many cases came out worse than before', async () => {
  const argv = ['node', 'kettle.js'];
  const run = (id: string, at: string): RunSummary => ({
    ...{ id, kind: 'probes', at, agent: 'Kettle', version: 1, argv, counts: { pass: 1, fail: 1 } },
    ...{ of: undefined, name: undefined },
  });
  const verdicts: Record<string, readonly ['pass' | 'fail', 'pass' | 'fail']> = {
    ...{ now: ['fail', 'pass'], then: ['pass', 'pass'] },
  };
  const report = (_kind: string, { run: id }: { run: string }) =>
    Promise.resolve({
      ...{ id, at: id, waiting: [] },
      results: verdicts[id]?.map((verdict, i) => ({ id: `p${i}`, verdict, why: '', evidence: [] })),
    });
  const kept = [run('now', '2026-11-28T10:00:00Z'), run('then', '2026-11-28T09:00:00Z')];
  const app = await runningApp(
    { runs: { keptRuns: () => Promise.resolve(kept), report } as never },
    connectionFacts({ started: { argv, cwd: '/w' } }),
  );
  const it = lastTestIn(app);
  it.watch();
  await until(() => expect(it.told).toMatchObject({ id: 'now', worse: 1 }));
});
