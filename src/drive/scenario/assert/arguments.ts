// What stands between the brackets of a call in an assertion: queries, what is measured in frames, or
// which replay is meant.
import { didYouMean } from '../../../lib/nearest.ts';
import { cutsOf } from '../../../model/query/cut.ts';
import { parseQuery } from '../../../model/query/parse.ts';
import { SyntaxProblem, type Query } from '../../../model/query/query.ts';

/** What `max` and `min` look for in frames, and what it compares with. */
export const MEASURES = { latency: 'time', gap: 'time', size: 'bytes' } as const;
export type Measure = keyof typeof MEASURES;
export type Dimension = (typeof MEASURES)[Measure];

export interface AskedMeasure {
  readonly source: string;
  readonly query: Query;
  /** Where the places of the query count from, in the assertion. */
  readonly from: number;
}

/** Which replay: of a session, the last, all, or that of a request. */
export type Which =
  | { readonly kind: 'last' }
  | { readonly kind: 'all' }
  /** By chip or id. */
  | { readonly kind: 'session'; readonly name: string }
  /** `c2#12`; connections count from 1. */
  | { readonly kind: 'frame'; readonly connection: number; readonly seq: number };

export interface AssertionCall {
  readonly name: string;
  readonly inner: string;
  readonly from: number;
  readonly innerFrom: number;
  readonly to: number;
}

/** Cut at each comma with a space behind it: those without are a query's own. */
function argumentsOf(call: AssertionCall): readonly AssertionCall[] {
  const { inner, innerFrom } = call;
  const commas = [...cutsOf(inner, { from: 0, to: inner.length })]
    .filter(({ at, sign, depth }) => sign === 'space' && depth === 0 && inner[at - 1] === ',')
    .map(({ at }) => at - 1);
  return [0, ...commas.map((at) => at + 1)].map((from, i) => {
    const to = commas[i] ?? inner.length;
    const place = { innerFrom: innerFrom + from, to: innerFrom + to };
    return { ...call, ...place, inner: inner.slice(from, to) };
  });
}

export function orderIn(call: AssertionCall): readonly AskedMeasure[] {
  const all = argumentsOf(call);
  if (all.length < 2)
    throw new SyntaxProblem(
      'order( takes two queries or more, with a comma and a space between them: order(type:req, type:res).',
      call.innerFrom,
      call.to,
    );
  return all.map((one) => askedIn(one));
}

export function measureIn(call: AssertionCall): {
  readonly measure: Measure;
  readonly asked: AskedMeasure;
} {
  const [first = call, second, third] = argumentsOf(call);
  const said = first.inner.trim();
  const measure = (Object.keys(MEASURES) as Measure[]).find((one) => one === said);
  if (measure === undefined) {
    const names = Object.keys(MEASURES);
    throw new SyntaxProblem(
      `${call.name}( takes ${names.join(', ')}, then a comma, a space and a query: ${call.name}(latency, method:session/prompt).${didYouMean(said, names)}`,
      first.innerFrom,
      Math.max(first.to, first.innerFrom + 1),
    );
  }
  if (third) throw new SyntaxProblem(`${call.name}( takes one query.`, third.innerFrom, third.to);
  return { measure, asked: second ? askedIn(second) : { source: '', query: [], from: first.to } };
}

export function askedIn({ name, inner, innerFrom, to }: AssertionCall): AskedMeasure {
  const parsed = parseQuery(inner);
  if (!parsed.ok) {
    const { message, from, to: end } = parsed.problem;
    throw new SyntaxProblem(message, innerFrom + from, innerFrom + end);
  }
  if (parsed.query.length === 0)
    throw new SyntaxProblem(`${name}( takes a query, such as ${name}(type:req).`, innerFrom, to);
  return { source: inner.trim(), query: parsed.query, from: innerFrom };
}

export function whichIn({ name, inner, innerFrom, to }: AssertionCall): Which {
  const text = inner.trim();
  const frame = /^(?:c([1-9]\d*))?#([1-9]\d*)$/.exec(text);
  if (frame) return { kind: 'frame', connection: Number(frame[1] ?? 1), seq: Number(frame[2]) };
  if (text === 'last' || text === 'all') return { kind: text };
  if (text !== '' && !/\s/.test(text)) return { kind: 'session', name: text };
  throw new SyntaxProblem(
    `${name}( takes last, all, a session such as S1, or the request's frame, such as #12 or c2#12.`,
    innerFrom,
    to,
  );
}
