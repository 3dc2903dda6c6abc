// One run of a scenario from the command line: agents, their records, and what is to be said of them.
import { unlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from '../command.ts';
import { launchAgent, type AgentWords, type DrivenAgent, CLIENT_NAME } from './launcher.ts';
import { claimFree, nameWith, type OutFile, type OutFiles } from './out-file.ts';
import { checkWritable } from './out-places.ts';
import { nodeFinder } from './node-finder.ts';
import { readTrace, isPlainTrace } from './trace-files.ts';
import { rewrite } from './write-trace.ts';
import { recordOf, remarksFor, type RunRecord } from '../../drive/scenario/assert/record.ts';
import { defined } from '../../lib/defined.ts';
import type { MakeSteered } from '../../relay/intercept.ts';
import type { Scenario } from '../../drive/scenario/file/scenario.ts';
import { runReport, type RunReport } from '../../drive/scenario/report/report.ts';
import type { Patience } from '../../drive/scenario/stage.ts';
import { runScenario } from '../../drive/scenario/run.ts';

export interface RecordWish {
  readonly scenario: Scenario;
  readonly agent: AgentWords;
  readonly out: string;
  readonly files: RunFiles;
  readonly intercept?: MakeSteered;
  readonly patience?: Patience;
  /** Its record is wanted although nothing asserts. */
  readonly isCompared?: boolean;
}

const NOT_WHOLE = 'The run is not judged, as its record is not whole.';

type RunDone =
  | {
      readonly ok: true;
      readonly report: RunReport;
      readonly record: RunRecord;
    }
  /** The agent cannot be started, or its record is not whole: a sentence. */
  | { readonly ok: false; readonly message: string };

/** Says on stderr what was written. `run`: from 1, for the names of the files. `stop` ends its agents. */
export async function runOnce(wish: RecordWish, run: number, stop: AbortSignal): Promise<RunDone> {
  const { scenario, agent: words, out: wanted, files, isCompared, intercept, patience } = wish;
  const started: { agent: DrivenAgent; out: OutFile; path: string }[] = [];
  const end = () => {
    for (const { agent } of started) void agent.agent.kill();
  };
  stop.addEventListener('abort', end);
  const done = await runScenario(scenario, {
    // Each connection is a process, recorded in a file of its own.
    launcher: {
      async launch({ cwd = process.cwd(), env = {}, rules }) {
        const out = await files.grant(traceName(wanted, run, started.length + 1));
        checkWritable(out, 'trace');
        // Recorded line by line in our own format, so that a crash of ours loses nothing.
        const isPlain = isPlainTrace(out.path);
        const way = (nth: number) =>
          resolve(nameWith(`${out.path}.acptrace.jsonl`, nth > 1 ? `-${nth}` : ''));
        const path = isPlain ? resolve(out.path) : claimFree(way);
        const wished = {
          ...words,
          cwd,
          env,
          path,
          overwrite: !isPlain || out.replaces,
          ...defined({ intercept, rules }),
        };
        const launched = await launchAgent(wished, note);
        if (launched.ok) {
          started.push({ agent: launched.agent, out, path });
          files.made(out);
        } else if (!isPlain) await unlink(path);
        return launched;
      },
    },
    name: CLIENT_NAME,
    cwd: process.cwd(),
    finder: nodeFinder,
    stop,
    ...defined({ patience }),
  });
  stop.removeEventListener('abort', end);
  const paths: string[] = [];
  const written: string[] = [];
  let isWhole = true;
  for (const { agent, out, path } of started) {
    await agent.ended;
    if (!isPlainTrace(out.path)) {
      await rewrite(path, out);
      await unlink(path);
    }
    paths.push(out.path);
    const { last, shortfall } = agent.agent.recorder;
    // What it lacks was told by who recorded it.
    if (shortfall === undefined) written.push(`${out.path}: ${last} events.`);
    else isWhole = false;
  }
  if (done.problem !== undefined) return { ok: false, message: done.problem };
  for (const text of written) note(text);
  if (!isWhole) return { ok: false, message: NOT_WHOLE };
  const { asserts } = scenario;
  const remarks = await remarksFor(asserts.map(({ assertion }) => assertion));
  const isAltered = scenario.intercept ?? scenario.steps.find(({ kind }) => kind === 'intercept');
  const isLookedAt = asserts.length > 0 || isAltered !== undefined || isCompared === true;
  const traces = !isLookedAt ? [] : await Promise.all(paths.map(readTrace));
  const record = recordOf(traces, remarks);
  const report = await runReport(done, scenario, record, paths, nodeFinder);
  return { ok: true, report, record };
}

function note(text: string): void {
  console.error(text);
}

// Files of traces, named after --out.

/** `out.acptrace.jsonl`, `out.run2.acptrace.jsonl`, `out.c2.acptrace.jsonl`: numbers from 1. */
export function traceName(out: string, run: number, connection: number): string {
  return nameWith(out, `${run > 1 ? `.run${run}` : ''}${connection > 1 ? `.c${connection}` : ''}`);
}

/** `out.crash.acptrace.jsonl`: of one scenario of several. */
export function scenarioOut(out: string, stem: string): string {
  return nameWith(out, `.${stem}`);
}

/** The files of one command line. All are granted before anything is sent to an agent. */
export class RunFiles {
  readonly #files: OutFiles;
  readonly #named: string;
  readonly #granted = new Map<string, OutFile>();

  /** `named`: the one that the command line names; the others have names made from it. */
  constructor(files: OutFiles, named: string) {
    this.#files = files;
    this.#named = named;
  }

  /** Throws FileError, and UsageError if it is one that is read. */
  async grant(path: string): Promise<OutFile> {
    const known = this.#granted.get(path);
    if (known) return known;
    const isNamed = path === this.#named;
    const file = await (isNamed ? this.#files.named(path) : this.#files.beside(path, this.#named));
    this.#granted.set(path, file);
    return file;
  }

  /** It is this command's own now: another run may replace it. */
  made({ path }: OutFile): void {
    this.#granted.set(path, { path, replaces: true });
  }

  /** Those of all runs of a scenario: each restart is one connection more. */
  async grantAll({ scenario, out }: Pick<RecordWish, 'scenario' | 'out'>, runs: number) {
    const restarts = scenario.steps.filter(({ kind }) => kind === 'restart').length;
    for (let run = 1; run <= runs; run++)
      for (let connection = 1; connection <= 1 + restarts; connection++) {
        const path = traceName(out, run, connection);
        if (this.#granted.has(path))
          throw new UsageError(`Two runs would write ${path}. Rename one of the scenarios.`);
        await this.grant(path);
      }
  }
}
