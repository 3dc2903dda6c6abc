// Where a query is cut, whether or not it can be read: at spaces and at `|` that stand outside quotes,
// patterns and brackets. The query bar shows what lies between as tokens; the parser reads the same,
// and what stands in quotes and patterns.
import { readPath } from './path.ts';
import { SyntaxProblem, type Pattern } from './query.ts';

export interface QueryPiece {
  readonly from: number;
  readonly to: number;
}

/** `stray`: a `)` that closes nothing. */
type Sign = 'space' | 'or' | 'open' | 'close' | 'stray';

/** `depth`: brackets around it. */
interface Cut {
  readonly at: number;
  readonly sign: Sign;
  readonly depth: number;
}

/** A pattern ends at the first `/` that nothing of a term can follow. */
const PATTERN = /\/((?:[^/\\]|\\.|\/(?![\s,|)]|$))+)\/(?=[\s,|)]|$)/y;

/** A key of a path that is no plain word: `["a b"]`. */
const KEY = /\["(?:[^"\\]|\\.)*"\]/y;

/** The pattern that begins here, without its slashes. */
function patternAt(query: string, from: number): string | undefined {
  PATTERN.lastIndex = from;
  return PATTERN.exec(query)?.[1];
}

export function* cutsOf(query: string, { from, to }: QueryPiece): Iterable<Cut> {
  let depth = 0;
  /** Brackets that a word has opened itself, as `f(x)`. */
  let inWord = 0;
  /** Here a value may begin: only there a quote, a slash or a bracket is more than a letter. */
  let isStart = true;
  /** In a path, where a key may stand in quotes. */
  let isPath = false;
  for (let at = from; at < to; at++) {
    const sign = query[at] ?? '';
    if (/\s/.test(sign) || sign === '|') {
      yield { at, sign: sign === '|' ? 'or' : 'space', depth };
      inWord = 0;
      isStart = true;
      isPath = false;
    } else if (sign === '[' && isPath) {
      KEY.lastIndex = at;
      at += Math.max(1, KEY.exec(query)?.[0].length ?? 1) - 1;
    } else if (sign === '"' && isStart) {
      const end = query.indexOf('"', at + 1);
      at = end < 0 ? to : end;
      isStart = false;
    } else if (sign === '/' && isStart) {
      at += (patternAt(query, at)?.length ?? -1) + 1;
      isStart = false;
    } else if (sign === '(') {
      if (isStart) yield { at, sign: 'open', depth: depth++ };
      else inWord++;
    } else if (sign === ')') {
      if (inWord > 0) inWord--;
      else yield depth > 0 ? { at, sign: 'close', depth: --depth } : { at, sign: 'stray', depth };
      isStart = false;
    } else {
      isPath = sign === '$' ? isStart || isPath : isPath && !/[=~<>]/.test(sign);
      isStart = /[:,=~<>]/.test(sign) || (sign === '-' && isStart);
    }
  }
}

/** What stands between spaces; what `|` joins is one piece, and so is `$.path exists`. */
export function queryPieces(
  query: string,
  within: QueryPiece = { from: 0, to: query.length },
): readonly QueryPiece[] {
  const pieces: QueryPiece[] = [];
  for (const { from, to } of split(query, within, 'space')) {
    if (from === to) continue;
    const last = pieces.at(-1);
    if (last && goesOn(query, last, { from, to }))
      pieces[pieces.length - 1] = { from: last.from, to };
    else pieces.push({ from, to });
  }
  return pieces;
}

function goesOn(query: string, before: QueryPiece, piece: QueryPiece): boolean {
  if (query[before.to - 1] === '|' || query[piece.from] === '|') return true;
  if (!/^exists(?![^|])/.test(query.slice(piece.from, piece.to))) return false;
  const last = alternativesOf(query, before).at(-1);
  if (last === undefined) return false;
  const from = query[last.from] === '-' ? last.from + 1 : last.from;
  const path = query[from] === '$' ? readPath(query, from) : from;
  return typeof path !== 'number' && path.to === last.to && path.path.length > 0;
}

/** What `|` joins, without the spaces around it; one of them may be empty. */
export function alternativesOf(query: string, piece: QueryPiece): readonly QueryPiece[] {
  return split(query, piece, 'or').map(({ from, to }) => {
    const text = query.slice(from, to);
    const begin = from + (text.length - text.trimStart().length);
    return { from: begin, to: Math.max(begin, from + text.trimEnd().length) };
  });
}

/** The bracket that closes the one at `from`. */
export function closingOf(query: string, { from, to }: QueryPiece): number | undefined {
  for (const { at, sign, depth } of cutsOf(query, { from, to }))
    if (sign === 'close' && depth === 0) return at;
  return undefined;
}

function split(query: string, within: QueryPiece, sign: Sign): QueryPiece[] {
  const found: QueryPiece[] = [];
  let { from } = within;
  for (const cut of cutsOf(query, within)) {
    if (cut.sign !== sign || cut.depth > 0) continue;
    found.push({ from, to: cut.at });
    from = cut.at + 1;
  }
  found.push({ from, to: within.to });
  return found;
}

// What stands in quotes and patterns, and what is wrong with it.

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
