// A query read. What does not parse is a sentence and its place, never an exception. So is what looks
// like a field, an operator or a path that a query does not have: searched for as text it would match
// nothing, and a count of 0 would pass for ever. Text in quotes is always text.
import type { Json } from '../../acp/json.ts';
import { didYouMean } from '../../lib/nearest.ts';
import {
  alternativesOf,
  closingOf,
  cutsOf,
  noPattern,
  queryPieces,
  readPattern,
  readQuoted,
  type QueryPiece,
} from './cut.ts';
import {
  FIELD_FACTS,
  QUERY_FIELD_NAMES,
  isField,
  takesOf,
  type QueryField,
  type Takes,
} from './fields.ts';
import { comparedTo, numberOf, rangeOf, unitNames, type Comparison } from './numbers.ts';
import { PATH_OPERATORS, readPath, type PathOperator } from './path.ts';
import {
  SyntaxProblem,
  type Expr,
  type FieldTerm,
  type Query,
  type QueryPart,
  type QueryProblem,
  type QueryValue,
  type Range,
  type Term,
} from './query.ts';

type Parsed =
  | { readonly ok: true; readonly query: Query }
  | { readonly ok: false; readonly problem: QueryProblem };

/** More parts than anybody writes; what a part hides alone is counted in the bits of a number. */
const MOST_PARTS = 30;
const MOST_DEPTH = 20;
const SEQ_TAKES = takesOf('seq');
const NEAR_TAKES = takesOf('near');
const PATH_HINT =
  'A path is written as $.params.update.title, $.params.content[0].text or $.params["a b"], with [*] for any place.';
/** Frames on each side of `near:`. */
const NEAR = 20;

export function parseQuery(query: string): Parsed {
  try {
    for (const { at, sign } of cutsOf(query, { from: 0, to: query.length }))
      if (sign === 'stray')
        throw new SyntaxProblem(
          'No ( was opened for this ). As text it goes in quotes.',
          at,
          at + 1,
        );
    const parts = queryPieces(query).map((piece): QueryPart => {
      const expr = readAny(query, piece, 0);
      return { expr, source: query.slice(piece.from, piece.to), ...piece };
    });
    if (parts.length > MOST_PARTS)
      throw new SyntaxProblem(`More than ${MOST_PARTS} terms.`, 0, query.length);
    return { ok: true, query: parts };
  } catch (error) {
    if (error instanceof SyntaxProblem) return { ok: false, problem: error.problem };
    throw error;
  }
}

function readAny(query: string, piece: QueryPiece, depth: number): Expr {
  const all = alternativesOf(query, piece);
  const of = all.map((one, at): Expr => {
    if (one.from < one.to) return readOne(query, one, depth);
    const bar = at === 0 ? query.indexOf('|', piece.from) : query.lastIndexOf('|', one.from - 1);
    throw new SyntaxProblem('A | stands between two terms, one of which must match.', bar, bar + 1);
  });
  const [only] = of;
  return of.length === 1 && only !== undefined ? only : { kind: 'any', of };
}

function readOne(query: string, { from, to }: QueryPiece, depth: number): Expr {
  const negated = query[from] === '-' && to > from + 1;
  const start = negated ? from + 1 : from;
  const expr =
    query[start] === '('
      ? readGroup(query, { from: start, to }, depth + 1)
      : readTerm(query, { from: start, to });
  return negated ? { kind: 'not', of: expr } : expr;
}

function readGroup(query: string, { from, to }: QueryPiece, depth: number): Expr {
  const close = closingOf(query, { from, to });
  if (close === undefined)
    throw new SyntaxProblem('The ( has no end: add a ). As text it goes in quotes.', from, to);
  if (close < to - 1) throw new SyntaxProblem('Write a space or | after the ).', close + 1, to);
  if (depth > MOST_DEPTH) throw new SyntaxProblem('Too many brackets in each other.', from, to);
  const pieces = queryPieces(query, { from: from + 1, to: close });
  if (pieces.length === 0) throw new SyntaxProblem('The brackets are empty.', from, to);
  const of = pieces.map((piece) => readAny(query, piece, depth));
  const [only] = of;
  return of.length === 1 && only !== undefined ? only : { kind: 'all', of };
}

function readTerm(query: string, piece: QueryPiece): Expr {
  const { from, to } = piece;
  const text = query.slice(from, to);
  const term = (field: QueryField, values: readonly QueryValue[]): FieldTerm => ({
    ...{ kind: 'field', field, values, source: text, from, to },
  });
  if (/^\$(?:[.[=!~<>]|$)/.test(text)) return readPathTerm(query, piece);
  const [, connection, places] = /^(?:c([1-9]\d*))?#(\d.*)$/.exec(text) ?? [];
  if (places !== undefined) {
    const [field, takes] = /[±+]/.test(places)
      ? (['near', NEAR_TAKES] as const)
      : (['seq', SEQ_TAKES] as const);
    const seq = term(
      field,
      places.split(',').map((one) => valueOf(field, takes, one, piece)),
    );
    const number = Number(connection);
    return connection === undefined
      ? seq
      : { kind: 'all', of: [term('connection', [{ low: number, high: number }]), seq] };
  }
  const [head = '', name = '', sign = ''] =
    /^([a-z][\w.-]*)(:(?!\/\/)|[<>!]=?|[≤≥=~])/i.exec(text) ?? [];
  const begin = from + head.length;
  if (head === '') return term('text', [readBare(query, piece)]);
  if (!isField(name)) throw noField(name, sign, from, sign === ':' ? begin : from + name.length);
  if (sign === ':') return term(name, readValues(query, { from: begin, to }, name));
  return term(name, [readCompared(name, sign, text.slice(head.length), { from: begin, to })]);
}

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  ...{ '>': '>', '>=': '>=', '≥': '>=', '<': '<', '<=': '<=', '≤': '<=' },
};

