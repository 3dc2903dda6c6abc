// `acp-scope probe`: questions to a live agent about sessions, restore and replay, each with a
// verdict. It never asks; what it costs is said before.
import { randomInt } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { styleText } from 'node:util';
import { version } from '../../package.json';
import { PromptBudget } from '../drive/prompt-budget.ts';
import { matcherOf } from '../drive/probes/glob.ts';
import { planOf } from '../drive/probes/plan.ts';
import type { ProbeWord } from '../drive/probes/probe.ts';
import { readBaseline, type Baseline } from '../drive/probes/report/baseline.ts';
import type { Keeping } from '../drive/probes/report/keeping.ts';
import { jsonReport } from '../drive/probes/report/json.ts';
import { junitReport } from '../drive/probes/report/junit.ts';
import { textReport } from '../drive/probes/report/text.ts';
import { runProbes, type ProbeReport } from '../drive/probes/run.ts';
import { PROBE_TEXTS, type ProbeTexts } from '../drive/probes/world.ts';
import { count } from '../lib/format-count.ts';
import { programName } from '../lib/program-name.ts';
import { loadRemarks } from '../rules/load-schemas.ts';
import { EXIT, parse, splitCommand, UsageError, type Command } from './command.ts';
import { NodeLauncher } from './launcher.ts';

const FORMATS = ['text', 'json', 'junit'] as const;
type Format = (typeof FORMATS)[number];

const QUIET_MS = 750;
const ANSWER_S = 30;
const TURN_S = 120;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

export const probe: Command = {
  usage:
    'acp-scope probe [--protocol 1|2] [--only GLOB] [--max-prompts N] [--quiet MS] [--baseline FILE] [--out DIR] [--list] [--format text|json|junit] -- CMD ARGS…',
  summary: 'Ask a live agent what its sessions, restores and replays do.',
  details: [
    '--protocol 1|2      the version to probe; default: the highest the agent speaks',
    '--only GLOB         only these probes: "resume2/*,list/plain"; also asks those that are left out by default',
    '--max-prompts N     send at most N prompts; probes that would need more are skipped',
    '--quiet MS          so long without a frame is silence; default: 750',
    '--timeout S         how long an answer may take; default: 30. A turn may take four times that',
    '--pause S           so long the shared session rests before it is first restored; default: 0',
    '--auth METHOD       sign in with this method on each connection',
    '--baseline FILE     what failed in an earlier run (--format json) fails no more',
    '--out DIR           keep the trace of every connection there, not only of failures',
    '--list              say what would be asked and what it costs, and end',
    '--prompt TEXT       the prompt of the shared session; $MARKER is a random word it must say back',
    '--long-prompt TEXT  works long enough to be cancelled',
    '--tool-prompt TEXT  makes the agent use a harmless tool',
    '--format F          text, json or junit, on stdout; progress goes to stderr',
    'It makes sessions in a temporary folder, and closes and deletes none but those. docs/probes.md names every probe.',
  ],
  async run(args) {
    const { own, command } = splitCommand(args);
    const { values } = parse({
      args: [...own],
      options: {
        protocol: { type: 'string' },
        only: { type: 'string' },
        'max-prompts': { type: 'string' },
        quiet: { type: 'string' },
        timeout: { type: 'string' },
        pause: { type: 'string' },
        auth: { type: 'string' },
        baseline: { type: 'string' },
        out: { type: 'string' },
        list: { type: 'boolean', default: false },
        prompt: { type: 'string' },
        'long-prompt': { type: 'string' },
        'tool-prompt': { type: 'string' },
        format: { type: 'string', default: 'text' },
      },
    });
    const protocol = versionOf(values.protocol);
    const chosen = values.only === undefined ? undefined : matcherOf(values.only);
    if (values.list) {
      console.log(listing(protocol, chosen));
      return EXIT.ok;
    }
    if (!command?.length) throw new UsageError('probe needs the agent’s command after --.');
    if (chosen && [1, 2].every((one) => planOf(one as 1 | 2, chosen).probes.length === 0))
      throw new UsageError(
        `--only ${values.only} names no probe. acp-scope probe --list names them.`,
      );
    const format = FORMATS.find((one) => one === values.format);
    if (!format)
      throw new UsageError(`--format ${values.format} is not one of ${FORMATS.join(', ')}.`);
    const timeout = numberOf('timeout', values.timeout, ANSWER_S);
    return probeAgent(command, {
      ...(protocol && { protocol }),
      ...(chosen && { chosen }),
      maxPrompts: numberOf('max-prompts', values['max-prompts'], Infinity),
      quiet: numberOf('quiet', values.quiet, QUIET_MS),
      pause: numberOf('pause', values.pause, 0) * 1000,
      patience: timeout * 1000,
      turnPatience: (timeout / ANSWER_S) * TURN_S * 1000,
      baseline: await baselineOf(values.baseline),
      out: values.out,
      ...(values.auth !== undefined && { auth: values.auth }),
      texts: textsOf(values.prompt, values['long-prompt'], values['tool-prompt']),
      format,
    });
  },
};

interface Wish {
  readonly protocol?: 1 | 2;
  readonly chosen?: (id: string) => boolean;
  readonly maxPrompts: number;
  readonly quiet: number;
  readonly pause: number;
  readonly patience: number;
  readonly turnPatience: number;
  readonly baseline: Baseline | undefined;
  readonly out: string | undefined;
  readonly auth?: string;
  readonly texts: ProbeTexts;
  readonly format: Format;
}

