// `acp-scope lab`: does a session survive its agent? Made, stopped, restored and asked, in many ways.
import { resolve } from 'node:path';
import type { ClientName } from '../acp/capabilities.ts';
import { get, objects, parseJson } from '../acp/json.ts';
import { command, EXIT, FileError, UsageError } from './command.ts';
import { WORDS } from './words.ts';
import { agentWordsOf, URL_HELP } from './parts/agent-words.ts';
import { onInterrupt } from './parts/interrupt.ts';
import { NodeLauncher, CLIENT_NAME, type AgentWords } from './parts/launcher.ts';
import { JUDGED_OPTIONS, judgedBy } from './parts/judged-run.ts';
import { numberOption, oneOf, protocolOf } from './parts/option-values.ts';
import { cursorOf } from './parts/trace-terms.ts';
import { FORCE_OPTION, outFiles } from './parts/out-file.ts';
import { checkWritable, tracesFolder, writeReport } from './parts/out-places.ts';
import { formatOf, formatWords, printReport } from './parts/print-report.ts';
import { AXES, axisValues, type Axis } from '../drive/lab/axes.ts';
import {
  LAB_DEFAULTS,
  type Canary,
  type LabFolder,
  type LabEnvironment,
} from '../drive/lab/environment.ts';
import { LabProblem } from '../drive/lab/part.ts';
import { labDocument } from '../drive/lab/report-document.ts';
import { labJson } from '../drive/lab/report-json.ts';
import { CURSORS_ID, isLabPassed, type LabReport } from '../drive/lab/report.ts';
import { runLab, type LabInput } from '../drive/lab/run-lab.ts';
import type { Launcher } from '../drive/peer.ts';
import { PromptBudget } from '../drive/prompt-budget.ts';
import { baselineOf, type VerdictBaseline } from '../drive/verdict.ts';
import { count } from '../lib/format.ts';
import type { RunFolderAnswer, RunFolderCall } from '../link/messages.ts';
import { RunFolder, shortToken } from '../relay/run-folder.ts';
import { peerWords } from '../model/words.ts';
import { rendered } from '../report/render.ts';

