// The command line of `acp-scope lab`.
import { AXES, valuesOf, type Axis } from '../../drive/lab/axes.ts';
import { type LabManners, MANNERS } from '../../drive/lab/ground.ts';
import type { LabWish } from '../../drive/lab/plan.ts';
import { parse, splitCommand, UsageError } from '../command.ts';
import { cursorOf, oneOf, protocolOf } from '../parts/option-values.ts';
import { formatOf, formatWords, type ReportFormat } from '../parts/print-report.ts';

export const LAB_USAGE =
  'acp-scope lab [--protocol 1|2] [--variant …] [--stop …] [--cwd …] [--id …] [--capabilities …] [--subagents …] [--mcp …] [--cursor JSON] [--full] [--repeat N] [--max-prompts N] [--prompt TEXT] [--ask TEXT] [--out DIR] [--html FILE] [--fail-on warn] [--baseline FILE] [--format F] -- CMD ARGS…';

export const LAB_DETAILS: readonly string[] = [
  'Varies one axis at a time from a base cell; with axes named, their product.',
  ...AXES.map((axis) => `--${axis} A,B`.padEnd(26) + values(axis)),
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
  '--fail-on warn            end with 1 for warnings as well; default: fail',
  '--baseline FILE           cells that failed or warned in an earlier run (--format json) fail no more',
  `--format F                ${formatWords()}, on stdout`,
  'It never asks. Sessions are its own, in folders of its own; it deletes no others. docs/lab.md',
];

function values(axis: Axis): string {
  return [...new Set([...valuesOf(axis, 1), ...valuesOf(axis, 2)])].join(', ');
}

export interface LabOptions {
  readonly argv: readonly string[];
  readonly protocol: 1 | 2 | undefined;
  readonly wish: LabWish;
  readonly manners: Partial<LabManners>;
  /** `Infinity`: no limit. */
  readonly maxPrompts: number;
  readonly out: string | undefined;
  readonly html: string | undefined;
  readonly baseline: string | undefined;
  readonly failOn: 'fail' | 'warn';
  readonly format: ReportFormat;
}

/** Throws `UsageError`. */
export function labOptions(args: readonly string[]): LabOptions {
  const { own, command } = splitCommand(args);
  const { values } = parse({
    args: [...own],
    options: {
      protocol: { type: 'string' },
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
      'max-prompts': { type: 'string' },
      prompt: { type: 'string', default: MANNERS.prompt },
      ask: { type: 'string', default: MANNERS.ask },
      'long-prompt': { type: 'string', default: MANNERS.longPrompt },
      'permission-prompt': { type: 'string', default: MANNERS.permissionPrompt },
      'delegate-prompt': { type: 'string', default: MANNERS.delegatePrompt },
      'delegate-long-prompt': { type: 'string', default: MANNERS.delegateLongPrompt },
      permission: { type: 'string', default: MANNERS.permission },
      patience: { type: 'string', default: String(MANNERS.patience / 1000) },
      quiet: { type: 'string', default: String(MANNERS.quiet) },
      pause: { type: 'string', default: '0' },
      out: { type: 'string' },
      html: { type: 'string' },
      'fail-on': { type: 'string', default: 'fail' },
      cursor: { type: 'string' },
      baseline: { type: 'string' },
      format: { type: 'string', default: 'text' },
    },
  });
  if (!command?.length) throw new UsageError('lab needs the agent’s command after --.');
  const named = AXES.flatMap((axis) => {
    const text = values[axis];
    return text === undefined ? [] : [[axis, valuesIn(axis, text)] as const];
  });
  const maxPrompts = values['max-prompts'];
  return {
    argv: command,
    protocol: protocolOf(values.protocol),
    wish: {
      values: Object.fromEntries(named),
      full: values.full,
      repeat: numberOf('repeat', values.repeat, 1),
      cursors: !values['no-cursors'] && named.length === 0,
    },
    manners: {
      prompt: values.prompt,
      ask: values.ask,
      longPrompt: values['long-prompt'],
      permissionPrompt: values['permission-prompt'],
      delegatePrompt: values['delegate-prompt'],
      delegateLongPrompt: values['delegate-long-prompt'],
      permission: oneOf('permission', values.permission, ['allow', 'reject'] as const),
      patience: numberOf('patience', values.patience, 1) * 1000,
      quiet: numberOf('quiet', values.quiet, 0),
      pause: numberOf('pause', values.pause, 0) * 1000,
      cursor: values.cursor === undefined ? undefined : cursorOf(values.cursor),
    },
    maxPrompts: maxPrompts === undefined ? Infinity : numberOf('max-prompts', maxPrompts, 0),
    out: values.out,
    html: values.html,
    baseline: values.baseline,
    failOn: oneOf('fail-on', values['fail-on'], ['fail', 'warn'] as const),
    format: formatOf(values.format),
  };
}

function valuesIn(axis: Axis, text: string): readonly string[] {
  const allowed = [...new Set([...valuesOf(axis, 1), ...valuesOf(axis, 2)])];
  const asked = text.split(',').map((value) => value.trim());
  for (const value of asked)
    if (!allowed.includes(value))
      throw new UsageError(`--${axis} ${value} is not one of ${allowed.join(', ')}.`);
  return [...new Set(asked)];
}

function numberOf(option: string, text: string, least: number): number {
  const value = Number(text);
  if (text !== '' && Number.isInteger(value) && value >= least) return value;
  throw new UsageError(`--${option} ${text} is not a whole number of ${least} or more.`);
}