/** `latency>500`. */
function readCompared(
  field: QueryField,
  sign: string,
  text: string,
  { from, to }: QueryPiece,
): Range {
  const takes = takesOf(field);
  const [signFrom, whole] = [from - sign.length, { from, to }];
  const isOrder = Object.hasOwn(COMPARISONS, sign);
  if (!isOrder || (takes.kind !== 'number' && takes.kind !== 'span')) {
    const how = isOrder
      ? `${field} is no number and has none: its value stands behind a colon`
      : `There is no operator ${sign}: a field and its value are joined by a colon`;
    throw new SyntaxProblem(
      `${how}, such as ${FIELD_FACTS[field].example}. Text with ${sign} goes in quotes.`,
      signFrom,
      from,
    );
  }
  const number = numberOf(text, takes.kind === 'span' ? 's' : takes.unit, markOf(takes));
  if (number === undefined) throw noNumber(field, text, signFrom, whole);
  return comparedTo(COMPARISONS[sign] ?? '>', number);
}

function readValues(
  query: string,
  { from, to }: QueryPiece,
  field: QueryField,
): readonly QueryValue[] {
  const values: QueryValue[] = [];
  for (let at = from; ; at++) {
    const read = readValue(query, { from: at, to }, field);
    values.push(read.value);
    at = read.to;
    if (at >= to) return values;
    if (query[at] !== ',')
      throw new SyntaxProblem(
        'Write a comma or a space after a value in quotes or slashes.',
        at,
        to,
      );
  }
}

interface Read {
  readonly value: QueryValue;
  readonly to: number;
}

function readValue(query: string, { from, to }: QueryPiece, field: QueryField): Read {
  const takes = takesOf(field);
  const isWord = takes.kind === 'text' || takes.kind === 'words';
  if (isWord && query[from] === '"') {
    const { text, to: end } = readQuoted(query, { from, to });
    // `id:"2"` is the string, which is not the number.
    return { value: { text: field === 'id' ? `"${text}"` : text, isExact: true }, to: end };
  }
  if (isWord && query[from] === '/') {
    const pattern = readPattern(query, { from, to });
    if (pattern) return { value: pattern, to: pattern.to };
  }
  const comma = query.indexOf(',', from);
  const end = comma < 0 || comma > to ? to : comma;
  const text = query.slice(from, end);
  const place = { from, to: end };
  if (text === '') {
    const needs = `${field}: needs a value, such as ${FIELD_FACTS[field].example}.`;
    throw new SyntaxProblem(needs, from - 1, Math.max(end, from));
  }
  if (text.startsWith('('))
    throw new SyntaxProblem(
      `One of several values is written with commas, such as ${field}:a,b.`,
      from,
      to,
    );
  if (isWord && text.startsWith('/') && text.length > 1) throw noPattern(text, from, end);
  return { value: valueOf(field, takes, text, place), to: end };
}

function valueOf(field: QueryField, takes: Takes, text: string, place: QueryPiece): QueryValue {
  switch (takes.kind) {
    case 'text':
    case 'words':
      return { text };
    case 'choice':
      if (takes.of.includes(text)) return { text };
      throw new SyntaxProblem(
        `${field}: takes ${takes.of.join(', ')}; ${text} is none of them.${didYouMean(text, takes.of)}`,
        place.from,
        place.to,
      );
    case 'number': {
      const range = rangeOf(text, takes.unit, takes.mark);
      if (range === undefined) throw noNumber(field, text, place.from, place);
      return range;
    }
    case 'span': {
      const range = /\.\.|^\*$/.test(text) ? rangeOf(text, 's') : undefined;
      if (range !== undefined) return range;
      throw new SyntaxProblem(
        `${field}: takes a span in seconds, such as ${FIELD_FACTS[field].example}; ${text} is none.`,
        place.from,
        place.to,
      );
    }
    case 'near': {
      const [, seq, around] = /^#?(\d+)(?:(?:±|\+-)(\d+))?$/.exec(text) ?? [];
      if (seq === undefined)
        throw new SyntaxProblem(
          `${field}: takes a frame, such as ${FIELD_FACTS[field].example}; ${text} is none.`,
          place.from,
          place.to,
        );
      const most = Number(around ?? NEAR);
      return { low: Number(seq) - most, high: Number(seq) + most };
    }
  }
}