export const lab = command({
  ...WORDS.lab,
  details: [
    'Varies one axis at a time from a base cell; with axes named, their product.',
    ...AXES.map((axis) => `--${axis} A,B`.padEnd(26) + allOf(axis).join(', ')),
    '--cursor JSON             v2: the cursor of --variant custom, as the agent documents it, with $ID for the id',
    '--full                    every axis with every other: hundreds of prompts',
    '--no-cursors              without the cursor algebra (v2)',
    '--repeat N                runs of each cell, for a rate',
    '--max-prompts N           not more prompts than this; agents cost money',
    '--prompt TEXT             of turn 1; {word} stands for the word to keep in mind',
    '--ask TEXT                asks for that word after the restore',
    '--long-prompt TEXT        of the turn that is cut in mid-stream',
    '--permission-prompt TEXT  of the turn that is cut while a permission is open',
    '--delegate-prompt TEXT    of turn 1 where a child is to work, as --prompt',
    '--delegate-long-prompt TEXT of the turn whose child is killed at work',
    '--permission allow|reject what permission requests are answered otherwise; default: allow, once',
    '--patience SECONDS        for an answer, or the end of a turn; default: 120',
    '--quiet MS                silence after which nothing late is expected; default: 750',
    '--pause SECONDS           between the end of an agent and the start of the next; default: 0',
    '--out DIR                 where the traces go; default: a new temporary folder',
    '--html FILE               also as one page',
    '--force                   overwrite FILE of --html if it exists; traces in DIR never are',
    '--fail-on warn            end with 1 for warnings as well; default: fail',
    '--baseline FILE           cells that failed or warned in an earlier run (--format json) fail no more',
    '--edition FILE            judge by the edition in this file (docs/editions.md); several for several versions',
    ...URL_HELP,
    `--format F                ${formatWords()}, on stdout`,
    'It never asks. Sessions are its own, in folders of its own; it deletes no others. docs/lab.md',
  ],
  takes: ['agent'],
  options: {
    ...JUDGED_OPTIONS,
    variant: { type: 'string' },
    stop: { type: 'string' },
    cwd: { type: 'string' },
    id: { type: 'string' },
    capabilities: { type: 'string' },
    subagents: { type: 'string' },
    mcp: { type: 'string' },
    full: { type: 'boolean', default: false },
    'no-cursors': { type: 'boolean', default: false },
    repeat: { type: 'string', default: '1' },
    prompt: { type: 'string', default: LAB_DEFAULTS.prompt },
    ask: { type: 'string', default: LAB_DEFAULTS.ask },
    'long-prompt': { type: 'string', default: LAB_DEFAULTS.longPrompt },
    'permission-prompt': { type: 'string', default: LAB_DEFAULTS.permissionPrompt },
    'delegate-prompt': { type: 'string', default: LAB_DEFAULTS.delegatePrompt },
    'delegate-long-prompt': { type: 'string', default: LAB_DEFAULTS.delegateLongPrompt },
    permission: { type: 'string', default: LAB_DEFAULTS.permission },
    patience: { type: 'string', default: String(LAB_DEFAULTS.patience / 1000) },
    quiet: { type: 'string', default: String(LAB_DEFAULTS.quiet) },
    pause: { type: 'string', default: '0' },
    html: { type: 'string' },
    ...FORCE_OPTION,
  },
  writes: ['--out', '--html'],
  async run({ values, agent }) {
    const words = agentWordsOf('lab', agent, values.header);
    const order = labOrder(values);
    const format = formatOf(values.format);
    const { maxPrompts, judging } = judgedBy('lab', values, baselineIn);
    const { force, baseline = [] } = values;
    const reads = [baseline].flat();
    const html =
      values.html && (await outFiles({ option: '--html', force, reads }).named(values.html));
    if (html) checkWritable(html, 'report');
    const folder = tracesFolder(values.out, 'acp-scope-lab-traces-');
    const report = await tried(words, order, maxPrompts, folder).catch((error: unknown) => {
      throw error instanceof LabProblem ? new FileError(error.message) : error;
    });
    const told = () => labDocument(report, judging);
    printReport(format, told, () => labJson(report, judging));
    if (report.ended !== undefined && format !== 'text') console.error(report.ended);
    if (html) writeReport(html, rendered(told(), 'html'));
    return isLabPassed(report, judging) ? EXIT.ok : EXIT.failed;
  },
});

/** Throws `UsageError`. */
export function labOrder(values: ReturnType<typeof lab.read>['values']): LabInput {
  const named = AXES.flatMap((axis) => {
    const text = values[axis];
    return text === undefined ? [] : [[axis, valuesIn(axis, text)] as const];
  });
  return {
    protocol: protocolOf(values.protocol),
    wish: {
      values: Object.fromEntries(named),
      full: values.full,
      repeat: numberOption('repeat', values.repeat, 1),
      cursors: !values['no-cursors'] && named.length === 0,
    },
    settings: {
      ...LAB_DEFAULTS,
      prompt: values.prompt,
      ask: values.ask,
      longPrompt: values['long-prompt'],
      permissionPrompt: values['permission-prompt'],
      delegatePrompt: values['delegate-prompt'],
      delegateLongPrompt: values['delegate-long-prompt'],
      permission: oneOf('permission', values.permission, ['allow', 'reject'] as const),
      patience: numberOption('patience', values.patience, 1) * 1000,
      quiet: numberOption('quiet', values.quiet, 0),
      pause: numberOption('pause', values.pause, 0) * 1000,
      cursor: values.cursor === undefined ? undefined : cursorOf(values.cursor),
    },
  };
}

const NO_PROCESS =
  'It is reached by URL, so there is no process to stop: where the lab says that the agent is ended, its connection is, and where it is killed, the connection is dropped.';

