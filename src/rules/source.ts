// Where a rule stands: an address a person can open, and how to name it in a sentence.

export interface Source {
  /** "v1, session setup" */
  readonly words: string;
  readonly url: string;
  /** The sentence of v2, where this one is v1's. */
  readonly v2?: Source;
}

/** What to open beside a trace of this version. */
export function sourceIn(source: Source, version: 1 | 2): Source {
  return version === 2 ? (source.v2 ?? source) : source;
}

/** One rule that both versions write down, each in its own place. */
export function both(v1: Source, v2: Source): Source {
  return { ...v1, v2 };
}

/** The page and heading of this name, which both versions have. */
export function pages(name: string, heading?: string): Source {
  return both(page(1, name, heading), page(2, name, heading));
}

/** The definition of this name, which both schemas have. */
export function schemas(definition: string): Source {
  return both(schema(1, definition), schema(2, definition));
}

const SITE = 'https://agentclientprotocol.com';

/** A page of the protocol, and the heading on it. */
export function page(version: 1 | 2, name: string, heading?: string): Source {
  const anchor = heading === undefined ? '' : `#${heading}`;
  return {
    words: `v${version}, ${name.replaceAll('-', ' ')}`,
    url: `${SITE}/protocol/v${version}/${name}${anchor}`,
  };
}

/** A page of the v2 draft that is newer than the August one. */
export function draft(name: string, heading?: string): Source {
  const anchor = heading === undefined ? '' : `#${heading}`;
  return {
    words: `v2 draft, ${name.replaceAll('-', ' ')}`,
    url: `${SITE}/protocol/v2/draft/${name}${anchor}`,
  };
}

/** The description of a definition in the schema. */
export function schema(version: 1 | 2, definition: string): Source {
  return {
    words: `v${version} schema, ${definition}`,
    url: `${SITE}/protocol/v${version}/schema#${definition.toLowerCase()}`,
  };
}

export function rfd(name: string): Source {
  return { words: `RFD ${name.replaceAll('-', ' ')}`, url: `${SITE}/rfds/${name}` };
}

/** What the official TypeScript SDK 2.4.0 does, where no page says it. */
export function sdk(file: string): Source {
  return {
    words: `TypeScript SDK 2.4.0, ${file}`,
    url: `https://github.com/agentclientprotocol/typescript-sdk/blob/v2.4.0/src/${file}.ts`,
  };
}

export const JSON_RPC: Source = {
  words: 'JSON-RPC 2.0',
  url: 'https://www.jsonrpc.org/specification',
};
