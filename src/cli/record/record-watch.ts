// `record --watch`: the scenario again whenever the agent's program changes; of each run only what is
// different from the one before.
import { existsSync, unwatchFile, watchFile, type StatsListener } from 'node:fs';
import { EXIT, UsageError } from '../command.ts';
import { runOnce, type RecordWish } from './record-run.ts';
import { scenarioDocument } from '../../drive/scenario/report/document.ts';
import { isRunPassed } from '../../drive/scenario/report/report.ts';
import { sinceLast, type FinishedRun } from '../../drive/scenario/report/since.ts';
import { textReport } from '../../report/text.ts';

const MOST_MARKS = 30;

/** Until it is stopped; the exit status is that of the last run. */
export async function watchRuns(
  wish: RecordWish,
  file: string,
  stop: AbortSignal,
): Promise<number> {
  if (!existsSync(file))
    throw new UsageError(`--watch ${file}: there is no such file. Name the agent’s program.`);
  const changes = new FileChanges(file, stop);
  let last: FinishedRun | undefined;
  /** The newest whose agent lived through its handshake, with its number: others have nothing to compare. */
  let base: { readonly done: FinishedRun; readonly run: number } | undefined;
  let marks = '';
  let run = 0;
  do {
    run++;
    const done = await runOnce({ ...wish, isCompared: true }, 1, stop);
    if (!done.ok) console.error(done.message);
    else {
      marks = `${marks}${isRunPassed(done.report) ? '✓' : '✗'}`.slice(-MOST_MARKS);
      console.log(await runWords(base, done, run, wish));
      last = done;
      if (hadHandshake(done)) base = { done, run };
    }
    if (!stop.aborted) console.log(`${marks}  Waiting for ${file} to change.`);
  } while (await changes.next());
  return last && isRunPassed(last.report) ? EXIT.ok : EXIT.failed;
}

async function runWords(
  base: { readonly done: FinishedRun; readonly run: number } | undefined,
  done: FinishedRun,
  run: number,
  { scenario }: RecordWish,
): Promise<string> {
  if (base === undefined || !hadHandshake(done)) {
    const only = { name: '', steps: scenario.steps.length, runs: [done.report] };
    const report = textReport(scenarioDocument([only]));
    return run === 1 ? report : `Run ${run}:\n${report}`;
  }
  const names = { before: `run ${base.run}`, after: `run ${run}` };
  const lines = await sinceLast(base.done, done, names);
  return lines.length === 0
    ? `Run ${run}: nothing is different.`
    : [`Run ${run}:`, ...lines].join('\n');
}

function hadHandshake({ report }: FinishedRun): boolean {
  return report.failure?.step !== 0;
}

// Changes of one file, each told once the file is still. It is polled: a file that an editor or a build
// replaces by another stays the same file, on every system.

const POLL_MS = 200;
/** A program is often written in several writes. Longer than a poll, so that each of them counts. */
const STILL_MS = 500;

class FileChanges {
  readonly #file: string;
  readonly #stop: AbortSignal;
  #isPending = false;
  #tell: (() => void) | undefined;
  #still: NodeJS.Timeout | undefined;
  readonly #see: StatsListener = ({ mtimeMs }) => {
    clearTimeout(this.#still);
    // 0: it is gone, as it is for a moment while it is replaced.
    if (mtimeMs > 0) this.#still = setTimeout(() => this.#changed(), STILL_MS);
  };
  readonly #end = () => {
    unwatchFile(this.#file, this.#see);
    clearTimeout(this.#still);
    this.#tell?.();
  };

  /** Looks at the file from now on, until `stop`. */
  constructor(file: string, stop: AbortSignal) {
    this.#file = file;
    this.#stop = stop;
    if (stop.aborted) return;
    watchFile(file, { interval: POLL_MS }, this.#see);
    stop.addEventListener('abort', this.#end, { once: true });
  }

  /** Resolves with the next change; all since the last one asked for are one. False: it was stopped. */
  async next(): Promise<boolean> {
    if (!this.#isPending && !this.#stop.aborted)
      await new Promise<void>((done) => (this.#tell = done));
    this.#isPending = false;
    return !this.#stop.aborted;
  }

  #changed(): void {
    this.#isPending = true;
    this.#tell?.();
  }
}