async function tried(
  words: AgentWords,
  order: LabInput,
  maxPrompts: number,
  folder: string,
): Promise<LabReport> {
  const note = (text: string) => console.error(text);
  const launcher = new NodeLauncher(words, folder, note);
  if (words.address) note(NO_PROCESS);
  const { stop: signal, off } = onInterrupt(() => {
    note('Stopping: the agents are ended, and what is known is told.');
    void launcher.endAll();
  });
  const wish = { launcher, name: CLIENT_NAME, budget: new PromptBudget(maxPrompts) };
  const bin = resolve(process.argv[1] ?? '');
  const environment = new NodeEnvironment(wish, [process.execPath, bin, 'canary-mcp']);
  try {
    return await runLab(environment, order, {
      signal,
      planned({ cells, cost, cursors }, agent) {
        const tries = cells.filter(({ skip }) => skip === undefined).length;
        note(
          `${peerWords(agent)}: ${count(tries, 'cell')}${cursors ? ' and the cursor algebra' : ''}, ${count(cost.expected, 'prompt')}, at most ${cost.most}${maxPrompts < cost.most ? `, of which ${maxPrompts} may be sent` : ''}. Traces: ${folder}`,
        );
        return true;
      },
      begins: ({ id }, run, done, of) =>
        note(`[${done + 1}/${of}] ${id}${order.wish.repeat > 1 ? `, run ${run}` : ''}`),
      ends: (_, { verdict, why }) => note(`  ${verdict}: ${why}`),
    });
  } finally {
    off();
    environment.clear();
  }
}

function allOf(axis: Axis): readonly string[] {
  return [...new Set([...axisValues(axis, 1), ...axisValues(axis, 2)])];
}

function valuesIn(axis: Axis, text: string): readonly string[] {
  const allowed = allOf(axis);
  const asked = text.split(',').map((value) => value.trim());
  for (const value of asked)
    if (!allowed.includes(value))
      throw new UsageError(`--${axis} ${value} is not one of ${allowed.join(', ')}.`);
  return [...new Set(asked)];
}

/** Cells that were bad in an earlier run; undefined: the text is no run of the lab in JSON. */
export function baselineIn(text: string): VerdictBaseline | undefined {
  const document = parseJson(text);
  if (!Array.isArray(get(document, 'cells'))) return undefined;
  const cursors = get(document, 'cursors');
  const algebra =
    cursors === undefined ? [] : [{ id: CURSORS_ID, verdict: get(cursors, 'verdict') ?? null }];
  return baselineOf([...objects(document, 'cells'), ...algebra]);
}

// The resume lab on this machine: its folders and canaries are those the relay makes for the page.

/** What it makes is removed by `clear`. Its calls throw a final `LabProblem` where there is no room. */
export class NodeEnvironment implements LabEnvironment {
  readonly launcher: Launcher;
  readonly name: ClientName;
  readonly budget: PromptBudget;
  readonly token = shortToken;
  readonly #folder: RunFolder;

  /** `canaryCommand`: how a canary is started, without what it notes. */
  constructor(
    { launcher, name, budget }: Pick<LabEnvironment, 'launcher' | 'name' | 'budget'>,
    canaryCommand: readonly string[],
  ) {
    this.launcher = launcher;
    this.name = name;
    this.budget = budget;
    this.#folder = new RunFolder(canaryCommand);
  }

  now(): number {
    return Date.now();
  }

  async folder(name: string): Promise<LabFolder> {
    return this.#ask({ op: 'folder', name, from: process.cwd() }, 'folder');
  }

  async remove({ path }: LabFolder): Promise<void> {
    this.#ask({ op: 'remove', path }, 'done');
  }

  async canary(name: string): Promise<Canary> {
    const made = this.#ask({ op: 'canary', name }, 'canary');
    return { ...made, seen: async () => this.#ask({ op: 'seen', tool: made.tool }, 'seen') };
  }

  clear(): void {
    this.#folder.clear();
  }

  #ask<T extends RunFolderAnswer['op']>(call: RunFolderCall, op: T) {
    const answer = this.#folder.call(call);
    if ('problem' in answer) throw new LabProblem(answer.problem.message, true);
    if (answer.op !== op) throw new Error(`${call.op} was answered as ${answer.op}.`);
    return answer as Extract<RunFolderAnswer, { readonly op: T }>;
  }
}
