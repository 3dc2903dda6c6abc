// Which events a query lets through: a look at the columns per term, and at the line itself only
// where text is asked for, and only if its bytes may hold that.
import type { TraceEvent } from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';
import { BAD, CLIENT, EVT, FLAG, KINDS, NTF } from '../columns.ts';
import type { FindingMark } from '../timeline/finding-marks.ts';
import { NO_SESSION, type Term, type Value } from './query.ts';
import { spanOf } from './query-time.ts';
import { summarize } from '../timeline/summary.ts';
import type { TraceIndex } from '../trace-index.ts';

export type Test = (index: number) => boolean;

/** Where the events of an index are, for who asks many of them for a text. */
export interface Searched {
  read(index: number): TraceEvent;
  /**
   * Whether the line of an event may hold this text, of whatever case. No is certain, and cheap
   * where events are asked for in their order. The text is printable ASCII without `"`, `\` and `/`.
   */
  mayHold(text: string): Test;
  /** Which connection of several these are, from 1; undefined: there are no others. */
  readonly connection?: number;
}

/** What one term says of an event; `-` is already in it. */
export function testOf(term: Term, index: TraceIndex, searched: Searched): Test {
  const test = plainTest(term, index, searched);
  return term.negated ? (at) => !test(at) : test;
}

function plainTest({ field, values }: Term, index: TraceIndex, searched: Searched): Test {
  const { columns } = index;
  switch (field) {
    case 'text':
      return textTest(values, index, searched);
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
      const named = remember(values, (name) => columns.names.text(name));
      const updates = values.some((value) => says(value, 'session/update'));
      return (at) =>
        columns.kind.get(at) <= NTF &&
        (columns.has(at, FLAG.update) ? updates : named(columns.name.get(at)));
    }
    case 'update': {
      const named = remember(values, (name) => columns.names.text(name));
      return (at) => columns.has(at, FLAG.update) && named(columns.name.get(at));
    }
    case 'kind': {
      const named = remember(values, (kind) => columns.toolKinds.text(kind));
      return (at) => columns.tool.get(at) > 0 && named(columns.tool.get(at));
    }
    case 'finding':
      return findingTest(index, ({ rule, counts }) =>
        values.some((value) => saysFinding(value, rule, counts)),
      );
    case 'sev':
      return findingTest(index, ({ counts }) => values.some((value) => saysExactly(value, counts)));
    case 'session':
      return sessionTest(values, index);
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
function saysFinding(value: Value, rule: string, counts: FindingMark['counts']): boolean {
  if (counts === 'off') return false;
  const isFault = counts !== 'suppressed' && counts !== 'undecidable';
  if (saysExactly(value, 'any')) return isFault;
  return saysExactly(value, counts) || (counts !== 'undecidable' && says(value, rule));
}

/** By chip, by id, or by the beginning of an id; `none`: it names no session. */
function sessionTest(values: readonly Value[], index: TraceIndex): Test {
  const { columns } = index;
  const known: boolean[] = [];
  const matches = (number: number): boolean => {
    const record = index.sessionByNumber(number);
    if (record === undefined) return false;
    const chip = (record.facts.chip ?? '').toLowerCase();
    return values.some((value) =>
      'pattern' in value
        ? value.pattern.test(record.sessionId)
        : value.text.toLowerCase() === chip || record.sessionId.startsWith(value.text),
    );
  };
  const none = values.some((value) => saysExactly(value, NO_SESSION));
  return (at) => {
    const number = columns.session.get(at);
    return number === 0 ? none : (known[number] ??= matches(number));
  };
}

/** Looks at each distinct text once. */
function remember(
  values: readonly Value[],
  textOf: (number: number) => string,
): (number: number) => boolean {
  const known: boolean[] = [];
  return (number) => (known[number] ??= values.some((value) => says(value, textOf(number))));
}

/** A value that ends in `*` matches what begins so. */
function says(value: Value, text: string): boolean {
  if ('pattern' in value) return value.pattern.test(text);
  return value.text.endsWith('*') ? text.startsWith(value.text.slice(0, -1)) : text === value.text;
}

function saysExactly(value: Value, text: string): boolean {
  return 'text' in value && value.text === text;
}

function flagOf(value: Value): number {
  if (saysExactly(value, 'replay')) return FLAG.replay;
  return saysExactly(value, 'late') ? FLAG.late : 0;
}

function textTest(values: readonly Value[], { columns }: TraceIndex, searched: Searched): Test {
  const patterns = values.map((value) => ({
    pattern: textPattern(value),
    mayHold: 'pattern' in value ? undefined : searched.mayHold(plainPart(value.text)),
  }));
  return (at) => {
    const isEvent = columns.kind.get(at) === EVT; // what is said of it does not stand in its line
    let text: string | undefined;
    return patterns.some(({ pattern, mayHold }) => {
      if (mayHold && !isEvent && !mayHold(at)) return false;
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
function textPattern(value: Value): RegExp {
  if ('pattern' in value) return value.pattern;
  const json = JSON.stringify(value.text).slice(1, -1);
  const ascii = json.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const ways = [...new Set([value.text, json, ascii])].map(escaped);
  return new RegExp(ways.join('|'), 'i');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function searchedText(event: TraceEvent): string {
  return event.type === 'frame' || event.type === 'stderr'
    ? lineText(event.line)
    : summarize(event, undefined);
}
