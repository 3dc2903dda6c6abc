// A query as the terms a person sees as tokens. The engine reads the text; here it is only cut.
import { NO_SESSION } from '../../model/query/fields.ts';
import { cutsOf, queryPieces } from '../../model/query/cut.ts';
import { timeSpan, spanText, type TimeSpan } from '../../model/query/numbers.ts';

interface Term {
  readonly text: string;
  /** Where it stands in the query. */
  readonly from: number;
  readonly to: number;
}

export function termsOf(query: string): Term[] {
  return queryPieces(query).map(({ from, to }) => ({ text: query.slice(from, to), from, to }));
}

/** A term that was taken out of the query for a moment, and which of all terms it was. */
export interface RestingTerm {
  readonly text: string;
  readonly at: number;
}

/** A term as a token: one that rests is shown, and not asked for. */
export interface Token {
  readonly text: string;
  readonly rests: boolean;
}

export function tokensOf(query: string, resting: readonly RestingTerm[]): readonly Token[] {
  const tokens: Token[] = termsOf(query).map(({ text }) => ({ text, rests: false }));
  for (const { text, at } of resting) tokens.splice(at, 0, { text, rests: true });
  return tokens;
}

export function restingIn(tokens: readonly Token[]): readonly RestingTerm[] {
  return tokens.flatMap(({ text, rests }, at) => (rests ? [{ text, at }] : []));
}

export function queryOf(tokens: readonly Token[]): string {
  return tokens.flatMap(({ text, rests }) => (rests ? [] : [text])).join(' ');
}

/** A part of a term as it is read: a field or the sign behind it, what joins terms, or a value. */
interface Word {
  readonly text: string;
  readonly tone: 'field' | 'join' | 'value';
}

/** The words of one term, which may be several joined by `|` or in brackets. */
export function termWords(term: string): readonly Word[] {
  const words: Word[] = [];
  const add = (from: number, to: number): void => {
    const text = term.slice(from, to);
    const [, field = '', value = ''] = /^(\s*-?(?:[a-z]+(?::|(?=[<>])))?)(.*)$/s.exec(text) ?? [];
    if (field !== '') words.push({ text: field, tone: 'field' });
    if (value !== '') words.push({ text: value, tone: 'value' });
  };
  let from = 0;
  for (const { at, sign } of cutsOf(term, { from: 0, to: term.length })) {
    add(from, at);
    words.push({ text: term.slice(at, at + 1), tone: sign === 'space' ? 'value' : 'join' });
    from = at + 1;
  }
  add(from, term.length);
  return words;
}

/** The query that rows are shown by, where it is not the one that is typed: that one is broken. */
export function heldQuery(state: {
  readonly query: string;
  readonly parts: readonly { readonly source: string }[];
}): string | undefined {
  const held = state.parts.map(({ source }) => source).join(' ');
  const typed = termsOf(state.query).map(({ text }) => text);
  return held === typed.join(' ') ? undefined : held;
}

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

export function withoutSpan(query: string): string {
  const rest = termsOf(query).filter(({ text }) => !SPAN.test(text));
  return rest.map(({ text }) => text).join(' ');
}

/** The spans that the query lets through. */
export function spansOf(query: string): readonly TimeSpan[] {
  return termsOf(query)
    .filter(({ text }) => SPAN.test(text))
    .flatMap(({ text }) => text.slice('time:'.length).split(','))
    .flatMap((text) => timeSpan(text) ?? []);
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
  return value === '' || value.includes('"')
    ? `/^${value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$/`
    : `"${value}"`;
}

/** The term that a value of the message equals: `$.params.update.status=completed`. `json`: the value as it stands. */
export function pathTerm(path: string, json: string): string {
  // A number that is not read exactly is found as it was written.
  if (Math.abs(Number(json)) > Number.MAX_SAFE_INTEGER) return `"${json}"`;
  if (!json.startsWith('"')) return `${path}=${json}`;
  const value = termValue(JSON.parse(json) as string);
  // Without quotes it would be read as a number, or as another word of JSON.
  if (/^(true|false|null|-?\d.*)$/.test(value)) return `${path}=${json}`;
  return value.startsWith('/') ? `${path}~${value}` : `${path}=${value}`;
}
