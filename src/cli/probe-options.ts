// The options of `acp-scope probe`: what they mean, and a sentence for what is wrong with them.
import { readFile } from 'node:fs/promises';
import type { JsonObject } from '../acp/message.ts';
import { defined } from '../lib/defined.ts';
import { type Baseline, type FailOn, readBaseline } from '../drive/verdict.ts';
import { globsIn, matcherOf, namesOne } from '../drive/probes/plan.ts';
import { PROBE_TEXTS, type ProbeTexts } from '../drive/probes/world.ts';
import { parse, UsageError } from './command.ts';
import { cursorOf, oneOf, protocolOf } from './parts/option-values.ts';
import { formatOf, formatWords, type ReportFormat } from './parts/print-report.ts';

const QUIET_MS = 750;
const ANSWER_S = 30;
/** A turn may take so many times as long as an answer. */
const TURN_TIMES = 4;

export const PROBE_DETAILS: readonly string[] = [
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
  '--out DIR           keep the trace of every connection there, not only of failures',
  '--list              say what would be asked and what it costs, and end',
  '--prompt TEXT       the prompt of the shared session; $MARKER is a random word it must say back',
  '--long-prompt TEXT  works long enough to be cancelled',
  '--tool-prompt TEXT  makes the agent use a harmless tool',
  '--delegate-prompt TEXT, --delegate-long-prompt TEXT, --delegate-edit-prompt TEXT',
  '                    make a child session do the work; slowly, behind the turn; with a permission',
  `--format F          ${formatWords()}, on stdout; progress goes to stderr`,
  'It makes sessions in a temporary folder, and closes and deletes none but those. docs/probes.md names every probe.',
];

export interface ProbeWish {
  readonly protocol?: 1 | 2;
  readonly chosen?: (id: string) => boolean;
  readonly failOn: FailOn;
  readonly cursor?: JsonObject;
  /** As given: what it does not name is left out on purpose. */
  readonly only?: string;
  readonly maxPrompts: number;
  readonly quiet: number;
  readonly pause: number;
  readonly patience: number;
  readonly turnPatience: number;
  readonly baseline: Baseline | undefined;
  readonly out: string | undefined;
  readonly auth?: string;
  readonly subagents: boolean;
  readonly texts: ProbeTexts;
  readonly format: ReportFormat;
}

export async function readWish(
  args: readonly string[],
): Promise<ProbeWish & { readonly isListing: boolean }> {
  const { values } = parse({
    args: [...args],
    options: {
      protocol: { type: 'string' },
      only: { type: 'string' },
      all: { type: 'boolean', default: false },
      'fail-on': { type: 'string', default: 'fail' },
      cursor: { type: 'string' },
      'max-prompts': { type: 'string' },
      quiet: { type: 'string' },
      timeout: { type: 'string' },
      pause: { type: 'string' },
      auth: { type: 'string' },
      subagents: { type: 'boolean', default: false },
      baseline: { type: 'string' },
      out: { type: 'string' },
      list: { type: 'boolean', default: false },
      prompt: { type: 'string' },
      'long-prompt': { type: 'string' },
      'tool-prompt': { type: 'string' },
      'delegate-prompt': { type: 'string' },
      'delegate-long-prompt': { type: 'string' },
      'delegate-edit-prompt': { type: 'string' },
      format: { type: 'string', default: 'text' },
    },
  });
  const protocol = protocolOf(values.protocol);
  const chosen = values.all ? allOf(values.only) : chosenOf(values.only);
  const timeout = numberOf('timeout', values.timeout, ANSWER_S);
  return {
    isListing: values.list,
    ...(values.only !== undefined && { only: values.only }),
    failOn: oneOf('fail-on', values['fail-on'], ['fail', 'warn'] as const),
    ...(values.cursor !== undefined && { cursor: cursorOf(values.cursor) }),
    ...(protocol && { protocol }),
    ...(chosen && { chosen }),
    ...(values.auth !== undefined && { auth: values.auth }),
    subagents: values.subagents,
    maxPrompts: numberOf('max-prompts', values['max-prompts'], Infinity),
    quiet: numberOf('quiet', values.quiet, QUIET_MS),
    pause: numberOf('pause', values.pause, 0) * 1000,
    patience: timeout * 1000,
    turnPatience: timeout * TURN_TIMES * 1000,
    baseline: await baselineOf(values.baseline),
    out: values.out,
    texts: textsOf({
      marker: values.prompt,
      long: values['long-prompt'],
      tool: values['tool-prompt'],
      delegate: values['delegate-prompt'],
      delegateLong: values['delegate-long-prompt'],
      delegateEdit: values['delegate-edit-prompt'],
    }),
    format: formatOf(values.format),
  };
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

async function baselineOf(path: string | undefined): Promise<Baseline | undefined> {
  if (path === undefined) return undefined;
  const make = `Make one: acp-scope probe --format json -- CMD > ${path}`;
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) throw new UsageError(`Cannot read the baseline ${path}. ${make}`);
  const baseline = readBaseline(text);
  if (baseline === undefined) throw new UsageError(`${path} is no baseline. ${make}`);
  return baseline;
}

type Given = { readonly [K in Exclude<keyof ProbeTexts, 'recall'>]: string | undefined };

function textsOf(given: Given): ProbeTexts {
  if (given.marker?.includes('$MARKER') === false)
    throw new UsageError('--prompt needs $MARKER in it: the word that the agent must say back.');
  return { ...PROBE_TEXTS, ...defined(given) };
}

function numberOf(option: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (text !== '' && Number.isFinite(value) && value >= 0) return value;
  throw new UsageError(`--${option} ${text} is not a number of 0 or more.`);
}
