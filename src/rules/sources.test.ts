// Every rule names the sentence that asks for it, in the words of the protocol. protocol-pages.json
// lists the pages of the protocol's site and their headings as of August 2026; protocol-sentences.json
// holds the paragraphs that rules quote, as they stood on those pages. To record them anew:
//   ACP_PROTOCOL=<checkout of the protocol's repository> npm run unit -- src/rules/sources
// Pages that the checkout has not (or not yet) keep what was recorded by hand: the site's later pages
// of errors, and the text of JSON-RPC 2.0. Definitions are looked up in the SDK's schemas.
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  pageIn,
  plain,
  schemaTexts,
  sdkText,
  sectionsOf,
  stands,
} from '../test/pages/protocol-text.ts';
import { EDITION_IDS, EDITIONS } from '../acp/editions/editions.ts';
import { RULES, UNJUDGED } from './registry.ts';
import { allOf, sourceIn, type Source } from './source.ts';
import { SOURCES } from './sources.ts';

const SITE = 'https://agentclientprotocol.com/';
const SDK = 'https://github.com/agentclientprotocol/typescript-sdk/blob/v2.4.0/';
const SENTENCES = new URL('../test/pages/protocol-sentences.json', import.meta.url);
const PAGES = new URL('../test/pages/protocol-pages.json', import.meta.url);

const pages = JSON.parse(readFileSync(PAGES, 'utf8')) as Record<string, string[]>;
const recorded = JSON.parse(readFileSync(SENTENCES, 'utf8')) as Record<string, string[]>;
const schemas = { 1: schemaTexts(1), 2: schemaTexts(2) };

const sources = [...RULES, ...UNJUDGED].flatMap(({ id }) =>
  allOf(SOURCES[id]).map((one) => ({ id, source: one })),
);

function definitionOf(url: string): string | undefined {
  const [, version, definition] = /\/protocol\/v([12])\/schema#(.+)$/.exec(url) ?? [];
  return definition === undefined ? undefined : schemas[version === '1' ? 1 : 2].of(definition);
}

/** What stands at an address, in plain words. */
function textAt(url: string): string | undefined {
  const definition = definitionOf(url);
  if (definition !== undefined) return definition;
  if (url.startsWith(SDK)) return sdkText(url.slice(SDK.length).replace(/^src\/|\.ts$/g, ''));
  return recorded[url.replace(SITE, '')]?.map(plain).join(' ');
}

/** The paragraphs of a page that are quoted, from a checkout of the protocol's repository. */
function record(checkout: string): void {
  const found = new Map(Object.entries(recorded));
  for (const { url, quote } of sources.map(({ source }) => source)) {
    if (quote === undefined || !url.startsWith(SITE) || definitionOf(url) !== undefined) continue;
    const [name = '', heading = ''] = url.slice(SITE.length).split('#');
    const section = sectionsOf(pageIn(checkout, name) ?? '').get(heading);
    if (section === undefined || !stands(quote, section.join(' '))) continue;
    const key = url.slice(SITE.length);
    const parts = section.filter((one) => quote.split('…').some((part) => stands(part, one)));
    const known = found.get(key) ?? [];
    found.set(
      key,
      section.filter((one) => known.includes(one) || parts.includes(one)),
    );
  }
  const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(SENTENCES, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`);
  Object.assign(recorded, Object.fromEntries(sorted));
}

test('every quote stands word for word where its rule says that it stands', () => {
  const checkout = process.env['ACP_PROTOCOL'];
  if (checkout !== undefined) record(checkout);
  const wrong = sources.flatMap(({ id, source: { url, quote } }) => {
    if (quote === undefined) return [];
    const text = textAt(url);
    if (text === undefined) return `${id}: nothing is known of ${url}`;
    return stands(quote, text) ? [] : `${id}: “${quote}” does not stand at ${url}`;
  });
  expect(wrong).toEqual([]);
});

test('a rule has a sentence, or says that none asks for it', () => {
  const without = sources.filter(({ source }) => (source.quote ?? source.follows) === undefined);
  expect(without.map(({ id }) => id)).toEqual([]);
  const shapes = sources.flatMap(({ id, source }) => (source.follows ? id : []));
  expect([...new Set(shapes)]).toEqual(['setup/null-result', 'prompt/empty']);
  for (const { source } of sources) expect(source.quote?.length ?? 0).toBeLessThanOrEqual(300);
});

test('a changed word is found', () => {
  const text = 'The Agent MUST NOT write anything to its stdout that is not a valid ACP message.';
  expect(stands('The Agent MUST NOT write anything … not a valid ACP message.', text)).toBe(true);
  expect(stands('The Agent SHOULD NOT write anything', text)).toBe(false);
  expect(stands('not a valid ACP message … The Agent MUST NOT write', text)).toBe(false);
});

test('every rule’s source is a page, and a heading on it, that exists', () => {
  const wrong = sources.flatMap(({ id, source: { url } }) => {
    if (!url.startsWith(SITE) || definitionOf(url) !== undefined) return [];
    const [name = '', heading] = url.slice(SITE.length).split('#');
    const headings = pages[name];
    if (headings === undefined) return `${id}: no page ${name}`;
    return heading === undefined || headings.includes(heading) ? [] : `${id}: no heading ${url}`;
  });
  expect(wrong).toEqual([]);
});

test('a source is of the edition that the trace is held against, wherever its rule counts', () => {
  const at = (source: Source, version: 1 | 2) => source.words.startsWith(`v${version}`);
  const wrong = RULES.flatMap(({ id, versions }) =>
    EDITION_IDS.flatMap((edition) => {
      const { version } = EDITIONS[edition];
      const one = sourceIn(SOURCES[id], edition);
      const isOther = versions.includes(version) && at(one, version === 1 ? 2 : 1);
      return isOther ? `${id} in v${version}: ${one.words}` : [];
    }),
  );
  // What v1 had is said best where v2 tells of the change.
  expect([...new Set(wrong)]).toEqual([
    'init/version-error in v1: v2 schema, UnsupportedProtocolVersionErrorData',
    'init/v2-shape-on-v1 in v1: v2, migration › Role-agnostic info and capabilities',
    'setup/mcp-stdio-fields in v1: v2, migration › MCP server configuration',
    'resume/replay-on-v1 in v1: v2, migration › session/load is gone. session/resume does both',
    'perm/title-pollution in v1: v2, migration › Permission requests',
  ]);
});

test('what August said otherwise is quoted under that edition alone', () => {
  const source = SOURCES['state/stop-reason-missing'];
  expect(sourceIn(source, 'v2-2026-08').quote).toContain('MUST include');
  expect(sourceIn(source, 'v2-2.4.0').quote).toContain('SHOULD include');
});

test('no sentence is kept for a rule that there is not', () => {
  const ids = new Set<string>([...RULES, ...UNJUDGED].map(({ id }) => id));
  expect(Object.keys(SOURCES).filter((id) => !ids.has(id))).toEqual([]);
});
