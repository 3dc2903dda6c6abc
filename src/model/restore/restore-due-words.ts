// A sentence on what is due, with its source.
export interface Due {
  /** `holds`: due, or legal. `breaks`: the line breaks this rule. `open`: nobody can know. */
  readonly tone: 'holds' | 'breaks' | 'open';
  readonly text: string;
  readonly more?: string;
  /** Where the rule stands: a name of the schema, or of JSON-RPC. */
  readonly source: string;
}

export function holds(text: string, source: string, more?: string): Due {
  return { tone: 'holds', text, source, ...(more === undefined ? {} : { more }) };
}

export function breaks(text: string, source: string, more?: string): Due {
  return { tone: 'breaks', text, source, ...(more === undefined ? {} : { more }) };
}

export function open(text: string, source: string, more?: string): Due {
  return { tone: 'open', text, source, ...(more === undefined ? {} : { more }) };
}

/** The schema's name of a restore request. */
export function requestOf(method: string): string {
  return method === 'session/load' ? 'LoadSessionRequest' : 'ResumeSessionRequest';
}
