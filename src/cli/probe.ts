// `acp-scope probe`: questions to a live agent about sessions, restore and replay, each with a
// verdict. It never asks; what it costs is said before.
import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFailure, type Judging, readBaseline } from '../drive/verdict.ts';
import { PromptBudget } from '../drive/prompt-budget.ts';
import { globsIn, matcherOf, foreignTo, namesOne, probePlan } from '../drive/probes/plan.ts';
import { probeDocument, probesJson } from '../drive/probes/report/document.ts';
import { runProbes, type ProbeReport } from '../drive/probes/run.ts';
import {
  markerProblem,
  PROBE_TEXTS,
  type OwnProbeTexts,
  type ProbeTexts,
} from '../model/probe-texts.ts';
import { PROBE_WAITS, TURN_TIMES, type ProbeSettings } from '../drive/probes/world.ts';
import { defined } from '../lib/defined.ts';
import { count } from '../lib/format.ts';
import { programName } from '../lib/program-name.ts';
import { shortToken } from '../relay/run-folder.ts';
import { loadRemarks } from '../rules/steps.ts';
import { command, EXIT, FileError, UsageError } from './command.ts';
import { WORDS } from './words.ts';
import { agentWordsOf, URL_HELP } from './parts/agent-words.ts';
import { onInterrupt } from './parts/interrupt.ts';
import { NodeLauncher, CLIENT_NAME, type AgentWords } from './parts/launcher.ts';
import { JUDGED_OPTIONS, judgedBy } from './parts/judged-run.ts';
import { numberOption, protocolOf } from './parts/option-values.ts';
import { cursorOf } from './parts/trace-terms.ts';
import { tracesFolder } from './parts/out-places.ts';
import { formatOf, formatWords, printReport, type ReportFormat } from './parts/print-report.ts';

interface ProbeWish {
  readonly how: Omit<ProbeSettings, 'launcher' | 'name' | 'budget' | 'cwd' | 'otherCwd' | 'random'>;
  readonly version: 1 | 2 | undefined;
  readonly chosen: ((id: string) => boolean) | undefined;
  /** As given: what it does not name is left out on purpose. */
  readonly only: string | undefined;
  readonly maxPrompts: number;
  readonly judging: Judging;
  readonly out: string | undefined;
  readonly format: ReportFormat;
}

