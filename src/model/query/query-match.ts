// Which events a query lets through: a look at the columns per term, and at the line itself only
// where text is asked for, and only if its bytes may hold that. A pattern is not run here: what it
// finds was asked before (`Answers`).
import type { TraceEvent } from '../../trace/event.ts';
import { BAD, CLIENT, EVT, FLAG, KINDS, NTF } from '../columns.ts';
import type { FindingMark } from '../timeline/finding-marks.ts';
import type { TraceIndex } from '../trace-index.ts';
import { NO_SESSION, type Pattern, type Term, type Value } from './query.ts';
import { searchedText, type Texts } from './patterns.ts';
import { spanOf } from './query-time.ts';

export type Test = (index: number) => boolean;
type WordTest = (text: string) => boolean;

/** Where the events of an index are, for who asks many of them for a text. */
export interface Searched {
  read(index: number): TraceEvent;
  /**
   * Whether the line of an event may hold this text, of whatever case. No is certain, and cheap
   * where events are asked for in their order. The text is printable ASCII without `"`, `\` and `/`.
   */
  mayHold(text: string): Test;
  /** What is searched of the events from a place on: not too many at once. */
  texts(from: number): Texts;
  /** Which connection of several these are, from 1; undefined: there are no others. */
  readonly connection?: number;
}

const MOST_TEXTS = 4096;
const MOST_UNITS = 4 << 20;

/** Events that are at hand, as many as `length` says by then. */
export function searchedBy(
  read: (index: number) => TraceEvent,
  length: () => number,
  connection?: number,
): Searched {
  return {
    read,
    mayHold: () => () => true,
    texts(from) {
      const texts: string[] = [];
      let units = 0;
      const end = Math.min(length(), from + MOST_TEXTS);
      for (let at = from; at < end && units < MOST_UNITS; at++) {
        const text = searchedText(read(at));
        units += text.length;
        texts.push(text);
      }
      return texts;
    },
    ...(connection !== undefined && { connection }),
  };
}

/** What patterns find, as far as they were asked. */
export interface Answers {
  /** In what is searched of an event. */
  inLine(pattern: Pattern): Test;
  /** In one of these words of a trace, of which there are few. */
  inWord(pattern: Pattern, words: () => Iterable<string>): WordTest;
}

/** What one term says of an event; `-` is already in it. */
export function testOf(term: Term, index: TraceIndex, searched: Searched, answers: Answers): Test {
  const test = plainTest(term, index, searched, answers);
  return term.negated ? (at) => !test(at) : test;
}

function plainTest(
  { field, values }: Term,
  index: TraceIndex,
  searched: Searched,
  answers: Answers,
): Test {
  const { columns, findings } = index;
  const oneOf = (words: () => Iterable<string>): WordTest => {
    const tests = values.map((value) => wordTest(value, words, answers));
    return (text) => tests.some((test) => test(text));
  };
  switch (field) {
    case 'text':
      return textTest(values, index, searched, answers);
    case 'side': {
      const wanted = values.map((value) => (saysExactly(value, 'client') ? CLIENT : CLIENT + 1));
      return (at) => wanted.includes(columns.side.get(at));
    }
    case 'type': {
      const wanted = KINDS.map((kind) => values.some((value) => saysExactly(value, kind)));
      return (at) => wanted[columns.kind.get(at)] === true;
    }
    case 'is': {
      const flags = values.reduce((sum, value) => sum | flagOf(value), 0);
      const live = values.some((value) => saysExactly(value, 'live'));
      const marked = values.some((value) => saysExactly(value, 'marked'));
      return (at) =>
        columns.has(at, flags) ||
        (marked && index.isMarked(at)) ||
        (live && columns.kind.get(at) <= BAD && !columns.has(at, FLAG.replay | FLAG.late));
    }
    case 'method': {
      const says = oneOf(() => ['session/update', ...columns.names.all]);
      const named = remember(says, (name) => columns.names.text(name));
      return (at) =>
        columns.kind.get(at) <= NTF &&
        (columns.has(at, FLAG.update) ? says('session/update') : named(columns.name.get(at)));
    }
    case 'update': {
      const named = remember(
        oneOf(() => columns.names.all),
        (name) => columns.names.text(name),
      );
      return (at) => columns.has(at, FLAG.update) && named(columns.name.get(at));
    }
    case 'kind': {
      const named = remember(
        oneOf(() => columns.toolKinds.all),
        (kind) => columns.toolKinds.text(kind),
      );
      return (at) => columns.tool.get(at) > 0 && named(columns.tool.get(at));
    }
    case 'finding': {
      const tests = values.map((value) => ({
        value,
        says: wordTest(value, () => findings.rules(), answers),
      }));
      return findingTest(index, ({ rule, counts }) =>
        tests.some(({ value, says }) => saysFinding(value, says, rule, counts)),
      );
    }
    case 'sev':
      return findingTest(index, ({ counts }) => values.some((value) => saysExactly(value, counts)));
    case 'session':
      return sessionTest(values, index, answers);
    case 'time': {
      const spans = values.flatMap((value) => ('text' in value ? (spanOf(value.text) ?? []) : []));
      return (at) => {
        const time = columns.at.get(at);
        return spans.some(({ from, to }) => from <= time && time <= to);
      };
    }
    case 'connection': {
      const number = String(searched.connection ?? 1);
      const fits = values.some(
        (value) => saysExactly(value, number) || saysExactly(value, `c${number}`),
      );
      return () => fits;
    }
  }
}

