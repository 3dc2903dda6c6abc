// The language of assertions: two values and how they compare, or a query that must match or must
// not. What does not parse is a sentence and its place, never an exception.
//
//   exists(QUERY)   none(QUERY)   order(QUERY, QUERY, …)   VALUE = != < <= > >= VALUE
//   VALUE: count(QUERY)  first(QUERY)  last(QUERY)  first(QUERY).at  max(latency, QUERY)  min(size, QUERY)
//          fidelity(S1|last|all|#n)  restore(last|#n)  finding(error|RULE)
//          a number, with a unit of time or size  a word
import { RESTORE_VERDICTS } from '../../../model/restore/restore-verdict.ts';
import { cutsOf } from '../../../model/query/cut.ts';
import { SyntaxProblem, type QueryProblem } from '../../../model/query/query.ts';
import { numberOf } from '../../../model/query/numbers.ts';
import { SEVERITIES } from '../../../rules/finding.ts';
import { didYouMean } from '../../../lib/nearest.ts';
import { queryNames, ruleProblem, type RunTense } from '../file/query-names.ts';
import {
  askedIn,
  measureIn,
  MEASURES,
  orderIn,
  whichIn,
  type AskedMeasure,
  type AssertionCall,
  type Dimension,
  type Measure,
  type Which,
} from './arguments.ts';

const OPERATORS = ['=', '!=', '<', '<=', '>', '>='] as const;
export type Operator = (typeof OPERATORS)[number];

/** Best last; what cannot be decided compares to none. */
export const FIDELITY_ORDER = ['corrupt', 'lossy', 'cosmetic', 'equal'] as const;

export type AssertedValue =
  | { readonly kind: 'count'; readonly asked: AskedMeasure }
  /** Where it stands in the run, or when it came. */
  | {
      readonly kind: 'frame';
      readonly which: 'first' | 'last';
      readonly asked: AskedMeasure;
      readonly at: boolean;
    }
  /** The greatest or the least that a frame has. */
  | {
      readonly kind: 'measure';
      readonly which: 'max' | 'min';
      readonly measure: Measure;
      readonly asked: AskedMeasure;
    }
  | { readonly kind: 'fidelity'; readonly which: Which }
  | { readonly kind: 'restore'; readonly which: Which }
  /** How many findings: of a severity or worse, or of rules, which may end in `*`. */
  | { readonly kind: 'finding'; readonly what: string }
  /** `unit`: of what was written behind it; in milliseconds, or bytes. */
  | { readonly kind: 'number'; readonly value: number; readonly unit: Dimension | undefined }
  | { readonly kind: 'word'; readonly text: string };

export type Assertion =
  | { readonly kind: 'exists'; readonly asked: AskedMeasure }
  | { readonly kind: 'none'; readonly asked: AskedMeasure }
  /** A frame of each, each later than that of the one before. */
  | { readonly kind: 'order'; readonly all: readonly AskedMeasure[] }
  | {
      readonly kind: 'compare';
      readonly left: AssertedValue;
      readonly operator: Operator;
      readonly right: AssertedValue;
    };

type AssertionRead =
  | {
      readonly ok: true;
      readonly assertion: Assertion;
      /** Names in quotes that nothing has: they may be a slip of the pen, and hinder nothing. */
      readonly warnings: readonly QueryProblem[];
    }
  | { readonly ok: false; readonly problem: QueryProblem };

export const CALLS = [
  'count',
  'exists',
  'none',
  'order',
  'first',
  'last',
  'max',
  'min',
  'fidelity',
  'restore',
  'finding',
] as const;

const IN_QUOTES = 'In quotes it is taken as it stands.';

export function parseAssertion(source: string, run: RunTense = 'to come'): AssertionRead {
  try {
    const assertion = new Reader(source).assertion();
    const warnings = queriesIn(assertion).flatMap(({ query, from }) =>
      queryNames(query, run).map((name) => {
        const place = { from: from + name.from, to: from + name.to };
        if (!name.isWarning) throw new SyntaxProblem(name.message, place.from, place.to);
        // Nothing has that name, so that `none(…)` would hold for ever.
        const isQuoted = source.slice(0, place.from).endsWith('"');
        if (!isQuoted)
          throw new SyntaxProblem(`${name.message} ${IN_QUOTES}`, place.from, place.to);
        return { message: name.message, ...place };
      }),
    );
    return { ok: true, assertion, warnings };
  } catch (error) {
    if (error instanceof SyntaxProblem) return { ok: false, problem: error.problem };
    throw error;
  }
}

/** The queries it asks. */
export function queriesIn(assertion: Assertion): readonly AskedMeasure[] {
  if (assertion.kind === 'order') return assertion.all;
  if (assertion.kind !== 'compare') return [assertion.asked];
  return [assertion.left, assertion.right].flatMap((value) =>
    'asked' in value ? value.asked : [],
  );
}

interface NamedCall extends AssertionCall {
  readonly name: (typeof CALLS)[number];
}

type Placed = { readonly value: AssertedValue; readonly from: number; readonly to: number };

class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  assertion(): Assertion {
    const call = this.#call();
    if (call && isAlone(call)) {
      this.#end();
      return call.name === 'order'
        ? { kind: 'order', all: orderIn(call) }
        : { kind: call.name, asked: askedIn(call) };
    }
    const left = call === undefined ? this.#plain() : this.#valueOf(call);
    const operator = this.#operator();
    const rightCall = this.#call();
    if (rightCall && isAlone(rightCall))
      throw new SyntaxProblem(
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
      throw new SyntaxProblem(
        'The assertion has ended here. Write each assertion on its own.',
        this.#at,
        this.#source.length,
      );
  }

