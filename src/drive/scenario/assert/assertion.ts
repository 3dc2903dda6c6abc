// The language of assertions: two values and how they compare, or a query that must match or must
// not. What does not parse is a sentence and its place, never an exception.
//
//   exists(QUERY)   none(QUERY)   VALUE = != < <= > >= VALUE
//   VALUE: count(QUERY)  first(QUERY)  last(QUERY)  first(QUERY).at  fidelity(S1|last|all|#n)
//          restore(last|#n)  finding(error|RULE)  a number, with ms or s  a word
import { RESTORE_VERDICTS } from '../../../model/restore/restore-verdict.ts';
import { cutsOf } from '../../../model/query/cut.ts';
import { parseQuery } from '../../../model/query/parse.ts';
import type { Query } from '../../../model/query/query.ts';
import { SEVERITIES } from '../../../rules/finding.ts';
import { didYouMean } from '../../../lib/nearest.ts';
import { queryNames, ruleProblem } from '../file/query-names.ts';

export const OPERATORS = ['=', '!=', '<', '<=', '>', '>='] as const;
export type Operator = (typeof OPERATORS)[number];

/** Best last; what cannot be decided compares to none. */
export const FIDELITY_ORDER = ['corrupt', 'lossy', 'cosmetic', 'equal'] as const;

export interface Asked {
  readonly source: string;
  readonly query: Query;
}

/** Which replay: of a session, the last, all, or that of a request. */
export type Which =
  | { readonly kind: 'last' }
  | { readonly kind: 'all' }
  /** By chip or id. */
  | { readonly kind: 'session'; readonly name: string }
  /** `c2#12`; connections count from 1. */
  | { readonly kind: 'frame'; readonly connection: number; readonly seq: number };

export type Value =
  | { readonly kind: 'count'; readonly asked: Asked }
  /** Where it stands in the run, or when it came. */
  | {
      readonly kind: 'frame';
      readonly which: 'first' | 'last';
      readonly asked: Asked;
      readonly at: boolean;
    }
  | { readonly kind: 'fidelity'; readonly which: Which }
  | { readonly kind: 'restore'; readonly which: Which }
  /** How many findings: of a severity or worse, or of rules, which may end in `*`. */
  | { readonly kind: 'finding'; readonly what: string }
  | { readonly kind: 'number'; readonly value: number; readonly isTime: boolean }
  | { readonly kind: 'word'; readonly text: string };

export type Assertion =
  | { readonly kind: 'exists'; readonly asked: Asked }
  | { readonly kind: 'none'; readonly asked: Asked }
  | {
      readonly kind: 'compare';
      readonly left: Value;
      readonly operator: Operator;
      readonly right: Value;
    };

export interface AssertionProblem {
  readonly message: string;
  /** UTF-16 units from the start of the assertion. */
  readonly from: number;
  readonly to: number;
}

export type AssertionRead =
  | { readonly ok: true; readonly assertion: Assertion }
  | { readonly ok: false; readonly problem: AssertionProblem };

export const CALLS = [
  'count',
  'exists',
  'none',
  'first',
  'last',
  'fidelity',
  'restore',
  'finding',
] as const;

class Broken extends Error {
  readonly problem: AssertionProblem;
  constructor(message: string, from: number, to: number) {
    super(message);
    this.problem = { message, from, to };
  }
}

export function parseAssertion(source: string): AssertionRead {
  try {
    return { ok: true, assertion: new Reader(source).assertion() };
  } catch (error) {
    if (error instanceof Broken) return { ok: false, problem: error.problem };
    throw error;
  }
}

/** The queries it asks. */
export function queriesIn(assertion: Assertion): readonly Asked[] {
  if (assertion.kind !== 'compare') return [assertion.asked];
  return [assertion.left, assertion.right].flatMap((value) =>
    value.kind === 'count' || value.kind === 'frame' ? value.asked : [],
  );
}

interface Call {
  readonly name: (typeof CALLS)[number];
  readonly inner: string;
  readonly from: number;
  readonly innerFrom: number;
  readonly to: number;
}

type Placed = { readonly value: Value; readonly from: number; readonly to: number };

