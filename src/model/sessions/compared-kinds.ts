// What two conversations are compared by, in words: kinds of items, and what a session is set to.

export const KIND_WORDS = {
  user: ['user message', 'user messages'],
  agent: ['agent message', 'agent messages'],
  thought: ['thought', 'thoughts'],
  peer: ['session message', 'session messages'],
  tool: ['tool call', 'tool calls'],
  plan: ['plan', 'plans'],
  terminal: ['terminal', 'terminals'],
  mode: ['mode', 'modes'],
  config: ['config option', 'config options'],
  commands: ['commands', 'commands'],
  title: ['title', 'titles'],
  state: ['state', 'states'],
} as const satisfies Record<string, readonly [one: string, many: string]>;

/** In the order of a report. */
export const COMPARED_KINDS = Object.keys(KIND_WORDS) as readonly (keyof typeof KIND_WORDS)[];
