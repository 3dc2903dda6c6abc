// One run of a scenario from the command line: agents, their records, and what is to be said of them.
import { unlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { launchProcess, type DrivenProcess, CLIENT_NAME } from '../parts/launcher.ts';
import { nodePatterns } from '../parts/node-patterns.ts';
import { readTrace, isPlainTrace, rewrite } from '../parts/trace-files.ts';
import type { Launched, Launcher, LaunchWish } from '../../drive/peer.ts';
import { recordOf, type RunRecord } from '../../drive/scenario/assert/record.ts';
import type { Scenario } from '../../drive/scenario/file/scenario.ts';
import { runReport, type RunReport } from '../../drive/scenario/report/report.ts';
import { runScenario } from '../../drive/scenario/run.ts';
import { loadRemarks } from '../../rules/steps.ts';
import type { Seq } from '../../trace/event.ts';

export interface RunWish {
  readonly scenario: Scenario;
  readonly argv: readonly string[];
  readonly out: string;
  /** Its record is wanted although nothing asserts. */
  readonly isCompared?: boolean;
}

export type RunDone =
  | {
      readonly ok: true;
      readonly report: RunReport;
      readonly record: RunRecord;
    }
  /** The agent cannot be started: a sentence. */
  | { readonly ok: false; readonly message: string };

/** Says on stderr what was written. `run`: from 1, for the names of the files. `stop` ends its agents. */
export async function runOnce(wish: RunWish, run: number, stop: AbortSignal): Promise<RunDone> {
  const { scenario, argv, out, isCompared } = wish;
  const note = (text: string) => console.error(text);
  const launcher = new ScenarioLauncher(argv, (at) => traceName(out, run, at), note);
  const end = () => launcher.endAll();
  stop.addEventListener('abort', end);
  const done = await runScenario(scenario, {
    launcher,
    name: CLIENT_NAME,
    cwd: process.cwd(),
    patterns: nodePatterns,
    stop,
  });
  stop.removeEventListener('abort', end);
  const files = await launcher.written();
  if (done.problem !== undefined) return { ok: false, message: done.problem };
  for (const { path, events } of files) console.error(`${path}: ${events} events.`);
  const { asserts } = scenario;
  const remarks = asserts.some(({ source }) => /finding|sev:/.test(source))
    ? await loadRemarks()
    : undefined;
  const isLookedAt = asserts.length > 0 || isCompared === true;
  const traces = !isLookedAt ? [] : await Promise.all(files.map(({ path }) => readTrace(path)));
  const record = recordOf(traces, remarks);
  const paths = files.map(({ path }) => path);
  const report = await runReport(done, asserts, record, paths, nodePatterns);
  return { ok: true, report, record };
}

// The agents of a scenario: each connection a process, recorded in a file named after --out.

export interface WrittenTrace {
  readonly path: string;
  readonly events: Seq;
}

/** `out.acptrace.jsonl`, `out.run2.acptrace.jsonl`, `out.c2.acptrace.jsonl`: numbers from 1. */
export function traceName(out: string, run: number, connection: number): string {
  return named(out, `${run > 1 ? `.run${run}` : ''}${connection > 1 ? `.c${connection}` : ''}`);
}

/** `out.crash.acptrace.jsonl`: of one scenario of several. */
export function scenarioOut(out: string, stem: string): string {
  return named(out, `.${stem}`);
}

function named(out: string, more: string): string {
  const ending = /(?:\.acptrace\.jsonl|\.ndjson|\.jsonl)?(?:\.gz)?$/.exec(out)?.index ?? out.length;
  return `${out.slice(0, ending)}${more}${out.slice(ending)}`;
}

export class ScenarioLauncher implements Launcher {
  readonly #argv: readonly string[];
  readonly #nameOf: (connection: number) => string;
  readonly #note: (text: string) => void;
  readonly #started: {
    readonly agent: DrivenProcess;
    readonly out: string;
    readonly path: string;
  }[] = [];

  /** `nameOf`: the file of each connection, from 1; one that exists is replaced. */
  constructor(
    argv: readonly string[],
    nameOf: (connection: number) => string,
    note: (text: string) => void,
  ) {
    this.#argv = argv;
    this.#nameOf = nameOf;
    this.#note = note;
  }

  async launch({ cwd = process.cwd(), env = {} }: LaunchWish): Promise<Launched> {
    const out = this.#nameOf(this.#started.length + 1);
    // Recorded line by line in our own format, so that a crash of ours loses nothing.
    const path = resolve(isPlainTrace(out) ? out : `${out}.acptrace.jsonl`);
    const wish = { argv: this.#argv, cwd, env, path, overwrite: true };
    const started = await launchProcess(wish, this.#note);
    if (started.ok) this.#started.push({ agent: started.agent, out, path });
    return started;
  }

  /** Ends every agent that runs, with all it started. */
  endAll(): void {
    for (const { agent } of this.#started) void agent.process.kill();
  }

  /** After all have ended: each record in the format of its name. */
  async written(): Promise<readonly WrittenTrace[]> {
    const files: WrittenTrace[] = [];
    for (const { agent, out, path } of this.#started) {
      await agent.ended;
      if (!isPlainTrace(out)) {
        await rewrite(path, out);
        await unlink(path);
      }
      files.push({ path: out, events: agent.process.recorder.last });
    }
    return files;
  }
}