class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  assertion(): Assertion {
    const call = this.#call();
    if (call?.name === 'exists' || call?.name === 'none') {
      this.#end();
      return { kind: call.name, asked: askedIn(call) };
    }
    const left = call === undefined ? this.#plain() : this.#valueOf(call);
    const operator = this.#operator();
    const rightCall = this.#call();
    if (rightCall?.name === 'exists' || rightCall?.name === 'none')
      throw new Broken(
        `${rightCall.name}(…) stands alone; it is no value to compare with.`,
        rightCall.from,
        rightCall.to,
      );
    const right = rightCall === undefined ? this.#plain() : this.#valueOf(rightCall);
    this.#end();
    mustCompare(left, operator, right);
    return { kind: 'compare', left: left.value, operator, right: right.value };
  }

  #skip(): void {
    while (/\s/.test(this.#source[this.#at] ?? '')) this.#at++;
  }

  #end(): void {
    this.#skip();
    if (this.#at < this.#source.length)
      throw new Broken(
        'The assertion has ended here. Write each assertion on its own.',
        this.#at,
        this.#source.length,
      );
  }

  #call(): Call | undefined {
    this.#skip();
    const from = this.#at;
    const word = /^([A-Za-z]+)\s*\(/.exec(this.#source.slice(from));
    if (!word?.[1]) return undefined;
    const said = word[1];
    const name = CALLS.find((one) => one === said);
    if (name === undefined)
      throw new Broken(
        `There is no ${said}(…).${didYouMean(said, CALLS)} There are ${CALLS.join(', ')}.`,
        from,
        from + said.length,
      );
    const innerFrom = from + word[0].length;
    const inner = cutsOf(this.#source, { from: innerFrom, to: this.#source.length });
    const end = [...inner].find(({ sign }) => sign === 'stray')?.at;
    if (end === undefined)
      throw new Broken(`${name}( has no end: add a ).`, from, this.#source.length);
    this.#at = end + 1;
    return { name, inner: this.#source.slice(innerFrom, end), from, innerFrom, to: end + 1 };
  }

  #valueOf(call: Call): Placed {
    const { name, from } = call;
    const placed = (value: Value): Placed => ({ value, from, to: this.#at });
    switch (name) {
      case 'count':
        return placed({ kind: 'count', asked: askedIn(call) });
      case 'first':
      case 'last': {
        const asked = askedIn(call);
        const at = /^\.(\w+)/.exec(this.#source.slice(this.#at));
        if (at && at[1] !== 'at')
          throw new Broken(
            `A frame has no .${at[1]}; it has .at, the time since the run began.`,
            this.#at,
            this.#at + at[0].length,
          );
        this.#at += at?.[0].length ?? 0;
        return placed({ kind: 'frame', which: name, asked, at: at !== null });
      }
      case 'fidelity':
      case 'restore':
        return placed({ kind: name, which: whichIn(call) });
      case 'finding': {
        const what = call.inner.trim();
        if (what === '' || /\s/.test(what))
          throw new Broken(
            'finding( takes a severity, error, warning or hint, or a rule, such as replay/*.',
            call.innerFrom,
            call.to,
          );
        const from = call.innerFrom + call.inner.indexOf(what);
        const unknown = SEVERITIES.some((one) => one === what)
          ? undefined
          : ruleProblem(what, SEVERITIES);
        if (unknown !== undefined) throw new Broken(unknown, from, from + what.length);
        return placed({ kind: 'finding', what });
      }
      case 'exists':
      case 'none':
        throw new Broken(`${name}(…) stands alone.`, from, call.to);
    }
  }

  #operator(): Operator {
    this.#skip();
    const found = /^(!=|<=|>=|==|=|<|>)/.exec(this.#source.slice(this.#at))?.[1];
    const operator = OPERATORS.find((one) => one === (found === '==' ? '=' : found));
    if (found === undefined || operator === undefined)
      throw new Broken(
        `A comparison is due here: ${OPERATORS.join(' ')}.`,
        this.#at,
        Math.min(this.#at + 1, this.#source.length),
      );
    this.#at += found.length;
    return operator;
  }

  #plain(): Placed {
    this.#skip();
    const from = this.#at;
    const text = /^[^\s()=<>!]*/.exec(this.#source.slice(from))?.[0] ?? '';
    this.#at = from + text.length;
    const to = this.#at;
    if (text === '')
      throw new Broken(
        'A value is due here: count(…), first(…), fidelity(…), restore(…), finding(…), a number or a word.',
        from,
        Math.min(from + 1, this.#source.length),
      );
    const number = /^(-?\d+(?:\.\d+)?)(ms|s)?$/.exec(text);
    if (number?.[1] !== undefined) {
      const value = Number(number[1]) * (number[2] === 's' ? 1000 : 1);
      return { value: { kind: 'number', value, isTime: number[2] !== undefined }, from, to };
    }
    if (!/^[a-z][a-z-]*$/.test(text))
      throw new Broken(`${text} is no number and no word.`, from, to);
    return { value: { kind: 'word', text }, from, to };
  }
}

function askedIn({ name, inner, innerFrom, to }: Call): Asked {
  const parsed = parseQuery(inner);
  if (!parsed.ok) {
    const { message, from, to: end } = parsed.problem;
    throw new Broken(message, innerFrom + from, innerFrom + end);
  }
  if (parsed.query.length === 0)
    throw new Broken(`${name}( takes a query, such as ${name}(type:req).`, innerFrom, to);
  const wrong = queryNames(parsed.query).find(({ isWarning }) => !isWarning);
  if (wrong)
    throw new Broken(wrong.message, innerFrom + wrong.term.from, innerFrom + wrong.term.to);
  return { source: inner.trim(), query: parsed.query };
}

function whichIn({ name, inner, innerFrom, to }: Call): Which {
  const text = inner.trim();
  const frame = /^(?:c([1-9]\d*))?#([1-9]\d*)$/.exec(text);
  if (frame) return { kind: 'frame', connection: Number(frame[1] ?? 1), seq: Number(frame[2]) };
  if (text === 'last' || text === 'all') return { kind: text };
  if (text !== '' && !/\s/.test(text)) return { kind: 'session', name: text };
  throw new Broken(
    `${name}( takes last, all, a session such as S1, or the request's frame, such as #12 or c2#12.`,
    innerFrom,
    to,
  );
}

function mustCompare(left: Placed, operator: Operator, right: Placed): void {
  const [a, b] =
    left.value.kind === 'word' || left.value.kind === 'number' ? [right, left] : [left, right];
  const [one, other] = [a.value, b.value];
  const wrong = (message: string, place = b) => new Broken(message, place.from, place.to);
  switch (one.kind) {
    case 'count':
    case 'finding':
      if (other.kind === 'count' || other.kind === 'finding') return;
      if (other.kind === 'number' && !other.isTime) return;
      throw wrong(`${one.kind}(…) is a number and compares with a number.`);
    case 'frame':
      if (other.kind === 'frame' && other.at === one.at) return;
      if (one.at && other.kind === 'number') return;
      throw wrong(
        one.at
          ? 'A time compares with a time: 500ms, 2s, or the .at of another frame.'
          : 'A frame compares with a frame, by which came before: first(…) < last(…). For its time, write .at.',
      );
    case 'fidelity': {
      if (other.kind === 'word' && FIDELITY_ORDER.some((word) => word === other.text)) return;
      const said = other.kind === 'word' ? didYouMean(other.text, FIDELITY_ORDER) : '';
      throw wrong(`fidelity(…) compares with ${[...FIDELITY_ORDER].reverse().join(', ')}.${said}`);
    }
    case 'restore': {
      if (operator !== '=' && operator !== '!=')
        throw wrong('What came of a restore is a word: it compares by = and !=.');
      if (other.kind === 'word' && RESTORE_VERDICTS.some((word) => word === other.text)) return;
      const said = other.kind === 'word' ? didYouMean(other.text, RESTORE_VERDICTS) : '';
      throw wrong(`restore(…) compares with ${RESTORE_VERDICTS.join(', ')}.${said}`);
    }
    case 'number':
    case 'word':
      throw wrong(
        'One side has to ask something of the record: count(…), first(…), fidelity(…).',
        left,
      );
  }
}
