// Where a rule stands: an address a person can open, and how to name it in a sentence.

export interface Source {
  /** "v1, Session setup" */
  readonly words: string;
  readonly url: string;
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