export const probe = command({
  ...WORDS.probe,
  details: [
    '--protocol 1|2      the version to probe; default: the highest the agent speaks',
    '--only GLOB         only these probes: "resume2/*,list/plain"; also asks those that are left out by default',
    '--all               also what is left out by default: probes that let the agent use a tool',
    '--max-prompts N     send at most N prompts; probes that would need more are skipped',
    '--subagents         v1: say that child sessions are understood; v2 takes them for granted',
    '--quiet MS          so long without a frame is silence; default: 750',
    '--timeout S         how long an answer may take; default: 30. A turn may take four times that',
    '--pause S           so long the shared session rests before it is first restored; default: 0',
    '--auth METHOD       sign in with this method on each connection',
    '--fail-on warn      end with 1 for warnings as well: a replay that brings less than was said; default: fail',
    '--cursor JSON       v2: a replay cursor that the agent documents, with $ID for the id it names: {"type":"_at","id":"$ID"}',
    '--baseline FILE     what failed or warned in an earlier run (--format json) fails no more',
    '--edition FILE      judge by the edition in this file (docs/editions.md); several for several versions',
    '--out DIR           keep the trace of every connection there, not only of failures',
    '--list              say what would be asked and what it costs, and end',
    '--prompt TEXT       the prompt of the shared session; $MARKER is a random word it must say back',
    '--long-prompt TEXT  works long enough to be cancelled',
    '--tool-prompt TEXT  makes the agent use a harmless tool',
    '--delegate-prompt TEXT, --delegate-long-prompt TEXT, --delegate-edit-prompt TEXT',
    '                    make a child session do the work; slowly, behind the turn; with a permission',
    ...URL_HELP,
    `--format F          ${formatWords()}, on stdout; progress goes to stderr`,
    'It makes sessions in a temporary folder, and closes and deletes none but those. docs/probes.md names every probe.',
  ],
  takes: ['agent'],
  options: {
    ...JUDGED_OPTIONS,
    only: { type: 'string' },
    all: { type: 'boolean', default: false },
    quiet: { type: 'string' },
    timeout: { type: 'string' },
    pause: { type: 'string' },
    auth: { type: 'string' },
    subagents: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    prompt: { type: 'string' },
    'long-prompt': { type: 'string' },
    'tool-prompt': { type: 'string' },
    'delegate-prompt': { type: 'string' },
    'delegate-long-prompt': { type: 'string' },
    'delegate-edit-prompt': { type: 'string' },
  },
  writes: ['--out'],
  async run({ values, agent }) {
    const { only, out, auth, cursor, subagents } = values;
    const number = (name: 'quiet' | 'timeout' | 'pause', otherwise: number) => {
      const text = values[name];
      return text === undefined ? otherwise : numberOption(name, text);
    };
    const version = protocolOf(values.protocol);
    const chosen = values.all ? allOf(only) : chosenOf(only);
    const patience = number('timeout', PROBE_WAITS.patience / 1000) * 1000;
    const wish: ProbeWish = {
      ...{ version, chosen, only, out, format: formatOf(values.format) },
      ...judgedBy('probe', values, readBaseline),
      how: {
        ...{ subagents, patience, turnPatience: patience * TURN_TIMES },
        quiet: number('quiet', PROBE_WAITS.quiet),
        pause: number('pause', 0) * 1000,
        texts: textsOf(
          defined({
            marker: values.prompt,
            long: values['long-prompt'],
            tool: values['tool-prompt'],
            delegate: values['delegate-prompt'],
            delegateLong: values['delegate-long-prompt'],
            delegateEdit: values['delegate-edit-prompt'],
          }),
        ),
        ...defined({ auth, cursor: cursor === undefined ? undefined : cursorOf(cursor) }),
      },
    };
    if (values.list) {
      console.log(listing(version, chosen));
      return EXIT.ok;
    }
    return probeAgent(
      agentWordsOf('probe', agent, values.header),
      wish,
      tracesFolder(out, 'acp-scope-traces-'),
    );
  },
});

async function probeAgent(words: AgentWords, wish: ProbeWish, traces: string): Promise<number> {
  const { version, chosen, only, maxPrompts, how, judging, out, format } = wish;
  // Real paths: an agent names the folder a link leads to.
  const scratch = await realpath(await mkdtemp(join(tmpdir(), 'acp-scope-probe-')));
  const [cwd, otherCwd] = [join(scratch, 'work'), join(scratch, 'other')];
  await Promise.all([cwd, otherCwd].map((folder) => mkdir(folder)));
  const launcher = new NodeLauncher(words, traces, () => undefined);
  const { stop, off } = onInterrupt(() => {
    console.error('Stopping: what is known so far follows.');
    void launcher.endAll();
  });
  let asked = 0;
  let all = 0;
  const outcome = await runProbes({
    settings: {
      ...{ ...how, launcher, cwd, otherCwd, random: shortToken },
      name: CLIENT_NAME,
      budget: new PromptBudget(maxPrompts),
    },
    ...defined({ version, chosen }),
    stop,
    remarksOf: await loadRemarks(),
    planned: ({ probes, prompts, connections }, agent) => {
      all = probes.length;
      const limit = maxPrompts < prompts ? `; --max-prompts allows ${maxPrompts}` : '';
      console.error(
        `${agent.title ?? agent.name ?? programName(words.argv)}, ACP version ${agent.version}: ${count(all, 'probe')}, at most ${count(prompts, 'prompt')} and ${count(connections, 'process', 'processes')}${limit}.`,
      );
    },
    ended: ({ id, verdict }) => console.error(`[${++asked}/${all}] ${verdict.padEnd(4)} ${id}`),
  });
  off();
  await launcher.endAll();
  await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  if (!outcome.ok) throw new FileError(outcome.message);
  const report = withLeftOut(outcome.report, only);
  const kept = out === undefined ? await keepFailures(report, traces) : undefined;
  const keeping = { ...judging, ...(kept && { kept: (trace: string) => kept.has(trace) }) };
  printReport(
    format,
    () => probeDocument(report, programName(words.argv), keeping),
    () => probesJson(report, words.argv, keeping),
  );
  const isFailed = [...report.probes, ...report.rules].some((one) => isFailure(one, keeping));
  if (report.stopped || isFailed) return EXIT.failed;
  if (report.wantsSignIn)
    throw new FileError(
      `${programName(words.argv)} gives no session before a sign-in (−32000). Sign in with its own program, or give --auth METHOD.`,
    );
  if (report.unasked === undefined) return EXIT.ok;
  if (format !== 'text') console.error(report.unasked);
  return EXIT.failed;
}

