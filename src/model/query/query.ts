// The query of the timeline: terms joined by space, each `field:value,value` or bare text, `-` for
// not. What does not parse is a sentence and its place, never an exception. So is what looks like a
// field, an operator or a path that a query does not have: searched for as text it would match nothing,
// and a count of 0 would pass for ever. Text in quotes is always text.
import { didYouMean } from '../../lib/nearest.ts';
import { spanOf } from './query-time.ts';

export const FIELDS = [
  'text',
  'side',
  'type',
  'method',
  'update',
  'session',
  'kind',
  'is',
  'finding',
  'sev',
  'time',
  'connection',
] as const;
export type Field = (typeof FIELDS)[number];

/** The session of what names none: handshake, stderr, noise. */
export const NO_SESSION = 'none';

/** Fields with a closed set of values. */
export const CHOICES: Readonly<Partial<Record<Field, readonly string[]>>> = {
  side: ['client', 'agent'],
  type: ['req', 'res', 'err', 'ntf', 'bad', 'std', 'evt'],
  is: ['replay', 'late', 'live', 'marked'],
  sev: ['error', 'warning', 'hint'],
};

/** Plain values match whole (`text`: anywhere), patterns anywhere. */
export type Value = { readonly text: string } | Pattern;

/** With its place in the query. */
export interface Pattern {
  readonly pattern: RegExp;
  readonly from: number;
  readonly to: number;
}

export interface Term {
  readonly field: Field;
  readonly negated: boolean;
  /** One of them must match. */
  readonly values: readonly Value[];
  /** As written, with its place in the query. */
  readonly source: string;
  readonly from: number;
  readonly to: number;
}

export interface QueryProblem {
  readonly message: string;
  readonly from: number;
  readonly to: number;
}

export type Parsed =
  | { readonly ok: true; readonly terms: readonly Term[] }
  | { readonly ok: false; readonly problem: QueryProblem };

/** More terms than anybody writes; what a term hides alone is counted in the bits of a number. */
const MOST_TERMS = 30;

class Broken {
  readonly problem: QueryProblem;
  constructor(message: string, from: number, to: number) {
    this.problem = { message, from, to };
  }
}

export function parseQuery(query: string): Parsed {
  const terms: Term[] = [];
  let at = 0;
  for (;;) {
    while (/\s/.test(query[at] ?? '')) at++;
    if (at >= query.length) return { ok: true, terms };
    const term = readTerm(query, at);
    if (term instanceof Broken) return { ok: false, problem: term.problem };
    terms.push(term);
    at = term.to;
    if (terms.length > MOST_TERMS)
      return {
        ok: false,
        problem: { message: `More than ${MOST_TERMS} terms.`, from: 0, to: query.length },
      };
  }
}

function readTerm(query: string, from: number): Term | Broken {
  const negated = query[from] === '-' && /\S/.test(query[from + 1] ?? '');
  const start = negated ? from + 1 : from;
  const word = /^([\w.-]+):(?!\/\/)/.exec(query.slice(start));
  const field = FIELDS.find((known) => known === word?.[1]);
  if (word !== null && field === undefined)
    return noField(word[1] ?? '', 'a colon', start, start + word[0].length);
  const values: Value[] = [];
  let at = start + (word?.[0].length ?? 0);
  for (;;) {
    const read = readValue(query, at, field);
    if (read instanceof Broken) return read;
    values.push(read.value);
    at = read.to;
    if (field === undefined || query[at] !== ',') break;
    at++;
  }
  const source = query.slice(from, at);
  return { field: field ?? 'text', negated, values, source, from, to: at };
}

interface Read {
  readonly value: Value;
  readonly to: number;
}

