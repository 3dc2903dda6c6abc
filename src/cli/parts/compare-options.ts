// What a comparison leaves out, and which names it takes as they stand: options of `diff` and `replay`.
import { readFileSync } from 'node:fs';
import { parseIgnore } from '../../diff/traces/ignore.ts';
import { ALIAS_KINDS, DEFAULT_IGNORE, type AliasKind } from '../../model/sessions/compare-terms.ts';
import { UsageError } from '../command.ts';
import { oneOf } from './option-values.ts';

interface CompareValues {
  readonly ignore: readonly string[];
  readonly strict?: boolean | undefined;
  readonly raw: readonly string[];
}

/** Throws UsageError. */
export function compareTerms({ ignore, strict, raw }: CompareValues) {
  return {
    ignore: [...(strict ? [] : DEFAULT_IGNORE), ...ignore.flatMap(rulesOf)],
    raw: raw.flatMap(rawKinds),
  };
}

/** A rule, or after an @ a file with one rule a line. */
function rulesOf(text: string): readonly string[] {
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

/** Kinds of names, `all` of them. */
function rawKinds(text: string): readonly AliasKind[] {
  if (text === 'all') return ALIAS_KINDS;
  return text.split(',').map((kind) => oneOf('raw', kind, ALIAS_KINDS));
}