async function probeAgent(argv: readonly string[], wish: Wish): Promise<number> {
  const { protocol, chosen, maxPrompts, quiet, pause, patience, turnPatience, texts } = wish;
  const traces = await tracesFolder(wish.out);
  if (traces === undefined) return EXIT.environment;
  // Real paths: an agent names the folder a link leads to.
  const scratch = await realpath(await mkdtemp(join(tmpdir(), 'acp-scope-probe-')));
  const [cwd, otherCwd] = [join(scratch, 'work'), join(scratch, 'other')];
  await Promise.all([cwd, otherCwd].map((folder) => mkdir(folder)));
  const launcher = new NodeLauncher(argv, traces, () => undefined);
  const stop = new AbortController();
  const interrupt = () => {
    console.error('Stopping: what is known so far follows.');
    stop.abort();
    void launcher.endAll();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt);
  let asked = 0;
  let all = 0;
  const outcome = await runProbes({
    settings: {
      launcher,
      name: { name: 'acp-scope', version, title: 'ACP Scope' },
      budget: new PromptBudget(maxPrompts),
      cwd,
      otherCwd,
      quiet,
      pause,
      patience,
      turnPatience,
      texts,
      ...(wish.auth !== undefined && { auth: wish.auth }),
      random: () => Array.from({ length: 6 }, () => LETTERS[randomInt(LETTERS.length)]).join(''),
    },
    ...(protocol && { version: protocol }),
    ...(chosen && { chosen }),
    stop: stop.signal,
    remarksOf: await loadRemarks(),
    planned: ({ probes, prompts, connections }, agent) => {
      all = probes.length;
      const limit = maxPrompts < prompts ? `; --max-prompts allows ${maxPrompts}` : '';
      console.error(
        `${agent.title ?? agent.name ?? programName(argv)}, ACP version ${agent.version}: ${count(all, 'probe')}, at most ${count(prompts, 'prompt')} and ${count(connections, 'process', 'processes')}${limit}.`,
      );
    },
    ended: ({ id, verdict }) => console.error(`[${++asked}/${all}] ${verdict.padEnd(4)} ${id}`),
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt);
  await launcher.endAll();
  await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  if (!outcome.ok) {
    console.error(outcome.message);
    return EXIT.environment;
  }
  const { report } = outcome;
  const kept = wish.out === undefined ? await keepFailures(report, traces) : undefined;
  const keeping = {
    baseline: wish.baseline,
    ...(kept && { kept: (trace: string) => kept.has(trace) }),
  };
  console.log(printed(report, argv, wish.format, keeping));
  if (report.stopped || isFailed(report, wish.baseline)) return EXIT.failed;
  if (!report.wantsSignIn) return EXIT.ok;
  console.error(
    `${programName(argv)} gives no session before a sign-in (−32000). Sign in with its own program, or give --auth METHOD.`,
  );
  return EXIT.environment;
}

function isFailed({ probes, rules }: ProbeReport, baseline: Baseline | undefined): boolean {
  return [...probes, ...rules].some(
    ({ id, verdict }) => verdict === 'fail' && baseline?.has(id) !== true,
  );
}

function printed(
  report: ProbeReport,
  argv: readonly string[],
  format: Format,
  keeping: Keeping,
): string {
  switch (format) {
    case 'text':
      return textReport(report, argv, keeping, process.stdout.isTTY ? colour : undefined);
    case 'json':
      return jsonReport(report, argv, keeping);
    case 'junit':
      return junitReport(report, programName(argv), keeping);
  }
}

const STYLES = {
  fail: 'red',
  warn: 'yellow',
  info: 'blue',
  skip: 'gray',
  pass: 'green',
  head: 'bold',
} as const;

/** `styleText` heeds NO_COLOR from Node 22 on, so 20 is told here. */
function colour(word: ProbeWord | 'head', text: string): string {
  return process.env['NO_COLOR'] ? text : styleText(STYLES[word], text);
}

/** Undefined: it cannot be made, which was said. */
async function tracesFolder(out: string | undefined): Promise<string | undefined> {
  if (out === undefined) return mkdtemp(join(await realpath(tmpdir()), 'acp-scope-traces-'));
  const folder = resolve(out);
  try {
    await mkdir(folder, { recursive: true });
    return folder;
  } catch {
    console.error(`The folder ${folder} cannot be made. Give another --out.`);
    return undefined;
  }
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
      const { probes, prompts, connections } = planOf(one, chosen);
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

async function baselineOf(path: string | undefined): Promise<Baseline | undefined> {
  if (path === undefined) return undefined;
  const make = `Make one: acp-scope probe --format json -- CMD > ${path}`;
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) throw new UsageError(`Cannot read the baseline ${path}. ${make}`);
  const baseline = readBaseline(text);
  if (baseline === undefined) throw new UsageError(`${path} is no baseline. ${make}`);
  return baseline;
}

function textsOf(marker?: string, long?: string, tool?: string): ProbeTexts {
  if (marker !== undefined && !marker.includes('$MARKER'))
    throw new UsageError('--prompt needs $MARKER in it: the word that the agent must say back.');
  return {
    ...PROBE_TEXTS,
    ...(marker !== undefined && { marker }),
    ...(long !== undefined && { long }),
    ...(tool !== undefined && { tool }),
  };
}

function versionOf(text: string | undefined): 1 | 2 | undefined {
  if (text === undefined) return undefined;
  if (text === '1' || text === '2') return text === '1' ? 1 : 2;
  throw new UsageError(`--protocol ${text} is not a version. Give 1 or 2.`);
}

function numberOf(option: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (text !== '' && Number.isFinite(value) && value >= 0) return value;
  throw new UsageError(`--${option} ${text} is not a number of 0 or more.`);
}
