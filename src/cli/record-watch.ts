// `record --watch`: the scenario again whenever the agent's program changes; of each run only what is
// different from the one before.
import { existsSync, unwatchFile, watchFile } from 'node:fs';
import { sinceLast, type Done } from '../drive/scenario/since.ts';
import { textReport } from '../drive/scenario/report-text.ts';
import { isPassed } from '../drive/scenario/report.ts';
import { EXIT, UsageError } from './command.ts';
import { runOnce, type RunWish } from './record-run.ts';

/** A program is often written in several writes: it has to be still for so long. */
const STILL_MS = 300;
const MOST_MARKS = 30;

/** Until a signal ends it; the exit status is that of the last run. */
export async function watchRuns(wish: RunWish, file: string): Promise<number> {
  if (!existsSync(file))
    throw new UsageError(`--watch ${file}: there is no such file. Name the agent’s program.`);
  const changes = new Changes(file);
  const stop = () => changes.end();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  let last: Done | undefined;
  let marks = '';
  for (let run = 1; ; run++) {
    const done = await runOnce({ ...wish, isCompared: true }, 1);
    if (!done.ok) console.error(done.message);
    else {
      marks = `${marks}${isPassed(done.report) ? '✓' : '✗'}`.slice(-MOST_MARKS);
      console.log(await runWords(last, done, run, wish));
      console.log(`${marks}  Waiting for ${file} to change.`);
      last = done;
      if (done.isStopped) break;
    }
    if (!(await changes.next())) break;
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
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

/** Changes of a file, each told once it is still; those during a run count as one. */
class Changes {
  readonly #file: string;
  #isOver = false;
  #isPending = false;
  #tell: (() => void) | undefined;
  #still: NodeJS.Timeout | undefined;

  constructor(file: string) {
    this.#file = file;
    // Polled: a file that is replaced, as builds do, is the same file to it.
    watchFile(file, { interval: STILL_MS }, (now) => {
      clearTimeout(this.#still);
      if (now.mtimeMs > 0) this.#still = setTimeout(() => this.#changed(), STILL_MS);
    });
  }

  /** False: there will be none, it was ended. */
  async next(): Promise<boolean> {
    if (!this.#isPending && !this.#isOver) await new Promise<void>((done) => (this.#tell = done));
    this.#isPending = false;
    return !this.#isOver;
  }

  end(): void {
    unwatchFile(this.#file);
    clearTimeout(this.#still);
    this.#isOver = true;
    this.#tell?.();
  }

  #changed(): void {
    this.#isPending = true;
    this.#tell?.();
  }
}
