// What a query is made of besides words: text in quotes and patterns, and what is wrong with them.
import { patternAt, type QueryPiece } from './cut.ts';
import { SyntaxProblem, type Pattern } from './query.ts';

/** In one pattern. */
const MOST_REPEATS = 20;

export function readQuoted(
  query: string,
  { from, to }: QueryPiece,
): { readonly text: string; readonly to: number } {
  const end = query.indexOf('"', from + 1);
  if (end < 0 || end >= to)
    throw new SyntaxProblem('The quoted text has no end: add a ".', from, to);
  if (end === from + 1) throw new SyntaxProblem('The quotes are empty.', from, end + 1);
  return { text: query.slice(from + 1, end), to: end + 1 };
}

/** Undefined: it does not end as a pattern does. */
export function readPattern(query: string, { from }: QueryPiece): Pattern | undefined {
  const source = patternAt(query, from);
  if (source === undefined) return undefined;
  const to = from + source.length + 2;
  // What many optional parts may match takes an engine for ever before it even begins to look.
  const parts = source.replace(/\\.|\[(?:[^\]\\]|\\.)*\]|\(\?/g, '').match(/[?*+{]/g)?.length ?? 0;
  if (parts > MOST_REPEATS)
    throw new SyntaxProblem(
      `The pattern has ${parts} repeats and optional parts; ${MOST_REPEATS} are the most. Search in several terms.`,
      from,
      to,
    );
  try {
    return { pattern: new RegExp(source, 'i'), from, to };
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^.*: /, '') : 'it does not parse';
    throw new SyntaxProblem(`The pattern is broken: ${why}.`, from, to);
  }
}

export function noPattern(text: string, from: number, to: number): SyntaxProblem {
  return new SyntaxProblem(
    /\/[gimsuy]+$/.test(text)
      ? 'No letter stands behind a pattern, which is of whatever case as it is. As text it goes in quotes.'
      : 'A pattern ends in /, such as text:/time(d out|out)/. As text it goes in quotes.',
    from,
    to,
  );
}
