// `acp-scope record`: drives an agent without a page, writes what crossed to a trace file, and holds
// it against what a scenario asserts, once or whenever a file changes.
import {
  readdirSync,
  readFileSync,
  existsSync,
  unwatchFile,
  watchFile,
  type StatsListener,
} from 'node:fs';
import { basename, join } from 'node:path';
import { command, EXIT, FileError, UsageError, FileMistake } from './command.ts';
import { WORDS } from './words.ts';
import { agentWordsOf, HEADER_OPTION, URL_HELP } from './parts/agent-words.ts';
import { interceptBy } from './parts/intercept-file.ts';
import { onInterrupt } from './parts/interrupt.ts';
import { numberOption, protocolOf } from './parts/option-values.ts';
import { formatOf, formatWords, printReport, type ReportFormat } from './parts/print-report.ts';
import { FORCE_OPTION, outFiles } from './parts/out-file.ts';
import { RunFiles, runOnce, type RecordWish, scenarioOut } from './parts/record-run.ts';
import { promptScenario, readScenario } from '../drive/scenario/file/read.ts';
import { problemWords } from '../drive/scenario/file/text-problem.ts';
import type { Scenario } from '../drive/scenario/file/scenario.ts';
import { PATIENCE, type Patience } from '../drive/scenario/stage.ts';
import { endWords, type Ended } from '../drive/peer.ts';
import { scenariosJson, jsonReports, scenarioDocument } from '../drive/scenario/report/document.ts';
import {
  stepFailureWords,
  isRunPassed,
  type RunReport,
  type ScenarioReport,
  sinceLast,
  type FinishedRun,
} from '../drive/scenario/report/report.ts';
import { textReport } from '../report/text.ts';

const MOST_RUNS = 1000;

export const record = command({
  ...WORDS.record,
  details: [
    '--out FILE       the trace file to write, in the format of its name',
    '--force          overwrite FILE if it exists; never a file that is named after it',
    '--script FILE    a scenario (docs/scenarios.md), or steps, one JSON object a line; more than once,',
    '                 or a folder of *.scenario.json: all of them, with one report',
    '--prompt TEXT    without a script: the prompt of one new session (default: Hello); more than once:',
    '                 one turn after the other',
    '--protocol 1|2   the version to ask for; default: what the scenario says, else the highest',
    '--subagents      v1: say that child sessions are understood; v2 takes them for granted',
    '--repeat N       run the scenario N times and say how often it passed',
    '--watch CMD-FILE run again whenever this file changes, and show only what is different',
    '--timeout S      how long a response may take; default: 30. A prompt may take ten minutes',
    '--intercept FILE rules (docs/intercept.md) by which frames are held, changed or lost on their way',
    ...URL_HELP,
    `--format F       ${formatWords()}, on stdout`,
    'Permissions are allowed once where the scenario does not answer them. Exit 1 if a step or an',
    'assertion fails.',
  ],
  takes: ['agent'],
  options: {
    out: { type: 'string' },
    script: { type: 'string', multiple: true },
    prompt: { type: 'string', multiple: true },
    protocol: { type: 'string' },
    subagents: { type: 'boolean', default: false },
    repeat: { type: 'string', default: '1' },
    watch: { type: 'string' },
    timeout: { type: 'string' },
    intercept: { type: 'string' },
    header: HEADER_OPTION,
    format: { type: 'string', default: 'text' },
    ...FORCE_OPTION,
  },
  writes: ['--out'],
  async run({ values, agent }) {
    const { out, script, prompt, watch } = values;
    if (out === undefined) throw new UsageError('record needs --out FILE, the trace to write.');
    const words = agentWordsOf('record', agent, values.header);
    if (script !== undefined && prompt !== undefined)
      throw new UsageError(
        'record takes --script or --prompt, not both: a script says its prompts.',
      );
    const protocol = protocolOf(values.protocol);
    const format = formatOf(values.format);
    const runs = runsOf(values.repeat);
    if (watch !== undefined && (runs > 1 || format !== 'text'))
      throw new UsageError(
        '--watch goes with neither --repeat nor --format: it shows differences.',
      );
    const patience: Patience = {
      ms:
        values.timeout === undefined ? PATIENCE.ms : numberOption('timeout', values.timeout) * 1000,
      longer: 'To wait longer, give a larger --timeout, in seconds.',
    };
    const intercept = values.intercept === undefined ? undefined : interceptBy(values.intercept);
    const { force, intercept: rules = [] } = values;
    const reads = [rules, watch ?? [], (script ?? []).flatMap(scenarioPaths)].flat();
    const files = new RunFiles(outFiles({ option: '--out', force, reads }), out);
    const found = script === undefined ? [promptAlone(prompt)] : scenarioFiles(script);
    const wishes = found.map(({ scenario, name, stem }): NamedWish => ({
      scenario: {
        ...scenario,
        protocol: protocol ?? scenario.protocol,
        subagents: values.subagents || scenario.subagents,
      },
      agent: words,
      ...(intercept && { intercept }),
      patience,
      files,
      out: found.length > 1 ? scenarioOut(out, stem) : out,
      name,
    }));
    const [only] = wishes;
    if (watch !== undefined && (only === undefined || wishes.length > 1))
      throw new UsageError('--watch takes one scenario: it shows what is different about it.');
    for (const wish of wishes) await files.grantAll(wish, runs);
    const { stop, off } = onInterrupt();
    try {
      if (watch !== undefined && only) return await watchRuns(only, watch, stop);
      return await runAll(wishes, { runs, format, isScript: script !== undefined, stop });
    } finally {
      off();
    }
  },
});