function noNumber(
  field: QueryField,
  text: string,
  from: number,
  { to }: QueryPiece,
): SyntaxProblem {
  const takes = takesOf(field);
  const units = unitNames(takes.kind === 'number' ? takes.unit : 's').join(', ');
  const said = text === '' ? 'nothing stands here' : `${text} is none`;
  return new SyntaxProblem(
    `${field} is a number${units === '' ? '' : `, also with ${units}`}, or a span, such as ${FIELD_FACTS[field].example} or ${field}:2..5; ${said}.`,
    from,
    Math.max(to, from + 1),
  );
}

function markOf(takes: Takes): string | undefined {
  return takes.kind === 'number' ? takes.mark : undefined;
}

function readPathTerm(query: string, { from, to }: QueryPiece): Term {
  const source = query.slice(from, to);
  const read = readPath(query, from);
  if (typeof read === 'number' || read.path.length === 0)
    throw new SyntaxProblem(PATH_HINT, from, to);
  const { path } = read;
  const rest = query.slice(read.to, to);
  const term = (test: Extract<Term, { kind: 'path' }>['test']): Term => ({
    ...{ kind: 'path', test, source, from, to },
  });
  if (/^\s+exists$/.test(rest)) return term({ path });
  const operator = PATH_OPERATORS.toSorted((a, b) => b.length - a.length).find((one) =>
    rest.startsWith(one),
  );
  if (operator === undefined)
    throw new SyntaxProblem(
      `What is asked of a path stands right behind it: ${source.trim()}~"text", = != > >= < <=, or ${source.trim()} exists.`,
      from,
      to,
    );
  const value = pathValue(query, { from: read.to + operator.length, to }, operator);
  return term({ path, compare: { operator, value } });
}

function pathValue(query: string, { from, to }: QueryPiece, operator: PathOperator): Json | RegExp {
  const text = query.slice(from, to);
  const due = (message: string) => new SyntaxProblem(message, Math.min(from, to - 1), to);
  if (text === '') throw due(`Write a value after ${operator}.`);
  if (query[from] === '"') {
    const quoted = readQuoted(query, { from, to });
    if (quoted.to < to) throw due('Write a space after the quotes.');
    if (/[<>]/.test(operator)) throw due(`${operator} compares numbers.`);
    return quoted.text;
  }
  const pattern = query[from] === '/' ? readPattern(query, { from, to }) : undefined;
  if (operator === '~' && pattern?.to !== to && query[from] === '/')
    throw noPattern(text, from, to);
  if (pattern) {
    if (operator !== '~') throw due(`A pattern stands behind ~, not behind ${operator}.`);
    return pattern.pattern;
  }
  if (operator === '~') return text;
  const number = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
  if (number !== undefined && Math.abs(number) > Number.MAX_SAFE_INTEGER)
    throw due('A number beyond 2^53 is not read exactly: search for it as text, or with id:.');
  if (/[<>]/.test(operator) && number === undefined)
    throw due(`${operator} compares numbers; ${text} is none.`);
  const words: Readonly<Record<string, Json>> = { true: true, false: false, null: null };
  return Object.hasOwn(words, text) ? (words[text] ?? null) : (number ?? text);
}

function readBare(query: string, { from, to }: QueryPiece): QueryValue {
  if (query[from] === '"') {
    const quoted = readQuoted(query, { from, to });
    if (quoted.to < to)
      throw new SyntaxProblem(
        'Write a space after the quotes. To find a " in the text, use a pattern: /say "x"/.',
        quoted.to,
        to,
      );
    return { text: quoted.text, isExact: true };
  }
  const pattern = query[from] === '/' ? readPattern(query, { from, to }) : undefined;
  if (pattern?.to === to) return pattern;
  const text = query.slice(from, to);
  if (/^\/.+\/[gimsuy]{1,2}$/.test(text)) throw noPattern(text, from, to);
  if (text === '-')
    throw new SyntaxProblem(
      'A - stands right before what it denies, such as -side:agent.',
      from,
      to,
    );
  if (/^(?:[<>=!^:≤≥]|~$|~")/.test(text))
    throw new SyntaxProblem(
      'Field, operator and value stand together, without spaces, such as latency>500 or type:req; - denies. As text it goes in quotes.',
      from,
      to,
    );
  if (/^(?:\$\w|\.[a-z]).*[=~<>]/i.test(text)) throw new SyntaxProblem(PATH_HINT, from, to);
  if (/^(&+|or|and|not|exists)$/i.test(text))
    throw new SyntaxProblem(
      `Terms are joined by space, and all must match. For one of several, write a | b or type:req,res; for none, -type:req. Text such as ${text} goes in quotes.`,
      from,
      to,
    );
  return { text };
}

function noField(name: string, sign: string, from: number, to: number): SyntaxProblem {
  const near = didYouMean(name, QUERY_FIELD_NAMES);
  return new SyntaxProblem(
    `There is no field ${name}.${near} Fields are ${QUERY_FIELD_NAMES.join(', ')}; text with ${sign === ':' ? 'a colon' : sign} goes in quotes.`,
    from,
    to,
  );
}
