// A query as the terms a person sees as tokens. The engine reads the text; here it is only cut.
import { NO_SESSION } from '../../model/query/fields.ts';
import { piecesOf } from '../../model/query/cut.ts';
import { spanOf, spanText, type TimeSpan } from '../../model/query/numbers.ts';

export interface Term {
  readonly text: string;
  /** Where it stands in the query. */
  readonly from: number;
  readonly to: number;
}

export function termsOf(query: string): Term[] {
  return piecesOf(query).map(({ from, to }) => ({ text: query.slice(from, to), from, to }));
}

/** The query without the terms of this text. */
export function withoutTerm(query: string, text: string): string {
  return termsOf(query)
    .filter((term) => term.text !== text)
    .map((term) => term.text)
    .join(' ');
}

const SPAN = /^time:[^\s|]+$/;

/** The query with this span of time, in place of any other. */
export function withSpan(query: string, span: TimeSpan): string {
  return `${withoutSpan(query)} time:${spanText(span)}`.trimStart();
}

/** The query without a span of time. */
export function withoutSpan(query: string): string {
  const rest = termsOf(query).filter(({ text }) => !SPAN.test(text));
  return rest.map(({ text }) => text).join(' ');
}

/** The spans that the query lets through. */
export function spansOf(query: string): readonly TimeSpan[] {
  return termsOf(query)
    .filter(({ text }) => SPAN.test(text))
    .flatMap(({ text }) => text.slice('time:'.length).split(','))
    .flatMap((text) => spanOf(text) ?? []);
}

/** The query whose terms for sessions let through what names none, too. */
export function withSessionless(query: string): string {
  return termsOf(query)
    .map(({ text }) => (/^session:[^\s|]+$/.test(text) ? `${text},${NO_SESSION}` : text))
    .join(' ');
}

/** A value as it stands after a key: quoted where it must be. */
export function termValue(value: string): string {
  if (/^[\w.:/@$*+#→←-]+$/.test(value) && !value.startsWith('/')) return value;
  return value.includes('"')
    ? `/^${value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$/`
    : `"${value}"`;
}

/** Counts of values by key, most frequent first: `method` → [['session/prompt', 3], …]. */
export type Vocabulary = Readonly<Record<string, readonly (readonly [string, number])[]>>;

export interface Completion {
  /** What the term becomes. */
  readonly text: string;
  readonly label: string;
  /** Undefined for keys. */
  readonly count?: number;
}

const MOST = 12;

/** What the term being typed could become: a key, or a value that the trace holds. */
export function completionsOf(typed: string, vocabulary: Vocabulary): readonly Completion[] {
  const [, not = '', key, value] = /^(-?)(?:([\w]+):)?(.*)$/s.exec(typed) ?? [];
  const keys = Object.keys(vocabulary);
  if (key === undefined) {
    const begun = (value ?? '').toLowerCase();
    const fitting = keys.filter((name) => name.startsWith(begun));
    return fitting.map((name) => ({ text: `${not}${name}:`, label: `${name}:` }));
  }
  if (!keys.includes(key)) return [];
  // After a comma another value begins.
  const list = (value ?? '').split(',');
  const begun = (list.pop() ?? '').replace(/^"/, '').toLowerCase();
  const front = list.length > 0 ? `${list.join(',')},` : '';
  return (vocabulary[key] ?? [])
    .filter(([name]) => name.toLowerCase().includes(begun))
    .slice(0, MOST)
    .map(([name, count]) => ({
      text: `${not}${key}:${front}${termValue(name)}`,
      label: name,
      count,
    }));
}
