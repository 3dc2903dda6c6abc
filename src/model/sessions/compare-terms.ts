// What any two traces are compared by: the kinds of values that differ between any two runs and get
// stable names, and what is left out unless a person says otherwise.

const WORDS = {
  session: ['session', 'sessions'],
  request: ['request', 'requests'],
  tool: ['tool call', 'tool calls'],
  message: ['message', 'messages'],
  terminal: ['terminal', 'terminals'],
  plan: ['plan', 'plans'],
  uuid: ['other id', 'other ids'],
  folder: ['working folder', 'working folders'],
  temp: ['temporary folder', 'temporary folders'],
  home: ['home folder', 'home folders'],
  version: ['version', 'versions'],
  time: ['time', 'times'],
} as const satisfies Record<string, readonly [one: string, many: string]>;

/** What stands in place of values that differ between any two runs. */
export type AliasKind = keyof typeof WORDS;

/** One and many of a kind, in words. */
export const ALIAS_WORDS: Readonly<Record<AliasKind, readonly [one: string, many: string]>> = WORDS;

export const ALIAS_KINDS = Object.keys(WORDS) as readonly AliasKind[];

/** Rules of `diff/traces/ignore.ts`: what no two runs have in common, and nobody looks for. */
export const DEFAULT_IGNORE: readonly string[] = [
  'usage_update',
  '$..usage',
  '$..totalTokens',
  '$.._meta',
];

/** How aliases are named in words: `S1`, `T22`, `cwd`, `tmp1`, `~`, `t0`. */
export const ALIAS_NAME =
  /(?<![\p{L}\p{N}_~])(?:[A-Z]\d+|cwd\d*|tmp\d+|t0|~\d*)(?![\p{L}\p{N}_])/gu;

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
  announced: ['announced field', 'announced fields'],
} as const satisfies Record<string, readonly [one: string, many: string]>;

/** In the order of a report. */
export const COMPARED_KINDS = Object.keys(KIND_WORDS) as readonly (keyof typeof KIND_WORDS)[];

/** Queries for what was said live, and for what came back of it, also behind the answer. */
export const LIVE_PART = 'is:live';
export const REPLAYED_PART = 'is:replay,late';

/** Of two whole traces, by the side that replays what the other lived. */
export const REPLAYS: Readonly<Record<'a' | 'b', string>> = {
  a: 'The left replays a session that the right lived: a replay is no turn, so most of this differs.',
  b: 'The right replays a session that the left lived: a replay is no turn, so most of this differs.',
};

/** The code of a verdict as people read it; files and exit codes keep the code. */
export function verdictWord(code: string): string {
  return Object.hasOwn(VERDICT_WORDS, code) ? (VERDICT_WORDS[code] ?? code) : code;
}

const VERDICT_WORDS: Readonly<Record<string, string>> = {
  equal: 'identical',
  cosmetic: 'equivalent',
  lossy: 'incomplete',
  corrupt: 'wrong',
  undecidable: 'inconclusive',
};
