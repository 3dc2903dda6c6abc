// The catalogue as a whole, and the page written from it.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { probesPage, untitled } from '../../test/pages/probes-page.ts';
import { matcherOf, probePlan, runOrder } from './plan.ts';
import { PROBES } from './registry.ts';

const pages = JSON.parse(
  readFileSync(new URL('../../test/pages/protocol-pages.json', import.meta.url), 'utf8'),
) as Record<string, string[]>;
const SITE = 'https://agentclientprotocol.com/';

function definitions(version: string): ReadonlySet<string> {
  const path = `@agentclientprotocol/sdk/schema/${version}/schema.unstable.json`;
  const text = readFileSync(createRequire(import.meta.url).resolve(path), 'utf8');
  const { $defs } = JSON.parse(text) as { $defs: Record<string, unknown> };
  return new Set(Object.keys($defs).map((name) => name.toLowerCase()));
}

test('docs/probes.md says what the registry holds (npm run unit -- -u writes it)', async () => {
  await expect(probesPage()).toMatchFileSnapshot('../../../docs/probes.md');
  expect(untitled()).toEqual([]);
});

test('ids are unique, and each probe names a page, and a heading on it, that exists', () => {
  const ids = PROBES.map(({ id }) => id);
  expect(ids.filter((id, i) => ids.indexOf(id) < i)).toEqual([]);
  const wrong = PROBES.flatMap(({ id, source }) =>
    source.flatMap(({ url }) => {
      if (!url.startsWith(SITE)) return [];
      const [name = '', heading] = url.slice(SITE.length).split('#');
      const schema = /^protocol\/(v\d)\/schema$/.exec(name)?.[1];
      const known = schema ? [...definitions(schema)] : pages[name];
      return known && (heading === undefined || known.includes(heading)) ? [] : [`${id}: ${url}`];
    }),
  );
  expect(wrong).toEqual([]);
});

test('what only reads the shared session runs before what prompts it, and that before what deletes it', () => {
  for (const version of [1, 2] as const) {
    const saved = runOrder(probePlan(version).probes).flatMap(({ saved }) => saved ?? []);
    expect(saved).toEqual(
      [...saved].sort(
        (a, b) => ['reads', 'prompts', 'ends'].indexOf(a) - ['reads', 'prompts', 'ends'].indexOf(b),
      ),
    );
  }
});

test('the cost is that of the chosen probes, and of the shared session where one needs it', () => {
  expect(probePlan(2, matcherOf('ver/*'))).toMatchObject({ prompts: 0 });
  expect(probePlan(2, matcherOf('resume2/omit'))).toMatchObject({ prompts: 1 });
  expect(probePlan(2, matcherOf('resume2/then-prompt,cancel/turn'))).toMatchObject({ prompts: 4 });
  expect(probePlan(1).probes.map(({ id }) => id)).not.toContain('load/tools');
  expect(probePlan(1, matcherOf('load/*')).probes.map(({ id }) => id)).toContain('load/tools');
  expect(probePlan(1, matcherOf('resume2/*')).probes).toEqual([]);
});
