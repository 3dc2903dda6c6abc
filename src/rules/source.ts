// Where a rule stands: an address a person can open, how to name it in a sentence, and the sentence
// of the protocol itself. The tables of all rules are in sources.ts; their words are checked by
// sources.test.ts against the pages and schemas they come from.
import type { EditionId } from '../acp/editions/edition.ts';
import { EDITIONS } from '../acp/editions/editions.ts';
import { SDK, SITE } from '../acp/pages.ts';

export interface Source {
  /** "v1, session setup › Loading Sessions" */
  readonly words: string;
  readonly url: string;
  /** The protocol’s own words, `…` where some are left out. */
  readonly quote?: string;
  /** Where no sentence says it: "the shape of LoadSessionRequest" */
  readonly follows?: string;
  /** The sentence of v2, where this one is v1's. */
  readonly v2?: Source;
  /** The one of August 2026, where v2 said it otherwise then. */
  readonly august?: Source;
  /** Sentences of their own: by the method a fault is about, or as the fault names it. */
  readonly of?: Readonly<Record<string, Source>>;
}

/**
 * What to open, and to quote, beside a trace held against this edition.
 * @param about the method, or the sentence that a fault names
 */
export function sourceIn(rule: Source, edition: EditionId, about?: string): Source {
  const source = (about === undefined ? undefined : rule.of?.[about]) ?? rule;
  if (EDITIONS[edition].version === 1) return source;
  return (edition === 'v2-2026-08' ? source.august : undefined) ?? source.v2 ?? source;
}

/** All that a rule rests on, v1 first. */
export function allOf(source: Source): readonly Source[] {
  const here = [source, source.v2, source.august].filter((one) => one !== undefined);
  return [...here, ...Object.values(source.of ?? {}).flatMap(allOf)];
}

/** The same where some of it stands in other words elsewhere. */
export function andOf(source: Source, of: NonNullable<Source['of']>): Source {
  return { ...source, of };
}

/** One rule that both versions write down, each in its own place. */
export function both(v1: Source, v2: Source): Source {
  return { ...v1, v2 };
}

/** What the August draft of v2 said otherwise. */
export function inAugust(source: Source, august: Source): Source {
  return { ...source, august };
}

/** A page of the site, and a heading on it as it stands there: `session-setup#Loading a Session`. */
type Place = string;
/** In one version: `v1/session-setup`, `v2/draft/subagents#Goals`, or a definition: `v2/ReplayFrom`. */
type Versioned = `v${1 | 2}/${string}`;

/** The page and heading of this name, which both versions have: v1's prompt turn is v2's prompt lifecycle. */
export function pages(at: Place, quote: string): Source {
  const inV2 = at.replace(/^(draft\/)?prompt-turn(?=#)/, '$1prompt-lifecycle');
  return both(page(`v1/${at}`, quote), page(`v2/${inV2}`, quote));
}

/** The definition of this name, which both schemas have. */
export function schemas(definition: string, quote: string): Source {
  return both(schema(`v1/${definition}`, quote), schema(`v2/${definition}`, quote));
}

/** A page of the protocol; `draft/…`: one of the draft. */
export function page(at: Versioned, quote: string): Source {
  const [, version = '', draft = '', name = '', heading] =
    /^(v[12])\/(draft\/)?([^#]+)(?:#(.+))?$/.exec(at) ?? [];
  return {
    words: under(`${version}${draft && ' draft'}, ${spaced(name)}`, heading),
    url: `${SITE}/protocol/${version}/${draft}${name}${anchor(heading)}`,
    quote,
  };
}

/** A definition of the schema: its description, or that of a field of it. */
export function schema(at: Versioned, quote: string): Source {
  return { ...definitionOf(at)[1], quote };
}

/** A rule that no sentence says: the definition has no other form. */
export function shape(at: Versioned): Source {
  const [definition, source] = definitionOf(at);
  return { ...source, follows: `the shape of \`${definition}\`` };
}

function definitionOf(at: Versioned): readonly [string, Source] {
  const [version = '', definition = ''] = at.split('/');
  const url = `${SITE}/protocol/${version}/schema#${definition.toLowerCase()}`;
  return [definition, { words: `${version} schema, ${definition}`, url }];
}

export function rfd(at: Place, quote: string): Source {
  const [name = '', heading] = at.split('#');
  const words = under(`RFD ${spaced(name)}`, heading);
  return { words, url: `${SITE}/rfds/${name}${anchor(heading)}`, quote };
}

/** What the official Rust crates say of a type, where no page of the protocol is known to say it yet. */
export function crate(
  name: 'agent-client-protocol' | 'agent-client-protocol-schema',
  at: string,
  quote: string,
): Source {
  const [version = '', path = ''] = at.split(/\/(.*)/s);
  const type = path.slice(path.lastIndexOf('/') + 1);
  const url = `https://docs.rs/${name}/${version}/${name.replaceAll('-', '_')}/${path.replace(type, `struct.${type}.html`)}`;
  return { words: `${name} ${version}, ${type}`, url, quote };
}

/** What the official TypeScript SDK 2.4.0 says of itself, where no page says it. */
export function sdk(file: string, quote: string): Source {
  return { words: `TypeScript SDK 2.4.0, ${file}`, url: `${SDK}/src/${file}.ts`, quote };
}

export function sdkGuide(quote: string): Source {
  const file = 'MIGRATION_STABLE_UNSTABLE.md';
  return { words: `TypeScript SDK 2.4.0, ${file}`, url: `${SDK}/${file}`, quote };
}

export function jsonRpc(heading: string, quote: string): Source {
  return {
    words: under('JSON-RPC 2.0', heading),
    url: `https://www.jsonrpc.org/specification#${spaced(heading).replaceAll(' ', '_').toLowerCase()}`,
    quote,
  };
}

function spaced(name: string): string {
  return name.replaceAll('-', ' ');
}

function under(words: string, heading: string | undefined): string {
  return heading === undefined ? words : `${words} › ${heading}`;
}

/** As the protocol’s site makes it from a heading. */
function anchor(heading: string | undefined): string {
  if (heading === undefined) return '';
  const kept = heading.toLowerCase().replace(/[^\w\s-]/g, '');
  return `#${kept.trim().replace(/\s+/g, '-')}`;
}
