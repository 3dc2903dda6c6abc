// The registry holds each rule once, and each rule has its pair of tiny traces. Which rules there are
// stands in docs/rules.md, which a test holds against the registry.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CLAUSES } from '../model/restore/clauses.ts';
import { ruleOfClause, type Clause } from '../model/restore/clauses/clause.ts';
import { RULES, UNJUDGED } from './registry.ts';
import { TITLES } from './titles.ts';

const there = [...RULES, ...UNJUDGED].map(({ id }) => id);

function twice(ids: readonly string[]): string[] {
  return ids.filter((id, i) => ids.indexOf(id) !== i);
}

test('no rule is there twice', () => {
  expect(twice(there)).toEqual([]);
});

test('every rule has a ruleCase beside it', () => {
  const here = fileURLToPath(new URL('.', import.meta.url));
  const text = readdirSync(here, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && name !== 'registry.test.ts')
    .map((name) => readFileSync(here + name, 'utf8'))
    .join('\n');
  const cased = new Set([...text.matchAll(/ruleCase\(\s*'([^']+)'/g)].map(([, id]) => id));
  expect(
    RULES.map(({ id }) => id).filter((id) => !cased.has(id)),
    'rules without a ruleCase in a *.test.ts of src/rules: draw one that breaks and one that holds',
  ).toEqual([]);
});

test('what a rule asks is a clause: words, and no full stop', () => {
  const odd = [...RULES, ...UNJUDGED].filter(({ clause }) => !/\s.*[^.\s]$/.test(clause));
  expect(odd.map(({ id }) => id)).toEqual([]);
});

test('the title of a fault has room in a row, and is no sentence', () => {
  const odd = Object.entries(TITLES).filter(([, title]) => title.length > 40 || /\.$/.test(title));
  expect(odd).toEqual([]);
});

test('each clause on a restore names the rule that keeps it, of its versions', () => {
  const odd = Object.entries<Clause>(CLAUSES).flatMap(([id, clause]) => {
    const rule = ruleOfClause(clause);
    const kept = RULES.find((one) => one.id === rule);
    return rule === undefined || clause.versions.every((one) => kept?.versions.includes(one))
      ? []
      : [id];
  });
  expect(odd).toEqual([]);
});