interface NamedWish extends RecordWish {
  readonly name: string;
}

interface RunOptions {
  readonly runs: number;
  readonly format: ReportFormat;
  readonly isScript: boolean;
  readonly stop: AbortSignal;
}

function promptAlone(prompts: readonly string[] = ['Hello']): NamedScenario {
  return { scenario: promptScenario(prompts), name: 'prompt', stem: 'prompt' };
}

function runsOf(text: string): number {
  const runs = Number(text);
  if (Number.isInteger(runs) && runs >= 1 && runs <= MOST_RUNS) return runs;
  throw new UsageError(`--repeat ${text} is no number of runs. Give 1 to ${MOST_RUNS}.`);
}

async function runAll(wishes: readonly NamedWish[], options: RunOptions): Promise<number> {
  const { format, isScript, stop } = options;
  const reports: ScenarioReport[] = [];
  for (const wish of wishes) {
    reports.push(await repeat(wish, options));
    if (stop.aborted) break;
  }
  const [first] = reports;
  const only = wishes.length === 1 ? first : undefined;
  if (isScript || format !== 'text')
    printReport(
      format,
      () => scenarioDocument(reports),
      () => (only ? scenariosJson(only) : jsonReports(reports)),
    );
  const runs = reports.flatMap((report) => report.runs);
  for (const run of runs) tellEnd(run, isScript);
  return runs.every(isRunPassed) && !stop.aborted ? EXIT.ok : EXIT.failed;
}

/** Throws FileError: its agent cannot be started. */
async function repeat(wish: NamedWish, { runs: of, stop }: RunOptions): Promise<ScenarioReport> {
  const runs: RunReport[] = [];
  for (let run = 1; run <= of && (run === 1 || !stop.aborted); run++) {
    const done = await runOnce(wish, run, stop);
    if (!done.ok) throw new FileError(done.message);
    const { step, ended } = done.report.failure ?? {};
    // A URL that was no agent from the first line on was never reached.
    if (step === 0 && ended?.problem !== undefined) throw new FileError(ended.problem);
    runs.push(done.report);
  }
  return { name: wish.name, steps: wish.scenario.steps.length, runs };
}

function tellEnd({ failure, notes }: RunReport, isScript: boolean): void {
  for (const text of notes) console.error(text);
  if (failure?.ended) console.error(earlyEndWords(failure.ended));
  else if (failure && !isScript) console.error(stepFailureWords(failure));
}

function earlyEndWords(ended: Ended): string {
  const how = endWords(ended);
  const said =
    ended.cut === undefined && ended.problem === undefined
      ? `, with ${how.replace(/^code /, '')}.`
      : `: ${how.replace(/\.?$/, '.')}`;
  return `The agent ended before the script did${said} The trace holds its last words.`;
}

// Files of scenarios.

interface NamedScenario {
  readonly scenario: Scenario;
  /** Its own name, else that of its file. */
  readonly name: string;
  /** The file's name without its ending; no two of one call are the same. */
  readonly stem: string;
}

const ENDING = '.scenario.json';

/** Files, and all scenarios of folders, by name. Throws UsageError with every problem, a line each. */
function scenarioFiles(paths: readonly string[]): readonly NamedScenario[] {
  const problems: string[] = [];
  const found: NamedScenario[] = [];
  for (const path of paths.flatMap(scenarioPaths)) {
    const read = readFile(path);
    if ('problems' in read) problems.push(...read.problems);
    else {
      const stem = basename(path).replace(/(?:\.scenario)?\.(?:jsonl?|ndjson)$/, '');
      const same = found.filter((one) => one.stem.replace(/-\d+$/, '') === stem).length;
      found.push({ ...read, stem: same > 0 ? `${stem}-${same + 1}` : stem });
    }
  }
  if (problems.length > 0) throw new FileMistake(problems.join('\n'));
  return found;
}

/** The file itself, or the scenarios of a folder. Throws UsageError. */
function scenarioPaths(path: string): readonly string[] {
  let all: readonly string[];
  try {
    all = readdirSync(path);
  } catch {
    // A file, or nothing that can be read: whoever reads it says so.
    return [path];
  }
  const names = all.filter((name) => name.endsWith(ENDING));
  if (names.length === 0) throw new UsageError(`The folder ${path} holds no *${ENDING}.`);
  return names.sort().map((name) => join(path, name));
}

function readFile(
  path: string,
): Omit<NamedScenario, 'stem'> | { readonly problems: readonly string[] } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return { problems: [`The script ${path} cannot be read. Check the path.`] };
  }
  const read = readScenario(text);
  if (!read.ok)
    return { problems: read.problems.map((problem) => `${path}: ${problemWords(problem)}`) };
  for (const warning of read.warnings) console.error(`${path}: ${problemWords(warning)}`);
  return { scenario: read.scenario, name: read.scenario.name ?? basename(path) };
}

const MOST_MARKS = 30;

/** Until it is stopped; the exit status is that of the last run. */
async function watchRuns(wish: RecordWish, file: string, stop: AbortSignal): Promise<number> {
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
