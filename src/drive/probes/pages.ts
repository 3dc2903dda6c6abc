// Where the protocol says what a probe asks: addresses that a person can open.
import { SDK, SITE } from '../../acp/pages.ts';

interface SpecPage {
  /** `v1, session setup`. */
  readonly words: string;
  readonly url: string;
}

/** One page, or one for each version. */
export type Pages = readonly SpecPage[];

/** A page of the protocol, and the heading on it. */
export function onPage(version: 1 | 2, name: string, heading?: string): Pages {
  const anchor = heading === undefined ? '' : `#${heading}`;
  const words = `v${version}, ${name.replaceAll('-', ' ')}`;
  return [{ words, url: `${SITE}/protocol/v${version}/${name}${anchor}` }];
}

/** The page and heading of this name, which both versions have. */
export function onPages(name: string, heading?: string): Pages {
  return [...onPage(1, name, heading), ...onPage(2, name, heading)];
}

/** A page of the v2 draft that is newer than the August one. */
export function onDraft(name: string, heading: string): Pages {
  const words = `v2 draft, ${name.replaceAll('-', ' ')}`;
  return [{ words, url: `${SITE}/protocol/v2/draft/${name}#${heading}` }];
}

/** The description of a definition in the schema. */
export function inSchema(version: 1 | 2, definition: string): Pages {
  const url = `${SITE}/protocol/v${version}/schema#${definition.toLowerCase()}`;
  return [{ words: `v${version} schema, ${definition}`, url }];
}

export function inRfd(name: string, heading?: string): Pages {
  const anchor = heading === undefined ? '' : `#${heading}`;
  return [{ words: `RFD ${name.replaceAll('-', ' ')}`, url: `${SITE}/rfds/${name}${anchor}` }];
}

/** What the official TypeScript SDK 2.4.0 does, where no page says it. */
export function inSdk(file: string): Pages {
  return [{ words: `TypeScript SDK 2.4.0, ${file}`, url: `${SDK}/src/${file}.ts` }];
}
