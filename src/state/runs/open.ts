// The way to the tests of an agent or a trace from wherever one is shown, and of hearing how they ended.
import type { RunKind, RunState } from '../../engine/runs/run-messages.ts';
import type { App } from '../app.svelte.ts';

/** Shows a suite of tests, chosen alone, of the agent of this connection. */
export async function showTest(
  app: App,
  suite: RunKind,
  connection = app.current?.connection,
): Promise<void> {
  app.test = suite;
  if (connection === undefined) app.view = 'checks';
  else await app.show(connection, 'checks');
  const { testOf } = await import('./test.svelte.ts');
  await testOf(app).only(suite);
}

/** Who has gone elsewhere meanwhile hears of the end of a run; `before`: what was told of runs last. */
export async function tellEnd(app: App, state: RunState, before?: RunState): Promise<void> {
  const isOver = state.phase === 'ended' && before?.phase !== 'ended';
  if (!isOver || (app.view === 'checks' && app.test !== undefined)) return;
  const { kind, like, problem } = state;
  const run = () => void showTest(app, kind, like);
  const { RUN_ENDS } = await import('./run-words.ts');
  app.tell(problem ? 'warn' : 'info', problem ?? RUN_ENDS[kind], { label: 'Show', run });
}
