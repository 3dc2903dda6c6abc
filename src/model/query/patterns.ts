// A person's patterns, run where they can be stopped: some take longer than anybody lives on a line
// of forty letters, and nothing else in the same thread goes on meanwhile. Page and Node each have a
// place of their own for that (`Patterns`); what is looked at there is the same.
import { decodeUtf8 } from '../../lib/utf8.ts';
import type { TraceEvent } from '../../trace/event.ts';
import { isUnreadable, parseEvent } from '../../trace/format.ts';
import { lineText } from '../../trace/line.ts';
import { summarize } from '../timeline/summary.ts';

/** What a pattern looks at: texts, or lines of a trace file, each for the text of its event. */
export type Texts =
  | readonly string[]
  /** So many lines, each with its 0x0A. The bytes may be given away. */
  | { readonly lines: Uint8Array<ArrayBuffer>; readonly count: number };

export interface PatternAsk {
  readonly pattern: RegExp;
  readonly texts: Texts;
  /** Milliseconds that it may take. */
  readonly most: number;
}

/** `took`: milliseconds of its own. */
export type PatternAnswer =
  /** 1 for each text it is found in, 0 for the others. */
  | { readonly kind: 'found'; readonly found: Uint8Array; readonly took: number }
  /** `at`: the text it was held up by; undefined: one of them. */
  | { readonly kind: 'stopped'; readonly at: number | undefined; readonly took: number }
  /** It could not be run at all, as a sentence. */
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'aborted' };

export interface Patterns {
  /** Never throws, and takes little longer than it may. */
  find(ask: PatternAsk, signal?: AbortSignal): Promise<PatternAnswer>;
}

/** For who asks no patterns. */
export const NO_PATTERNS: Patterns = {
  find: () => Promise.resolve({ kind: 'failed', message: 'Patterns cannot be searched for here.' }),
};

/** Texts between two looks at the clock. */
const STRIDE = 64;

/** What `find` does, in the thread it is called in. `at` is told of each text before it is looked at. */
export function findIn(
  { pattern, texts, most }: PatternAsk,
  at: (text: number) => void,
): Extract<PatternAnswer, { readonly kind: 'found' | 'stopped' }> {
  const isLines = 'lines' in texts;
  const all = isLines ? (decodeUtf8(texts.lines)?.split('\n') ?? []) : texts;
  const length = isLines ? texts.count : texts.length;
  const textOf = isLines ? eventText : (text: string) => text;
  const found = new Uint8Array(length);
  let took = 0;
  for (let from = 0; from < length; from += STRIDE) {
    const stride = all.slice(from, Math.min(from + STRIDE, length)).map(textOf);
    const began = performance.now();
    for (const [i, text] of stride.entries()) {
      at(from + i);
      if (pattern.test(text)) found[from + i] = 1;
    }
    took += performance.now() - began;
    if (took > most) return { kind: 'stopped', at: from + stride.length - 1, took };
  }
  return { kind: 'found', found, took };
}

function eventText(line: string): string {
  const event = parseEvent(line);
  return isUnreadable(event) ? '' : searchedText(event);
}

/** What is searched of an event: its line, or where it has none what is said of it. */
export function searchedText(event: TraceEvent): string {
  return event.type === 'frame' || event.type === 'stderr'
    ? lineText(event.line)
    : summarize(event, undefined);
}