/** Looks at each distinct set of findings once. */
function findingTest({ findings }: TraceIndex, fits: (mark: FindingMark) => boolean): Test {
  const known: boolean[] = [];
  return (at) => {
    const set = findings.setOf(at);
    return set > 0 && (known[set] ??= findings.marksOf(set).some(fits));
  };
}

/** By rule, whether set aside or not; by what it counts as; `any`: whatever counts. */
function saysFinding(
  value: Value,
  says: WordTest,
  rule: string,
  counts: FindingMark['counts'],
): boolean {
  if (counts === 'off') return false;
  const isFault = counts !== 'suppressed' && counts !== 'undecidable';
  if (saysExactly(value, 'any')) return isFault;
  return saysExactly(value, counts) || (counts !== 'undecidable' && says(rule));
}

/** By chip, by id, or by the beginning of an id; `none`: it names no session. */
function sessionTest(values: readonly Value[], index: TraceIndex, answers: Answers): Test {
  const { columns } = index;
  const tests = values.map((value) => {
    if ('pattern' in value) return answers.inWord(value, () => index.sessionIds());
    const { text } = value;
    return (id: string, chip = '') => text.toLowerCase() === chip || id.startsWith(text);
  });
  const known: boolean[] = [];
  const matches = (number: number): boolean => {
    const record = index.sessionByNumber(number);
    if (record === undefined) return false;
    const chip = (record.facts.chip ?? '').toLowerCase();
    return tests.some((test) => test(record.sessionId, chip));
  };
  const none = values.some((value) => saysExactly(value, NO_SESSION));
  return (at) => {
    const number = columns.session.get(at);
    return number === 0 ? none : (known[number] ??= matches(number));
  };
}

/** Looks at each distinct text once. */
function remember(says: WordTest, textOf: (number: number) => string): (number: number) => boolean {
  const known: boolean[] = [];
  return (number) => (known[number] ??= says(textOf(number)));
}

/** A value that ends in `*` matches what begins so. */
function wordTest(value: Value, words: () => Iterable<string>, answers: Answers): WordTest {
  if ('pattern' in value) return answers.inWord(value, words);
  const { text } = value;
  if (!text.endsWith('*')) return (word) => word === text;
  const begin = text.slice(0, -1);
  return (word) => word.startsWith(begin);
}

function saysExactly(value: Value, text: string): boolean {
  return 'text' in value && value.text === text;
}

function flagOf(value: Value): number {
  if (saysExactly(value, 'replay')) return FLAG.replay;
  return saysExactly(value, 'late') ? FLAG.late : 0;
}

function textTest(
  values: readonly Value[],
  { columns }: TraceIndex,
  searched: Searched,
  answers: Answers,
): Test {
  const asked: Test[] = [];
  const plain: { readonly pattern: RegExp; readonly mayHold: Test }[] = [];
  for (const value of values)
    if ('pattern' in value) asked.push(answers.inLine(value));
    else
      plain.push({
        pattern: textPattern(value.text),
        mayHold: searched.mayHold(plainPart(value.text)),
      });
  return (at) => {
    if (asked.some((test) => test(at))) return true;
    const isEvent = columns.kind.get(at) === EVT; // what is said of it does not stand in its line
    let text: string | undefined;
    return plain.some(({ pattern, mayHold }) => {
      if (!isEvent && !mayHold(at)) return false;
      text ??= searchedText(searched.read(at));
      return pattern.test(text);
    });
  };
}

/** The longest part that JSON has to write as it is, if not with `\u`. */
function plainPart(text: string): string {
  const parts = text.split(/[^ !#-.0-[\]-~]+/);
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}

/** Text as a person reads it, and as JSON may have written it: escaped, or in ASCII alone. */
function textPattern(text: string): RegExp {
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const ways = [...new Set([text, json, ascii])].map(escaped);
  return new RegExp(ways.join('|'), 'i');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
