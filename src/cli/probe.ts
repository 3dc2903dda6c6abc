// `acp-scope probe`: questions to a live agent about sessions, restore and replay, each with a
// verdict. It never asks; what it costs is said before.
import { randomInt } from 'node:crypto';
import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { version } from '../../package.json';
import { isFailure } from '../drive/verdict.ts';
import { PromptBudget } from '../drive/prompt-budget.ts';
import { foreignTo, planOf } from '../drive/probes/plan.ts';
import { probeDocument, jsonReport } from '../drive/probes/report/document.ts';
import { runProbes, type ProbeReport } from '../drive/probes/run.ts';
import { count } from '../lib/format-count.ts';
import { programName } from '../lib/program-name.ts';
import { loadRemarks } from '../rules/load-schemas.ts';
import { EXIT, splitCommand, UsageError, type Command } from './command.ts';
import { NodeLauncher } from './parts/launcher.ts';
import { tracesFolder } from './parts/out-places.ts';
import { printReport } from './parts/print-report.ts';
import { PROBE_DETAILS, readWish, type ProbeWish } from './probe-options.ts';
import { FileError } from './parts/trace-files.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

export const probe: Command = {
  usage:
    'acp-scope probe [--protocol 1|2] [--only GLOB | --all] [--max-prompts N] [--quiet MS] [--cursor JSON] [--fail-on warn] [--baseline FILE] [--out DIR] [--list] [--format F] -- CMD ARGS…',
  summary: 'Ask a live agent what its sessions, restores and replays do.',
  details: PROBE_DETAILS,
  async run(args) {
    const { own, command } = splitCommand(args);
    const { isListing, ...wish } = await readWish(own);
    if (isListing) {
      console.log(listing(wish.protocol, wish.chosen));
      return EXIT.ok;
    }
    if (!command?.length) throw new UsageError('probe needs the agent’s command after --.');
    try {
      return await probeAgent(command, wish, tracesFolder(wish.out, 'acp-scope-traces-'));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      console.error(error.message);
      return EXIT.environment;
    }
  },
};

async function probeAgent(
  argv: readonly string[],
  wish: ProbeWish,
  traces: string,
): Promise<number> {
  const { protocol, chosen, maxPrompts, quiet, pause, patience, turnPatience, texts } = wish;
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
      subagents: wish.subagents,
      ...(wish.auth !== undefined && { auth: wish.auth }),
      ...(wish.cursor && { cursor: wish.cursor }),
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
  const report = withLeftOut(outcome.report, wish.only);
  const kept = wish.out === undefined ? await keepFailures(report, traces) : undefined;
  const keeping = {
    baseline: wish.baseline,
    failOn: wish.failOn,
    ...(kept && { kept: (trace: string) => kept.has(trace) }),
  };
  printReport(
    wish.format,
    () => probeDocument(report, programName(argv), keeping),
    () => jsonReport(report, argv, keeping),
  );
  const isFailed = [...report.probes, ...report.rules].some((one) => isFailure(one, keeping));
  if (report.stopped || isFailed) return EXIT.failed;
  if (report.wantsSignIn) {
    console.error(
      `${programName(argv)} gives no session before a sign-in (−32000). Sign in with its own program, or give --auth METHOD.`,
    );
    return EXIT.environment;
  }
  if (report.unasked === undefined) return EXIT.ok;
  if (wish.format !== 'text') console.error(report.unasked);
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
