// The protocol's own texts as plain words, so that a quoted sentence can be looked up in them: pages
// from a checkout of the protocol's repository, definitions and the SDK's own notes from the SDK.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isObject } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';

const SDK = '@agentclientprotocol/sdk';
const resolve = (path: string) => createRequire(import.meta.url).resolve(path);

/** Without marks, links and line breaks. */
export function plain(text: string): string {
  return text
    .replace(/<\/?[A-Za-z][^>]*>/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*-\s+/gm, '')
    .replace(/[*`\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Whether the parts of a quote stand in a text, in their order. */
export function stands(quote: string, text: string): boolean {
  let at = 0;
  return quote.split('…').every((part) => {
    const words = plain(part);
    const found = text.indexOf(words, at);
    at = found + words.length;
    return words !== '' && found >= 0;
  });
}

/** The paragraphs under each heading of a page, and under those within it; '' is the whole page. */
export function sectionsOf(page: string): ReadonlyMap<string, readonly string[]> {
  const sections = new Map<string, string[]>([['', []]]);
  let open: { depth: number; slug: string }[] = [];
  const prose = page.replace(/^---.*?---\n/s, '').replace(/^\s*```.*?^\s*```\s*$/gms, '');
  for (const block of prose.split(/\n\s*\n|\n(?=\s*- )|\n(?=#)/)) {
    const [, marks, heading] = /^(#{2,4}) (.*)/.exec(block.trim()) ?? [];
    if (marks !== undefined && heading !== undefined) {
      const slug = unused(slugOf(plain(heading)), sections);
      open = [...open.filter(({ depth }) => depth < marks.length), { depth: marks.length, slug }];
      sections.set(slug, []);
    }
    const words = plain(heading === undefined ? block : block.trim().replace(/^.*/, ''));
    if (words !== '')
      for (const slug of ['', ...open.map((one) => one.slug)]) sections.get(slug)?.push(words);
  }
  return sections;
}

function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/^_|_$/g, '')
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replace(/\s+/g, '-');
}

function unused(slug: string, taken: ReadonlyMap<string, unknown>): string {
  let count = 1;
  while (taken.has(count === 1 ? slug : `${slug}-${count}`)) count++;
  return count === 1 ? slug : `${slug}-${count}`;
}

/** `protocol/v1/transports` of a checkout of the protocol's repository. */
export function pageIn(checkout: string, name: string): string | undefined {
  const path = join(checkout, 'docs', `${name}.mdx`);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

export interface SchemaTexts {
  /** All that is said of a definition: its own description, its fields', and where it is used. */
  readonly of: (definition: string) => string | undefined;
}

export function schemaTexts(version: 1 | 2): SchemaTexts {
  const path = `${SDK}/schema/v${version}/schema.unstable.json`;
  const schema = JSON.parse(readFileSync(resolve(path), 'utf8')) as JsonObject;
  const definitions = schema['$defs'];
  const byName = new Map(
    Object.entries(isObject(definitions) ? definitions : {}).map(([name, definition]) => [
      name.toLowerCase(),
      { name, definition },
    ]),
  );
  const uses = new Map<string, string[]>();
  gatherUses(schema, uses);
  return {
    of(slug) {
      const found = byName.get(slug);
      if (found === undefined) return undefined;
      const said = [...descriptionsIn(found.definition), ...(uses.get(found.name) ?? [])];
      return plain(said.join('\n'));
    },
  };
}

function descriptionsIn(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap((one: Json) => descriptionsIn(one));
  if (!isObject(value)) return [];
  const { description } = value;
  const here = typeof description === 'string' ? [description] : [];
  return [...here, ...Object.values(value).flatMap(descriptionsIn)];
}

function gatherUses(value: Json | undefined, uses: Map<string, string[]>): void {
  if (Array.isArray(value)) value.forEach((one: Json) => gatherUses(one, uses));
  if (!isObject(value)) return;
  const { description, allOf } = value;
  const parts = [value, ...(Array.isArray(allOf) ? (allOf as Json[]) : [])];
  for (const part of parts) {
    const ref = isObject(part) ? part['$ref'] : undefined;
    if (typeof ref !== 'string' || typeof description !== 'string') continue;
    const name = ref.replace('#/$defs/', '');
    uses.set(name, [...(uses.get(name) ?? []), description]);
  }
  Object.values(value).forEach((one) => gatherUses(one, uses));
}

/** What a module of the SDK says in its comments; its guide, where that is meant. */
export function sdkText(file: string): string {
  const root = join(resolve(`${SDK}/schema/v1/schema.unstable.json`), '../../..');
  const path = file.endsWith('.md') ? join(root, file) : join(root, 'dist', `${file}.d.ts`);
  return plain(readFileSync(path, 'utf8').replace(/^\s*\* ?/gm, ''));
}
