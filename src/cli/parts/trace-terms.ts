// Values of options that speak of what a trace holds: a cursor, and what a comparison leaves out.
import { readFileSync } from 'node:fs';
import type { JsonObject } from '../../acp/message.ts';
import { ID_MARK, readDocumentedCursor } from '../../acp/replay-cursors.ts';
import { parseIgnore } from '../../diff/traces/ignore.ts';
import { ALIAS_KINDS, DEFAULT_IGNORE, type AliasKind } from '../../model/sessions/compare-terms.ts';
import { UsageError } from '../command.ts';
import { oneOf } from './option-values.ts';

/** A replay cursor as an agent documents it. */
export function cursorOf(text: string): JsonObject {
  const cursor = readDocumentedCursor(text);
  if (cursor !== undefined) return cursor;
  throw new UsageError(
    `--cursor ${text} is no cursor. Give a JSON object with a type, and ${ID_MARK} for the id it names: {"type":"_message","messageId":"${ID_MARK}"}`,
  );
}

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
