// Which events a query lets through: a look at the columns per term. What stands in the lines
// themselves is not looked for here; what was found was asked before (`TermAnswers`). Long, because each
// field has its test in one switch, which the compiler keeps whole.
import type { TraceEvent } from '../../trace/event.ts';
import { BAD, CLIENT, EVT, FLAG, KINDS, NTF, ORIGINS } from '../columns.ts';
import type { Children } from '../facts/children.ts';
import type { SessionRecord } from '../facts/sessions.ts';
import type { FindingMark } from '../timeline/finding-marks.ts';
import type { TraceIndex } from '../trace-index.ts';
import { NO_SESSION } from './fields.ts';
import { searchedText, type Texts } from './find.ts';
import type { Sought } from './lines-with.ts';
import {
  isInRange,
  type Expr,
  type FieldTerm,
  type Pattern,
  type Range,
  type QueryValue,
  type QueryWord,
} from './query.ts';

export type EventTest = (index: number) => boolean;
type WordTest = (text: string) => boolean;

/** Where the events of an index are, for who asks many of them for a text. */
export interface Searched {
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

/** In the query, in UTF-16 units. */
export interface QueryPlace {
  readonly from: number;
  readonly to: number;
}

/** What was found in the lines, as far as they were asked. */
export interface TermAnswers {
  /** In what is searched of an event. `one`: the same for the same question. */
  inLine(one: object, sought: Sought, place: QueryPlace): EventTest;
  /** In one of these words of a trace, of which there are few. */
  inWord(pattern: Pattern, words: () => Iterable<string>): WordTest;
}

/** What a part of a query says of an event. */
export function eventTest(
  expr: Expr,
  index: TraceIndex,
  searched: Searched,
  answers: TermAnswers,
): EventTest {
  switch (expr.kind) {
    case 'all':
    case 'any': {
      const tests = expr.of.map((one) => eventTest(one, index, searched, answers));
      return expr.kind === 'all' ? everyOf(tests) : anyOf(tests);
    }
    case 'not': {
      const test = eventTest(expr.of, index, searched, answers);
      return (at) => !test(at);
    }
    case 'path': {
      const { kind } = index.columns;
      const test = answers.inLine(expr, { kind: 'path', test: expr.test }, expr);
      return (at) => kind.get(at) <= BAD && test(at);
    }
    case 'field':
      return fieldTest(expr, index, searched, answers);
  }
}

/** In loops of their own: a million events are asked. */
function everyOf(tests: readonly EventTest[]): EventTest {
  return (at) => {
    for (let one = 0; one < tests.length; one++) if (tests[one]?.(at) === false) return false;
    return true;
  };
}

function anyOf(tests: readonly EventTest[]): EventTest {
  return (at) => {
    for (let one = 0; one < tests.length; one++) if (tests[one]?.(at) === true) return true;
    return false;
  };
}

function fieldTest(
  term: FieldTerm,
  index: TraceIndex,
  searched: Searched,
  answers: TermAnswers,
): EventTest {
  const { field, values } = term;
  const { columns, findings } = index;
  const oneOf = (words: () => Iterable<string>): WordTest => {
    const tests = values.map((value) => wordTest(value, words, answers));
    return (text) => tests.some((test) => test(text));
  };
  switch (field) {
    case 'text': {
      const tests = values.flatMap((value): EventTest | [] => {
        if ('low' in value) return [];
        return 'pattern' in value
          ? answers.inLine(value, { kind: 'pattern', pattern: value.pattern }, value)
          : answers.inLine(value, { kind: 'text', text: value.text }, term);
      });
      return anyOf(tests);
    }
    case 'side': {
      const client = values.some((value) => saysExactly(value, 'client'));
      const agent = values.some((value) => saysExactly(value, 'agent'));
      return (at) => {
        const side = columns.side.get(at);
        return side === CLIENT ? client : side > CLIENT && agent;
      };
    }
    case 'type': {
      const wanted = KINDS.map((kind) => values.some((value) => saysExactly(value, kind)));
      return (at) => wanted[columns.kind.get(at)] === true;
    }
    case 'is':
      return isTest(values, index);
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
    case 'status': {
      const named = remember(
        oneOf(() => columns.statuses.all),
        (status) => columns.statuses.text(status),
      );
      return (at) => columns.status.get(at) > 0 && named(columns.status.get(at));
    }
    case 'tool': {
      const { toolIds } = index;
      const says = oneOf(() => toolIds.values());
      const named = remember(
        (id) => id !== '' && says(id),
        (item) => toolIds.get(item) ?? '',
      );
      return (at) => columns.item.get(at) > 0 && named(columns.item.get(at) - 1);
    }
    case 'id': {
      const says = oneOf(() => idForms(columns.ids.all));
      // With the side that asked, or without.
      const named = remember(
        (id) => says(id) || says(id.slice(1)),
        (id) => columns.ids.text(id),
      );
      return (at) => columns.id.get(at) > 0 && named(columns.id.get(at));
    }
    case 'origin': {
      const wanted = ORIGINS.map((origin) => values.some((value) => saysExactly(value, origin)));
      return (at) => columns.side.get(at) > 0 && wanted[columns.origin.get(at)] === true;
    }
    case 'seq':
    case 'near':
      return rangeTest(values, (at) => columns.seq.get(at));
    case 'size':
      return rangeTest(values, (at) => (columns.kind.get(at) === EVT ? -1 : columns.size.get(at)));
    case 'turn':
      return rangeTest(values, (at) => columns.turn.get(at) || -1);
    case 'window':
      return rangeTest(values, (at) => {
        const window = index.window(at);
        return window === undefined ? -1 : columns.seq.get(window.request);
      });
    case 'time':
      return rangeTest(values, (at) => columns.at.get(at));
    case 'gap':
      return rangeTest(values, (at) =>
        at === 0 ? -1 : Math.max(0, columns.at.get(at) - columns.at.get(at - 1)),
      );
    case 'latency':
      return rangeTest(values, (at) => {
        const partner = columns.partner.get(at);
        return partner < 0 ? -1 : Math.abs(columns.at.get(partner) - columns.at.get(at));
      });
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
    case 'connection': {
      const number = searched.connection ?? 1;
      const fits = values.some((value) => 'low' in value && isInRange(value, number));
      return () => fits;
    }
  }
}

/** `numberOf`: less than 0 where an event has none. */
function rangeTest(values: readonly QueryValue[], numberOf: (at: number) => number): EventTest {
  const ranges = values.filter((value): value is Range => 'low' in value);
  const [only] = ranges;
  if (ranges.length === 1 && only !== undefined)
    return (at) => {
      const number = numberOf(at);
      return number >= 0 && isInRange(only, number);
    };
  return (at) => {
    const number = numberOf(at);
    return number >= 0 && ranges.some((range) => isInRange(range, number));
  };
}

function isTest(values: readonly QueryValue[], index: TraceIndex): EventTest {
  const { columns } = index;
  const says = (word: string) => values.some((value) => saysExactly(value, word));
  const flags =
    (says('replay') ? FLAG.replay : 0) |
    (says('late') ? FLAG.late : 0) |
    (says('cut') ? FLAG.cut : 0) |
    (says('intercepted') ? FLAG.intercepted : 0);
  const [live, open, marked] = [says('live'), says('open'), says('marked')];
  return (at) =>
    columns.has(at, flags) ||
    (live && columns.kind.get(at) <= BAD && !columns.has(at, FLAG.replay | FLAG.late)) ||
    (open && index.waits(at)) ||
    (marked && index.annotations.mark(columns.seq.get(at)) !== undefined);
}

/** With the side that asked, and without. */
function* idForms(ids: readonly string[]): Iterable<string> {
  for (const id of ids) if (id !== '') yield* [id, id.slice(1)];
}

/** Looks at each distinct set of findings once. */
function findingTest({ findings }: TraceIndex, fits: (mark: FindingMark) => boolean): EventTest {
  const known: boolean[] = [];
  return (at) => {
    const set = findings.setOf(at);
    return set > 0 && (known[set] ??= findings.marksOf(set).some(fits));
  };
}

/** By rule, whether set aside or not; by what it counts as; `any`: whatever counts. */
function saysFinding(
  value: QueryValue,
  says: WordTest,
  rule: string,
  counts: FindingMark['counts'],
): boolean {
  if (counts === 'off') return false;
  const isFault = counts !== 'suppressed' && counts !== 'undecidable';
  if (saysExactly(value, 'any')) return isFault;
  return saysExactly(value, counts) || (counts !== 'undecidable' && says(rule));
}

/** By chip, by id, or by the beginning of an id, `+`: with its children; `none`: it names no session. */
function sessionTest(
  values: readonly QueryValue[],
  index: TraceIndex,
  answers: TermAnswers,
): EventTest {
  const { columns, children } = index;
  const tests = values.flatMap((value) => {
    if ('pattern' in value) {
      const says = answers.inWord(value, () => index.sessionIds());
      return (record: SessionRecord) => says(record.sessionId);
    }
    return 'text' in value ? namedTest(value, children) : [];
  });
  const known: boolean[] = [];
  const matches = (number: number): boolean => {
    const record = index.sessionByNumber(number);
    return record !== undefined && tests.some((test) => test(record));
  };
  const none = values.some((value) => saysExactly(value, NO_SESSION));
  return (at) => {
    const number = columns.session.get(at);
    return number === 0 ? none : (known[number] ??= matches(number));
  };
}

function namedTest(
  { text, isExact }: QueryWord,
  children: Children<SessionRecord>,
): (record: SessionRecord) => boolean {
  const named = (name: string) => {
    const chip = name.toLowerCase();
    if (isExact) return ({ sessionId }: SessionRecord) => sessionId === name;
    if (name.endsWith('*'))
      return ({ sessionId, facts }: SessionRecord) =>
        [sessionId, facts.chip?.toLowerCase()].some((one, at) =>
          one?.startsWith((at === 0 ? name : chip).slice(0, -1)),
        );
    return ({ sessionId, facts }: SessionRecord) =>
      facts.chip?.toLowerCase() === chip || sessionId.startsWith(name);
  };
  if (isExact || !text.endsWith('+')) return named(text);
  const isIt = named(text.slice(0, -1));
  return (record) => {
    let one: SessionRecord | undefined = record;
    while (one !== undefined && !isIt(one)) one = children.parentOf(one);
    return one !== undefined;
  };
}

/** Looks at each distinct text once. */
function remember(says: WordTest, textOf: (number: number) => string): (number: number) => boolean {
  /** 0: not looked at. */
  let known = new Uint8Array(256);
  return (number) => {
    if (number >= known.length) {
      const more = new Uint8Array(number * 2);
      more.set(known);
      known = more;
    }
    if (known[number] === 0) known[number] = says(textOf(number)) ? 1 : 2;
    return known[number] === 1;
  };
}

/** A value that ends in `*` matches what begins so. */
function wordTest(
  value: QueryValue,
  words: () => Iterable<string>,
  answers: TermAnswers,
): WordTest {
  if ('pattern' in value) return answers.inWord(value, words);
  if (!('text' in value)) return () => false;
  const { text, isExact } = value;
  if (isExact || !text.endsWith('*')) return (word) => word === text;
  const begin = text.slice(0, -1);
  return (word) => word.startsWith(begin);
}

function saysExactly(value: QueryValue, text: string): boolean {
  return 'text' in value && value.text === text;
}
