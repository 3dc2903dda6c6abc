// `record --watch`: the scenario again whenever the agent's program changes; of each run only what is
// different from the one before.
import { existsSync } from 'node:fs';
import { sinceLast, type Done } from '../drive/scenario/since.ts';
import { textReport } from '../drive/scenario/report-text.ts';
import { isPassed } from '../drive/scenario/report.ts';
import { EXIT, UsageError } from './command.ts';
import { FileChanges } from './file-changes.ts';
import { runOnce, type RunWish } from './record-run.ts';

const MOST_MARKS = 30;

/** Until it is stopped; the exit status is that of the last run. */
export async function watchRuns(wish: RunWish, file: string, stop: AbortSignal): Promise<number> {
  if (!existsSync(file))
    throw new UsageError(`--watch ${file}: there is no such file. Name the agent’s program.`);
  const changes = new FileChanges(file, stop);
  let last: Done | undefined;
  let marks = '';
  let run = 0;
  do {
    run++;
    const done = await runOnce({ ...wish, isCompared: true }, 1, stop);
    if (!done.ok) console.error(done.message);
    else {
      marks = `${marks}${isPassed(done.report) ? '✓' : '✗'}`.slice(-MOST_MARKS);
      console.log(await runWords(last, done, run, wish));
      last = done;
    }
    if (!stop.aborted) console.log(`${marks}  Waiting for ${file} to change.`);
  } while (await changes.next());
  return last && isPassed(last.report) ? EXIT.ok : EXIT.failed;
}

async function runWords(
  last: Done | undefined,
  done: Done,
  run: number,
  { scenario }: RunWish,
): Promise<string> {
  if (last === undefined)
    return textReport({ name: '', steps: scenario.steps.length, runs: [done.report] });
  const names = { before: `run ${run - 1}`, after: `run ${run}` };
  const lines = await sinceLast(last, done, names);
  return lines.length === 0
    ? `Run ${run}: nothing is different.`
    : [`Run ${run}:`, ...lines].join('\n');
}
