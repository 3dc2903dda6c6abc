// A query as the terms a person sees as tokens. The engine reads the text; here it is only cut at
// spaces that stand outside quotes, brackets and regular expressions.
import { NO_SESSION } from '../../model/query/query.ts';
import { spanOf, spanText, type TimeSpan } from '../../model/query/query-time.ts';

export interface Term {
  readonly text: string;
  /** Where it stands in the query. */
  readonly from: number;
  readonly to: number;
}

export function termsOf(query: string): Term[] {
  const terms: Term[] = [];
  let from = -1;
  let depth = 0;
  let closing = '';
  for (let i = 0; i <= query.length; i++) {
    const sign = query[i] ?? ' ';
    const end = i === query.length;
    if (!end && closing !== '') {
      if (sign === '\\') i = Math.min(i + 1, query.length - 1);
      else if (sign === closing) closing = '';
      continue;
    }
    if (end || (sign === ' ' && depth <= 0)) {
      if (from >= 0)
        terms.push({ text: query.slice(from, i), from, to: Math.min(i, query.length) });
      from = -1;
      continue;
    }
    if (from < 0) from = i;
    if (sign === '"') closing = '"';
    else if (sign === '/' && query[i - 1] === ':') closing = '/';
    else if (sign === '(') depth++;
    else if (sign === ')') depth--;
  }
  return terms;
}

/** The query without the terms of this text. */
export function withoutTerm(query: string, text: string): string {
  return termsOf(query)
    .filter((term) => term.text !== text)
    .map((term) => term.text)
    .join(' ');
}

/** The query with this span of time, in place of any other. */
export function withSpan(query: string, span: TimeSpan): string {
  return `${withoutSpan(query)} time:${spanText(span)}`.trimStart();
}

/** The query without a span of time. */
export function withoutSpan(query: string): string {
  const rest = termsOf(query).filter(({ text }) => !text.startsWith('time:'));
  return rest.map(({ text }) => text).join(' ');
}

/** The spans that the query lets through. */
export function spansOf(query: string): readonly TimeSpan[] {
  return termsOf(query)
    .filter(({ text }) => text.startsWith('time:'))
    .flatMap(({ text }) => text.slice('time:'.length).split(','))
    .flatMap((text) => spanOf(text) ?? []);
}

/** The query whose terms for sessions let through what names none, too. */
export function withSessionless(query: string): string {
  return termsOf(query)
    .map(({ text }) => (text.startsWith('session:') ? `${text},${NO_SESSION}` : text))
    .join(' ');
}

/** A value as it stands after a key: quoted where it must be. */
export function termValue(value: string): string {
  return /^[\w.:/@$-]+$/.test(value) && !value.startsWith('/') ? value : JSON.stringify(value);
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
