// What has to be looked for in the lines themselves, run where it can be stopped and holds nothing else
// up: a person's pattern may take longer than anybody lives on a line of forty letters, and a million
// lines are read for a second. Page and Node each have a place of their own for that (`Finder`); what
// is looked at there is the same.
import { parseJson } from '../../acp/json.ts';
import { decodeUtf8 } from '../../lib/utf8.ts';
import type { TraceEvent } from '../../trace/event.ts';
import { isUnreadable, parseEvent } from '../../trace/format.ts';
import { lineText } from '../../trace/line.ts';
import { summarize } from '../timeline/summary.ts';
import { linesWith, type SearchedLines, type Sought } from './lines-with.ts';
import { matchesPath } from './path.ts';

/** Where: texts, or lines of a trace file, each for the text of its event. */
export type Texts = readonly string[] | SearchedLines;

export interface FindAsk {
  readonly sought: Sought;
  readonly texts: Texts;
  /** Milliseconds that it may take. */
  readonly most: number;
}

/** `took`: milliseconds of its own. */
export type FindAnswer =
  /** 1 for each text it is found in, 0 for the others. */
  | { readonly kind: 'found'; readonly found: Uint8Array; readonly took: number }
  /** `at`: the text it was held up by; undefined: one of them. `found`: of those before, where known. */
  | {
      readonly kind: 'stopped';
      readonly at: number | undefined;
      readonly found: Uint8Array;
      readonly took: number;
    }
  /** It could not be run at all, as a sentence. */
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'aborted' };

export interface Finder {
  /** Never throws, and takes little longer than it may. */
  find(ask: FindAsk, signal?: AbortSignal): Promise<FindAnswer>;
}

/** For who asks no patterns: what always comes to an end is looked for in place. */
export const IN_PLACE: Finder = {
  find: (ask) =>
    Promise.resolve(
      ask.sought.kind === 'pattern'
        ? { kind: 'failed', message: 'Patterns cannot be searched for here.' }
        : findIn(ask, () => undefined),
    ),
};

/** Texts between two looks at the clock. */
const STRIDE = 64;

/** What `find` does, in the thread it is called in. `at` is told of each text before it is looked at, and what is found so far. */
export function findIn(
  { sought, texts, most }: FindAsk,
  at: (text: number, found: Uint8Array) => void,
): Extract<FindAnswer, { readonly kind: 'found' | 'stopped' }> {
  const fits = fitting(sought);
  const isLines = 'ends' in texts;
  const { length } = isLines ? texts.ends : texts;
  const found = new Uint8Array(length);
  if (isLines && sought.kind !== 'pattern') {
    const began = performance.now();
    linesWith(texts, sought, (line, text) => {
      if (text === undefined || fits(eventText(text))) found[line] = 1;
    });
    return { kind: 'found', found, took: performance.now() - began };
  }
  const all = isLines ? (decodeUtf8(texts.bytes)?.split('\n') ?? []) : texts;
  const textOf = isLines ? eventText : (text: string) => text;
  let took = 0;
  for (let from = 0; from < length; from += STRIDE) {
    const stride = all.slice(from, Math.min(from + STRIDE, length)).map(textOf);
    const began = performance.now();
    for (const [i, text] of stride.entries()) {
      at(from + i, found);
      if (fits(text)) found[from + i] = 1;
    }
    took += performance.now() - began;
    const end = from + stride.length;
    if (took > most) return { kind: 'stopped', at: end - 1, found: found.slice(0, end), took };
  }
  return { kind: 'found', found, took };
}

function fitting(sought: Sought): (text: string) => boolean {
  switch (sought.kind) {
    case 'pattern':
      return (text) => sought.pattern.test(text);
    case 'text': {
      const pattern = textPattern(sought.text);
      return (text) => pattern.test(text);
    }
    case 'path':
      return (text) => {
        const message = parseJson(text);
        return message !== undefined && matchesPath(sought.test, message);
      };
  }
}

/** Text as a person reads it, and as JSON may have written it: escaped, or in ASCII alone. */
function textPattern(text: string): RegExp {
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const ways = [...new Set([text, json, ascii])].map((way) =>
    way.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
  );
  return new RegExp(ways.join('|'), 'i');
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
