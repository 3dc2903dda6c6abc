import { expect, test } from 'vitest';
import { RULES } from '../../rules/registry.ts';
import { loadPlans } from '../schema/load.ts';
import {
  EDITION_IDS,
  countsIn,
  EDITIONS,
  editionNamed,
  firstWith,
  hasFeature,
} from './editions.ts';

const all = EDITION_IDS.map((id) => EDITIONS[id]);

test('each edition names itself, its date and its text, and changes one of its own version', () => {
  for (const id of EDITION_IDS) {
    const edition = EDITIONS[id];
    expect(edition.id).toBe(id);
    expect(id.startsWith(`v${edition.version}-`)).toBe(true);
    expect(edition.date).toMatch(/^2026-\d\d-\d\d$/);
    expect(edition.source).toMatch(/^https:\/\//);
    if (edition.on) expect(EDITIONS[edition.on].version).toBe(edition.version);
  }
  expect(editionNamed('v1')).toBe('v1-2.4.0');
  expect(editionNamed('v1-2026-11')).toBe('v1-2026-11');
  expect(editionNamed('v2-replay-complete')).toBe('v2-2026-11');
  expect(editionNamed('v3')).toBeUndefined();
});

test('what an edition counts otherwise is a rule that there is, of its version', () => {
  const odd = all.flatMap(({ id, version, counts = {} }) =>
    Object.keys(counts).flatMap((key) => {
      const rule = RULES.find((one) => one.id === key.split('#')[0]);
      return rule?.versions.includes(version) ? [] : `${id}: ${key}`;
    }),
  );
  expect(odd).toEqual([]);
});

test('what it does not name counts as in the edition it changes', () => {
  expect(countsIn('v1-2026-11', 'prompt/empty')).toBe('hint');
  expect(countsIn('v2-2026-08', 'replay/empty')).toBe('hint');
  expect(countsIn('v2-2026-11', 'setup/cwd-mismatch')).toBe('error');
  expect(countsIn('v2-2026-08', 'setup/cwd-mismatch')).toBe('warning');
  expect(countsIn('v2-2.4.0', 'frame/not-json')).toBeUndefined();
});

test('a feature stands in the first edition that adds it and in those that build on that', () => {
  expect(EDITION_IDS.filter((id) => hasFeature(id, 'subagents'))).toEqual([
    'v1-2026-11',
    'v2-2026-11',
  ]);
  expect(firstWith(2, 'subagents')).toBe('v2-2026-11');
  expect(firstWith(1, 'replay-complete')).toBeUndefined();
});

test('the names that an edition adds or settles stand in the schemas', async () => {
  for (const { version, features = [] } of all) {
    const plans = await loadPlans(version);
    for (const { id: feature, stable = {}, values = {} } of features)
      for (const [def, names] of [
        ...Object.entries(stable),
        ...Object.entries(values).map(([name, cases]) => [name, Object.keys(cases)] as const),
      ]) {
        const plan = plans.def(def);
        const layout = plan.is === 'object' ? plan.layout() : undefined;
        for (const name of names) {
          const found =
            layout?.choice?.by === 'tag' ? layout.choice.known.get(name)?.word : undefined;
          expect((found ?? layout?.fields.get(name)?.field)?.since, `${def} ${name}`).toBe(feature);
        }
      }
  }
});