/** What `--only` does not name was left out on purpose; what it names and is of no use here was not. */
function withLeftOut(report: ProbeReport, only: string | undefined): ProbeReport {
  if (only === undefined) return report;
  const isTold = report.unasked === undefined;
  return { ...report, leftOut: isTold ? foreignTo(report.agent.version, only) : [] };
}

/** Traces that show a failure or a warning stay; with none, nor does the folder. */
async function keepFailures(
  { probes, rules }: ProbeReport,
  folder: string,
): Promise<ReadonlySet<string>> {
  const shown = [...probes, ...rules].filter(
    ({ verdict }) => verdict === 'fail' || verdict === 'warn',
  );
  const kept = new Set(shown.flatMap(({ evidence }) => evidence.map(({ trace }) => trace)));
  for (const name of await readdir(folder))
    if (!kept.has(join(folder, name))) await rm(join(folder, name), { force: true });
  if (kept.size === 0) await rm(folder, { recursive: true, force: true });
  return kept;
}

function listing(protocol: 1 | 2 | undefined, chosen?: (id: string) => boolean): string {
  const versions = protocol === undefined ? ([2, 1] as const) : ([protocol] as const);
  return versions
    .flatMap((one) => {
      const { probes, prompts, connections } = probePlan(one, chosen);
      return [
        `Version ${one}: ${count(probes.length, 'probe')}, at most ${count(prompts, 'prompt')} and ${count(connections, 'process', 'processes')}`,
        ...probes.map(({ id, prompts: cost, sentence }) => {
          const told = cost === 0 ? '' : ` ($${cost > 1 ? ` ×${cost}` : ''})`;
          return `  ${id.padEnd(28)} ${sentence}${told}`;
        }),
        '',
      ];
    })
    .join('\n')
    .trimEnd();
}

function chosenOf(globs: string | undefined): ((id: string) => boolean) | undefined {
  if (globs === undefined) return undefined;
  const all = globsIn(globs);
  const none = all.find((glob) => !namesOne(1, glob) && !namesOne(2, glob));
  if (none === undefined && all.length > 0) return matcherOf(globs);
  const what = none ?? JSON.stringify(globs);
  throw new UsageError(`--only ${what} names no probe. acp-scope probe --list names them.`);
}

function allOf(globs: string | undefined): () => boolean {
  if (globs === undefined) return () => true;
  throw new UsageError('--all and --only contradict each other: --only names all that is asked.');
}

function textsOf(given: OwnProbeTexts): ProbeTexts {
  const problem = markerProblem(given);
  if (problem !== undefined) throw new UsageError(`--prompt ${problem}.`);
  return { ...PROBE_TEXTS, ...given };
}