function readValue(query: string, from: number, field: Field | undefined): Read | Broken {
  const isPlain = field === 'time' || field === 'connection';
  if (query[from] === '"' && !isPlain) return readQuoted(query, from);
  const pattern = /^\/((?:[^/\\]|\\.|\/(?![\s,]|$))+)\/(?=[\s,]|$)/.exec(query.slice(from));
  if (pattern?.[1] !== undefined && !isPlain)
    return readPattern(pattern[1], from, from + pattern[0].length);
  const end = field === undefined ? /\s|$/ : /[\s,]|$/;
  const to = from + query.slice(from).search(end);
  const text = query.slice(from, to);
  if (field === undefined) return readBare(text, from, to);
  if (text === '')
    return new Broken(
      `${field}: needs a value, such as ${field}:${EXAMPLES[field]}.`,
      from - 1,
      to,
    );
  if (field === 'text' && text.startsWith('/') && text.length > 1)
    return new Broken('A pattern ends in /, such as text:/time(d out|out)/.', from, to);
  const choices = CHOICES[field];
  if (choices !== undefined && !choices.includes(text))
    return new Broken(`${field}: takes ${choices.join(', ')}; ${text} is none of them.`, from, to);
  if (field === 'time' && spanOf(text) === undefined)
    return new Broken(
      `time: takes a span in seconds, such as time:${EXAMPLES.time}; ${text} is none.`,
      from,
      to,
    );
  if (field === 'connection' && !CONNECTION.test(text))
    return new Broken(
      `connection: takes the number of a connection, such as connection:${EXAMPLES.connection}; ${text} is none.`,
      from,
      to,
    );
  return { value: { text }, to };
}

/** `2`, or `c2` as frames are named. */
const CONNECTION = /^c?[1-9]\d*$/;

function readBare(text: string, from: number, to: number): Read | Broken {
  if (/^(\(.*|[|&)]+|or|and|not)$/i.test(text))
    return new Broken(
      `Terms are joined by space, and all must match. For one of several, write type:req,res; for none, -type:req. Text such as ${text} goes in quotes.`,
      from,
      to,
    );
  if (/^\$[.[]/.test(text))
    return new Broken(
      'A query has no paths into the message. Search for the text of its line, in quotes.',
      from,
      to,
    );
  const compared = /^([a-z][\w.]*)([<>=~!]=?)/i.exec(text);
  if (compared === null) return { value: { text }, to };
  const [whole, name = '', operator = ''] = compared;
  const field = FIELDS.find((known) => known === name);
  if (field === undefined) return noField(name, operator, from, from + name.length);
  return new Broken(
    `There is no operator ${operator}: a field and its value are joined by a colon, such as ${field}:${EXAMPLES[field]}. Text with ${operator} goes in quotes.`,
    from + name.length,
    from + whole.length,
  );
}

function noField(name: string, sign: string, from: number, to: number): Broken {
  const near = didYouMean(name, FIELDS);
  return new Broken(
    `There is no field ${name}.${near} Fields are ${FIELDS.join(', ')}; text with ${sign} goes in quotes.`,
    from,
    to,
  );
}

function readQuoted(query: string, from: number): Read | Broken {
  const end = query.indexOf('"', from + 1);
  if (end < 0) return new Broken('The quoted text has no end: add a ".', from, query.length);
  const text = query.slice(from + 1, end);
  if (text === '') return new Broken('The quotes are empty.', from, end + 1);
  return { value: { text }, to: end + 1 };
}

function readPattern(source: string, from: number, to: number): Read | Broken {
  try {
    return { value: { pattern: new RegExp(source, 'i'), from, to }, to };
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^.*: /, '') : 'it does not parse';
    return new Broken(`The pattern is broken: ${why}.`, from, to);
  }
}

const EXAMPLES: Readonly<Record<Field, string>> = {
  text: '"timed out"',
  side: 'agent',
  type: 'req,res',
  method: 'session/prompt',
  update: 'tool_call_update',
  session: 'S1',
  kind: 'edit',
  is: 'replay',
  finding: 'replay/*',
  sev: 'error',
  time: '1.4..2.3',
  connection: '2',
};
