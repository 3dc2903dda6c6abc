// The options of `acp-scope diff`, read and checked.
import { readFileSync } from 'node:fs';
import { parseIgnore } from '../diff/traces/ignore.ts';
import {
  DIFF_VIEWS,
  type DiffOptions,
  type DiffView,
  type Slice,
} from '../diff/traces/report/report.ts';
import { defined } from '../lib/defined.ts';
import { seq } from '../trace/event.ts';
import { ALIAS_KINDS, DEFAULT_IGNORE, type AliasKind } from '../model/sessions/compare-terms.ts';
import { parse, UsageError } from './command.ts';
import { nodePatterns } from './parts/node-patterns.ts';
import { formatOf, type ReportFormat } from './parts/print-report.ts';

export interface DiffArgs {
  readonly files: readonly string[];
  readonly options: DiffOptions & { readonly view: DiffView };
  readonly format: ReportFormat;
  readonly all: boolean;
}

export function diffArgs(args: readonly string[]): DiffArgs {
  const { values, positionals } = parse({
    args: [...args],
    allowPositionals: true,
    options: {
      view: { type: 'string', default: 'story' },
      ignore: { type: 'string', multiple: true, default: [] },
      strict: { type: 'boolean', default: false },
      raw: { type: 'string', multiple: true, default: [] },
      left: { type: 'string' },
      right: { type: 'string' },
      turns: { type: 'string' },
      at: { type: 'string' },
      'each-chunk': { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      format: { type: 'string', default: 'text' },
    },
  });
  if (positionals.length < 2) throw new UsageError('diff takes two or more trace files.');
  const view = oneOf('--view', values.view, DIFF_VIEWS);
  const turns = pairOf('--turns', values.turns);
  const at = pairOf('--at', values.at);
  const slice = (query: string | undefined, side: 0 | 1): Slice =>
    defined({ query, turn: turns?.[side], to: at && seq(at[side]) });
  return {
    files: positionals,
    options: {
      view,
      ignore: [...(values.strict ? [] : DEFAULT_IGNORE), ...values.ignore.flatMap(rulesOf)],
      raw: values.raw.flatMap(rawKinds),
      eachChunk: values['each-chunk'],
      a: slice(values.left, 0),
      b: slice(values.right, 1),
      patterns: nodePatterns,
    },
    format: formatOf(values.format),
    all: values.all,
  };
}

function oneOf<T extends string>(option: string, value: string, known: readonly T[]): T {
  const found = known.find((one) => one === value);
  if (found === undefined)
    throw new UsageError(`${option} ${value} is not one of ${known.join(', ')}.`);
  return found;
}

/** `3` or `3,5`: for the left and for the right. */
function pairOf(option: string, text: string | undefined): readonly [number, number] | undefined {
  if (text === undefined) return undefined;
  const [, left, right = left] = /^#?([1-9]\d*)(?:,#?([1-9]\d*))?$/.exec(text) ?? [];
  if (left === undefined)
    throw new UsageError(
      `${option} ${text} is no number, and no two: ${option} 3 or ${option} 3,5.`,
    );
  return [Number(left), Number(right)];
}

/** A rule, or after an @ a file with one rule a line. Throws UsageError. */
export function rulesOf(text: string): readonly string[] {
  const rules = text.startsWith('@') ? fileRules(text.slice(1)) : [text];
  for (const rule of rules) {
    const parsed = parseIgnore(rule);
    if ('problem' in parsed) throw new UsageError(`--ignore: ${parsed.problem}`);
  }
  return rules;
}

function fileRules(path: string): readonly string[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new UsageError(`--ignore @${path}: the file cannot be read.`);
  }
  return text
    .split('\n')
    .map((line) => line.replace(/(?:^|\s)#.*$/, '').trim())
    .filter((line) => line !== '');
}

/** Kinds of names, `all` of them. Throws UsageError. */
export function rawKinds(text: string): readonly AliasKind[] {
  if (text === 'all') return ALIAS_KINDS;
  return text.split(',').map((kind) => oneOf('--raw', kind, ALIAS_KINDS));
}
