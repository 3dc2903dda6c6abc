// `acp-scope record`: drives an agent without a page, writes what crossed to a trace file, and holds
// it against what a scenario asserts.
import { styleText } from 'node:util';
import { promptScenario } from '../drive/scenario/read.ts';
import { jsonReport } from '../drive/scenario/report-json.ts';
import { junitReport } from '../drive/scenario/report-junit.ts';
import { textReport, type Paint } from '../drive/scenario/report-text.ts';
import { failureWords, isPassed, type RunReport } from '../drive/scenario/report.ts';
import { endWords } from '../drive/scenario/words.ts';
import { EXIT, parse, splitCommand, UsageError, type Command } from './command.ts';
import { oneOf, protocolOf } from './option-values.ts';
import { runOnce, type RunWish } from './record-run.ts';
import { watchRuns } from './record-watch.ts';
import { scenarioFile } from './scenario-files.ts';

const FORMATS = ['text', 'json', 'junit'] as const;
const MOST_RUNS = 1000;

export const record: Command = {
  usage:
    'acp-scope record --out FILE [--script FILE] [--prompt TEXT] [--protocol 1|2] [--repeat N] [--watch CMD-FILE] [--format text|json|junit] -- CMD ARGS…',
  summary: 'Drive an agent headless and write a trace; run a scenario and its assertions.',
  details: [
    '--out FILE       the trace file to write, in the format of its name; one that exists is replaced',
    '--script FILE    a scenario (docs/scenarios.md), or steps, one JSON object a line',
    '--prompt TEXT    without a script: the prompt of one new session (default: Hello)',
    '--protocol 1|2   the version to ask for; default: what the scenario says, else the highest',
    '--repeat N       run the scenario N times and say how often it passed',
    '--watch CMD-FILE run again whenever this file changes, and show only what is different',
    '--format F       text, json or junit, on stdout',
    'Permissions are allowed once where the scenario does not answer them. Exit 1 if a step or an',
    'assertion fails.',
  ],
  async run(args) {
    const { own, command } = splitCommand(args);
    const { values } = parse({
      args: [...own],
      options: {
        out: { type: 'string' },
        script: { type: 'string' },
        prompt: { type: 'string' },
        protocol: { type: 'string' },
        repeat: { type: 'string', default: '1' },
        watch: { type: 'string' },
        format: { type: 'string', default: 'text' },
      },
    });
    const { out, script, prompt, watch } = values;
    if (out === undefined) throw new UsageError('record needs --out FILE, the trace to write.');
    if (!command?.length) throw new UsageError('record needs the agent’s command after --.');
    if (script !== undefined && prompt !== undefined)
      throw new UsageError(
        'record takes --script or --prompt, not both: a script says its prompts.',
      );
    const protocol = protocolOf(values.protocol);
    const format = oneOf('format', values.format, FORMATS);
    const runs = runsOf(values.repeat);
    if (watch !== undefined && (runs > 1 || format !== 'text'))
      throw new UsageError(
        '--watch goes with neither --repeat nor --format: it shows differences.',
      );
    const { scenario, name } =
      script === undefined
        ? { scenario: promptScenario(prompt ?? 'Hello'), name: 'prompt' }
        : scenarioFile(script);
    const asked = protocol === undefined ? scenario : { ...scenario, protocol };
    const wish: RunWish = { scenario: asked, argv: command, out };
    if (watch !== undefined) return watchRuns(wish, watch);
    return repeat(wish, runs, name, format, script !== undefined);
  },
};

function runsOf(text: string): number {
  const runs = Number(text);
  if (Number.isInteger(runs) && runs >= 1 && runs <= MOST_RUNS) return runs;
  throw new UsageError(`--repeat ${text} is no number of runs. Give 1 to ${MOST_RUNS}.`);
}

async function repeat(
  wish: RunWish,
  of: number,
  name: string,
  format: (typeof FORMATS)[number],
  isScript: boolean,
): Promise<number> {
  const runs: RunReport[] = [];
  for (let run = 1; run <= of; run++) {
    const done = await runOnce(wish, run);
    if (!done.ok) {
      console.error(done.message);
      return EXIT.environment;
    }
    runs.push(done.report);
    if (done.isStopped) break;
  }
  const report = { name, steps: wish.scenario.steps.length, runs };
  if (format === 'json') console.log(jsonReport(report));
  else if (format === 'junit') console.log(junitReport(report));
  else if (isScript) console.log(textReport(report, process.stdout.isTTY ? colour : undefined));
  for (const { failure, notes } of runs) {
    for (const text of notes) console.error(text);
    if (failure?.ended)
      console.error(
        `The agent ended before the script did, with ${endWords(failure.ended).replace(/^code /, '')}. The trace holds its last words.`,
      );
    else if (failure && !isScript) console.error(`${failureWords(failure)}`);
  }
  return runs.every(isPassed) ? EXIT.ok : EXIT.failed;
}

const STYLES = { good: 'green', bad: 'red', unknown: 'blue', quiet: 'gray' } as const;

/** Only on a terminal; `styleText` heeds NO_COLOR from Node 22 on, so 20 is told here. */
const colour: Paint = (tone, text) =>
  process.env['NO_COLOR'] ? text : styleText(STYLES[tone], text);
