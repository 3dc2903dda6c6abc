// Every rule names the sentence that asks for it. protocol-pages.json lists the pages of the protocol's
// site and their headings as of August 2026; definitions may be newer and stand in the SDK's schemas.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { RULES, UNJUDGED } from './registry.ts';
import { sourceIn } from './source.ts';

const pages = JSON.parse(
  readFileSync(new URL('../test/protocol-pages.json', import.meta.url), 'utf8'),
) as Record<string, string[]>;
const SITE = 'https://agentclientprotocol.com/';

function definitions(version: 1 | 2): ReadonlySet<string> {
  const path = `@agentclientprotocol/sdk/schema/v${version}/schema.unstable.json`;
  const text = readFileSync(createRequire(import.meta.url).resolve(path), 'utf8');
  const { $defs } = JSON.parse(text) as { $defs: Record<string, unknown> };
  return new Set(Object.keys($defs).map((name) => name.toLowerCase()));
}
const defined = {
  'protocol/v1/schema': definitions(1),
  'protocol/v2/schema': definitions(2),
} as const;

test('every rule’s source is a page, and a heading on it, that exists', () => {
  const sources = [...RULES, ...UNJUDGED].flatMap(({ id, source }) =>
    [source, ...(source.v2 ? [source.v2] : [])].map(({ url }) => ({ id, url })),
  );
  const wrong = sources.flatMap(({ id, url }) => {
    if (!url.startsWith(SITE)) return [];
    const [name = '', heading] = url.slice(SITE.length).split('#');
    const headings = pages[name];
    if (headings === undefined) return `${id}: no page ${name}`;
    if (heading === undefined || headings.includes(heading)) return [];
    const known = name in defined && defined[name as keyof typeof defined].has(heading);
    return known ? [] : `${id}: no heading ${url}`;
  });
  expect(wrong).toEqual([]);
});

test('a rule of both versions leads to the page of the version that is spoken', () => {
  const rule = RULES.find(({ id }) => id === 'tool/path-absolute');
  expect(rule && sourceIn(rule.source, 1).url).toContain('/protocol/v1/');
  expect(rule && sourceIn(rule.source, 2).url).toContain('/protocol/v2/');
});
