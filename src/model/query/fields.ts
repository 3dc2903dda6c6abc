// The fields of a query: what each asks for, what it takes, and an example. Parser, completion, errors
// and the documentation read this table, so that a field is one entry.

/** The session of what names none: handshake, stderr, noise. */
export const NO_SESSION = 'none';

/** How a number is written: without a unit, in milliseconds or seconds unless one says so, in bytes. */
export type Unit = 'plain' | 'ms' | 's' | 'bytes';

/** What may stand behind a field. */
export type Takes =
  /** Text of whatever case, or a pattern, somewhere in the line. */
  | { readonly kind: 'text' }
  /** A whole word, its beginning with `*`, or a pattern. */
  | { readonly kind: 'words' }
  | { readonly kind: 'choice'; readonly of: readonly string[] }
  /** A number, `a..b`, or one behind `>` `>=` `<` `<=`; `mark`: a letter that may stand before it. */
  | { readonly kind: 'number'; readonly unit: Unit; readonly mark?: string }
  /** Of time: `a..b`, as no frame stands at a moment. */
  | { readonly kind: 'span' }
  /** A frame, and how many on each side of it. */
  | { readonly kind: 'near' };

interface FieldFacts {
  readonly takes: Takes;
  /** A term that uses it, as it may be typed. */
  readonly example: string;
  readonly doc: string;
}

const words: Takes = { kind: 'words' };

export const FIELD_FACTS = {
  text: {
    takes: { kind: 'text' },
    example: 'text:"replayFrom"',
    doc: 'Text in the line, of whatever case; so do words without a field.',
  },
  side: {
    takes: { kind: 'choice', of: ['client', 'agent'] },
    example: 'side:agent',
    doc: 'Who sent the frame.',
  },
  type: {
    takes: { kind: 'choice', of: ['req', 'res', 'err', 'ntf', 'bad', 'std', 'evt'] },
    example: 'type:req,err',
    doc: 'Request, result, error, notification, no message, stderr, event.',
  },
  is: {
    takes: {
      kind: 'choice',
      of: ['replay', 'late', 'live', 'open', 'cut', 'intercepted', 'marked'],
    },
    example: 'is:replay',
    doc: '`replay`: history; `late`: history after its answer; `live`: neither; `open`: waits for its answer; `cut` off; `intercepted` on its way; `marked`.',
  },
  method: {
    takes: words,
    example: 'method:session/prompt',
    doc: 'The method, also of the answer; `*` at the end for any ending.',
  },
  update: {
    takes: words,
    example: 'update:plan_update',
    doc: 'The variant of a `session/update`.',
  },
  kind: {
    takes: words,
    example: 'kind:edit',
    doc: 'ACP’s tool kind, in all updates of the tool call and requests about it.',
  },
  status: {
    takes: words,
    example: 'status:completed',
    doc: 'What an update says of a tool call, a child or the session: its `status` or `state`.',
  },
  tool: { takes: words, example: 'tool:call_85*', doc: 'The tool call, by its id.' },
  session: {
    takes: words,
    example: 'session:S1',
    doc: 'The session, by its chip or the beginning of its id; `S1+` with its children; `none` for what names no session.',
  },
  turn: {
    takes: { kind: 'number', unit: 'plain' },
    example: 'turn:1',
    doc: 'The turn, counted in the trace: v1 from a prompt to its answer; v2 work from its begin to `idle`, also what the agent begins.',
  },
  window: {
    takes: { kind: 'number', unit: 'plain', mark: '#' },
    example: 'window:#7',
    doc: 'The replay window whose request has this number: request, answer, replay and late history.',
  },
  id: {
    takes: words,
    example: 'id:2',
    doc: 'The id of request and answer, exactly: `2` is not `"2"`; `→2` is the client’s, `←2` the agent’s.',
  },
  seq: {
    takes: { kind: 'number', unit: 'plain', mark: '#' },
    example: 'seq:12..40',
    doc: 'The number of the frame; `#12` alone says the same.',
  },
  near: {
    takes: { kind: 'near' },
    example: 'near:#12±5',
    doc: 'So many frames before and after this one; 20 where nothing is said.',
  },
  time: {
    takes: { kind: 'span' },
    example: 'time:0.1..2.3',
    doc: 'Seconds since the trace began, either end open; also `time>2`, `time<500ms`.',
  },
  gap: {
    takes: { kind: 'number', unit: 'ms' },
    example: 'gap>5s',
    doc: 'Time since the event before.',
  },
  latency: {
    takes: { kind: 'number', unit: 'ms' },
    example: 'latency>100',
    doc: 'Time from a request to its answer, of both; milliseconds, unless `s` or `m` stands behind it.',
  },
  size: {
    takes: { kind: 'number', unit: 'bytes' },
    example: 'size>1kb',
    doc: 'Bytes of the line; `kb`, `mb` are powers of ten.',
  },
  origin: {
    takes: { kind: 'choice', of: ['peer', 'composer', 'script', 'rerun', 'intercept'] },
    example: 'origin:script',
    doc: 'Who wrote the line: the program itself, a person, a script, a trace that is sent again, the intercept.',
  },
  finding: {
    takes: words,
    example: 'finding:replay/*',
    doc: 'With a finding of this rule, `any`, or `undecidable`.',
  },
  sev: {
    takes: { kind: 'choice', of: ['error', 'warning', 'hint'] },
    example: 'sev:error',
    doc: 'With a finding of this severity.',
  },
  connection: {
    takes: { kind: 'number', unit: 'plain', mark: 'c' },
    example: 'connection:1',
    doc: 'In a scenario, and where several files are asked, the connection, from 1; a trace alone is number 1.',
  },
} as const satisfies Readonly<Record<string, FieldFacts>>;

export type QueryField = keyof typeof FIELD_FACTS;

export const QUERY_FIELD_NAMES = Object.keys(FIELD_FACTS) as readonly QueryField[];

export function takesOf(field: QueryField): Takes {
  return FIELD_FACTS[field].takes;
}

/** The values of a field with a closed set of them. */
export function choicesOf(field: QueryField): readonly string[] | undefined {
  const takes = takesOf(field);
  return takes.kind === 'choice' ? takes.of : undefined;
}

export function isField(name: string): name is QueryField {
  return Object.hasOwn(FIELD_FACTS, name);
}