  #call(): NamedCall | undefined {
    this.#skip();
    const from = this.#at;
    const word = /^([A-Za-z]+)\s*\(/.exec(this.#source.slice(from));
    if (!word?.[1]) return undefined;
    const said = word[1];
    const name = CALLS.find((one) => one === said);
    if (name === undefined)
      throw new SyntaxProblem(
        `There is no ${said}(…).${didYouMean(said, CALLS)} There are ${CALLS.join(', ')}.`,
        from,
        from + said.length,
      );
    const innerFrom = from + word[0].length;
    const inner = cutsOf(this.#source, { from: innerFrom, to: this.#source.length });
    const end = [...inner].find(({ sign }) => sign === 'stray')?.at;
    if (end === undefined)
      throw new SyntaxProblem(`${name}( has no end: add a ).`, from, this.#source.length);
    this.#at = end + 1;
    return { name, inner: this.#source.slice(innerFrom, end), from, innerFrom, to: end + 1 };
  }

  #valueOf(call: NamedCall): Placed {
    const { name, from } = call;
    const placed = (value: AssertedValue): Placed => ({ value, from, to: this.#at });
    switch (name) {
      case 'count':
        return placed({ kind: 'count', asked: askedIn(call) });
      case 'first':
      case 'last': {
        const asked = askedIn(call);
        const at = /^\.(\w+)/.exec(this.#source.slice(this.#at));
        if (at && at[1] !== 'at')
          throw new SyntaxProblem(
            `A frame has no .${at[1]}; it has .at, the time since the run began.`,
            this.#at,
            this.#at + at[0].length,
          );
        this.#at += at?.[0].length ?? 0;
        return placed({ kind: 'frame', which: name, asked, at: at !== null });
      }
      case 'max':
      case 'min':
        return placed({ kind: 'measure', which: name, ...measureIn(call) });
      case 'fidelity':
      case 'restore':
        return placed({ kind: name, which: whichIn(call) });
      case 'finding': {
        const what = call.inner.trim();
        if (what === '' || /\s/.test(what))
          throw new SyntaxProblem(
            'finding( takes a severity, error, warning or hint, or a rule, such as replay/*.',
            call.innerFrom,
            call.to,
          );
        const from = call.innerFrom + call.inner.indexOf(what);
        const unknown = SEVERITIES.some((one) => one === what)
          ? undefined
          : ruleProblem(what, SEVERITIES);
        if (unknown !== undefined) throw new SyntaxProblem(unknown, from, from + what.length);
        return placed({ kind: 'finding', what });
      }
      case 'exists':
      case 'none':
      case 'order':
        throw new SyntaxProblem(`${name}(…) stands alone.`, from, call.to);
    }
  }

  #operator(): Operator {
    this.#skip();
    const found = /^(!=|<=|>=|==|=|<|>)/.exec(this.#source.slice(this.#at))?.[1];
    const operator = OPERATORS.find((one) => one === (found === '==' ? '=' : found));
    if (found === undefined || operator === undefined)
      throw new SyntaxProblem(
        `Write a comparison here: ${OPERATORS.join(' ')}.`,
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
      throw new SyntaxProblem(
        'Write a value here: count(…), first(…), max(…), fidelity(…), restore(…), finding(…), a number or a word.',
        from,
        Math.min(from + 1, this.#source.length),
      );
    const number = numberIn(text);
    if (number) return { value: number, from, to };
    if (!/^[a-z][a-z-]*$/.test(text))
      throw new SyntaxProblem(`${text} is no number and no word.`, from, to);
    return { value: { kind: 'word', text }, from, to };
  }
}

/** What holds or does not, and is no value. */
function isAlone(
  call: NamedCall,
): call is NamedCall & { readonly name: 'exists' | 'none' | 'order' } {
  return call.name === 'exists' || call.name === 'none' || call.name === 'order';
}

function numberIn(text: string): Extract<AssertedValue, { readonly kind: 'number' }> | undefined {
  const [, sign, rest = ''] = /^(-?)(\d.*)$/.exec(text) ?? [];
  const units = [
    ['plain', undefined],
    ['ms', 'time'],
    ['bytes', 'bytes'],
  ] as const;
  for (const [unit, dimension] of units) {
    const number = numberOf(rest, unit);
    if (number !== undefined)
      return { kind: 'number', value: sign === '-' ? -number : number, unit: dimension };
  }
  return undefined;
}

function mustCompare(left: Placed, operator: Operator, right: Placed): void {
  const [a, b] =
    left.value.kind === 'word' || left.value.kind === 'number' ? [right, left] : [left, right];
  const [one, other] = [a.value, b.value];
  const wrong = (message: string, place = b) => new SyntaxProblem(message, place.from, place.to);
  switch (one.kind) {
    case 'count':
    case 'finding':
      if (other.kind === 'count' || other.kind === 'finding') return;
      if (other.kind === 'number' && other.unit === undefined) return;
      throw wrong(`${one.kind}(…) is a number and compares with a number.`);
    case 'frame':
      if (other.kind === 'frame' && other.at === one.at) return;
      if (one.at && other.kind === 'number' && other.unit !== 'bytes') return;
      throw wrong(
        one.at
          ? 'A time compares with a time: 500ms, 2s, or the .at of another frame.'
          : 'A frame compares with a frame, by which came before: first(…) < last(…). For its time, write .at.',
      );
    case 'measure': {
      const due = MEASURES[one.measure];
      if (other.kind === 'measure' && MEASURES[other.measure] === due) return;
      if (other.kind === 'number' && (other.unit ?? due) === due) return;
      const what = due === 'time' ? 'a time: 500ms, 2s' : 'a size: 391, 10kb';
      throw wrong(`${one.which}(${one.measure}, …) compares with ${what}, or another of its kind.`);
    }
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
