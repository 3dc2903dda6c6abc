// A query as it was understood: parts that must all match, each of terms joined by `|`, `-` and
// brackets.
import type { QueryField } from './fields.ts';
import type { PathTest } from './path.ts';

/** Plain values match whole (`text`: anywhere), patterns anywhere. */
export type QueryValue = QueryWord | Pattern | Range;

export interface QueryWord {
  readonly text: string;
  /** It stood in quotes: no letter of it means anything else. */
  readonly isExact?: true;
}

/** With its place in the query. */
export interface Pattern {
  readonly pattern: RegExp;
  readonly from: number;
  readonly to: number;
}

/** Numbers in the field's own measure: milliseconds, bytes, places. */
export interface Range {
  readonly low: number;
  readonly high: number;
  /** An end that is itself not in it. */
  readonly without?: 'low' | 'high';
}

interface Placed {
  /** As written, with its place in the query. */
  readonly source: string;
  readonly from: number;
  readonly to: number;
}

export interface FieldTerm extends Placed {
  readonly kind: 'field';
  readonly field: QueryField;
  /** One of them must match. */
  readonly values: readonly QueryValue[];
}

interface PathTerm extends Placed {
  readonly kind: 'path';
  readonly test: PathTest;
}

export type Term = FieldTerm | PathTerm;

export type Expr =
  | Term
  | { readonly kind: 'all' | 'any'; readonly of: readonly Expr[] }
  | { readonly kind: 'not'; readonly of: Expr };

/** What stands between two spaces, outside of brackets: one token of the query bar. */
export interface QueryPart extends Placed {
  readonly expr: Expr;
}

/** All parts must match. */
export type Query = readonly QueryPart[];

/** UTF-16 units from the start of what was read. */
export interface QueryProblem {
  readonly message: string;
  readonly from: number;
  readonly to: number;
}

/** Carries a problem to whoever reads the whole query, or an assertion around it. */
export class SyntaxProblem extends Error {
  readonly problem: QueryProblem;
  constructor(message: string, from: number, to: number) {
    super(message);
    this.problem = { message, from, to };
  }
}

/** Every term of a query, in the order written. */
export function termsIn(query: Query): readonly Term[] {
  return query.flatMap(({ expr }) => termsOfExpr(expr));
}

function termsOfExpr(expr: Expr): readonly Term[] {
  switch (expr.kind) {
    case 'all':
    case 'any':
      return expr.of.flatMap(termsOfExpr);
    case 'not':
      return termsOfExpr(expr.of);
    default:
      return [expr];
  }
}

export function asks(query: Query, ...fields: readonly QueryField[]): boolean {
  return termsIn(query).some((term) => term.kind === 'field' && fields.includes(term.field));
}

/** The terms of this field that must match by themselves: not one of several, not denied. */
export function mustMatch(query: Query, field: QueryField): readonly FieldTerm[] {
  return query.flatMap(({ expr }) => (expr.kind === 'field' && expr.field === field ? [expr] : []));
}

export function isInRange({ low, high, without }: Range, number: number): boolean {
  if (without === 'low' ? number <= low : number < low) return false;
  return without === 'high' ? number < high : number <= high;
}
