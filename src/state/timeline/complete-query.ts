// What the term being typed could become: a field, an operator, or a value that the trace holds. Loaded
// when the bar is first used.
import type { Json } from '../../acp/message.ts';
import { cutsOf } from '../../model/query/cut.ts';
import {
  FIELD_FACTS,
  QUERY_FIELD_NAMES,
  isField,
  takesOf,
  type QueryField,
} from '../../model/query/fields.ts';
import type { Vocabulary } from '../../model/query/vocabulary.ts';
import { pathTerm, termValue } from './query-terms.ts';

export interface Offer {
  /** What the typed text becomes. */
  readonly text: string;
  readonly label: string;
  /** What it means, or an example of it. */
  readonly says?: string;
  /** A term to be seen beside it. */
  readonly example?: string;
  /** How many frames have the value; of a field, the most frequent one, which is its example. */
  readonly count?: number;
  /** More is to be typed behind it. */
  readonly goesOn: boolean;
  /** Stands for the fields that are not offered yet. */
  readonly more?: true;
}

export interface OfferGroup {
  readonly title: string;
  readonly offers: readonly Offer[];
}

/** What is known where somebody types. */
export interface QueryContext {
  readonly vocabulary: Vocabulary;
  /** Chips of the sessions. */
  readonly sessions: readonly string[];
  /** The message that paths are offered of: the selected one. */
  readonly message?: Json | undefined;
  /** The selected frame. */
  readonly selected?: number | undefined;
}

/** Fields by what they ask; where the trace says nothing of them, the most used first. */
const GROUPS: Readonly<Record<string, readonly QueryField[]>> = {
  'What it is': ['is', 'type', 'method', 'update', 'kind', 'status', 'side', 'text'],
  'Where it belongs': ['session', 'turn', 'tool', 'id', 'window', 'near', 'seq', 'connection'],
  'When and how much': ['latency', 'size', 'time', 'gap'],
  'What was found': ['finding', 'sev', 'origin'],
};
/** Those that an empty bar shows. */
const FIRST: readonly QueryField[] = [
  'is',
  'update',
  'method',
  'kind',
  'status',
  'session',
  'latency',
  'finding',
  'text',
];
const MOST = 12;
const MOST_FOUND = 6;
const THRESHOLDS: Readonly<Record<string, readonly string[]>> = {
  ms: ['100', '1s', '10s'],
  s: ['100ms', '1s', '10s'],
  bytes: ['1kb', '100kb', '1mb'],
  plain: [],
};
const OPERATORS = [
  ['>', 'more than'],
  ['<', 'less than'],
  ['>=', 'this or more'],
  ['<=', 'this or less'],
] as const;

const PATH: Offer = {
  text: '$.',
  label: '$.path',
  says: 'A value in the message itself.',
  example: '$.params.update.title~"bash"',
  goesOn: true,
};
const MORE: Offer = {
  text: '…',
  label: 'more…',
  says: `All ${QUERY_FIELD_NAMES.length} fields`,
  goesOn: true,
  more: true,
};

/** `all`: every field, where nothing is typed. */
export function offersFor(typed: string, around: QueryContext, all = false): readonly OfferGroup[] {
  const { front, term } = lastTerm(typed);
  const [, not = '', rest = ''] = /^(-?)(.*)$/s.exec(term) ?? [];
  const groups = rest.startsWith('$') ? [paths(rest, around)] : ofField(rest, around, all);
  return groups
    .map(({ title, offers }) => ({
      title,
      offers: offers
        .map((offer) => ({ ...offer, text: `${front}${not}${offer.text}` }))
        .filter(({ text }) => text !== typed),
    }))
    .filter(({ offers }) => offers.length > 0);
}

/** What stands behind the last space, `|` or bracket. */
function lastTerm(typed: string): { readonly front: string; readonly term: string } {
  let from = 0;
  for (const { at, sign } of cutsOf(typed, { from: 0, to: typed.length }))
    if (sign !== 'close') from = at + 1;
  // A bracket may be denied.
  return { front: typed.slice(0, from), term: typed.slice(from) };
}

function ofField(typed: string, around: QueryContext, all: boolean): readonly OfferGroup[] {
  const [, name = '', sign = '', value = ''] = /^([a-z]*)(:|[<>]=?)?(.*)$/s.exec(typed) ?? [];
  if (sign !== '' && isField(name))
    return [{ title: TITLES[sign] ?? 'At least', offers: values(name, sign, value, around) }];
  if (typed === '') {
    if (!all) return [{ title: 'Look for', offers: [...ofNames(FIRST, around), PATH, MORE] }];
    return Object.entries(GROUPS).map(([title, fields]) => ({
      title,
      offers: ofNames(fields, around),
    }));
  }
  const begun = typed.toLowerCase();
  const inName = (from: (place: number) => boolean) =>
    QUERY_FIELD_NAMES.filter((field) => from(field.indexOf(begun)));
  const operators =
    isField(typed) && isNumber(typed)
      ? OPERATORS.map(([operator, says]) => ({
          ...{ text: `${typed}${operator}`, label: `${typed}${operator}` },
          ...{ says, goesOn: true },
        }))
      : [];
  const fields = [...inName((place) => place === 0), ...inName((place) => place > 0)].filter(
    (field) => field !== typed || operators.length === 0,
  );
  return [
    { title: 'Compare', offers: operators },
    { title: 'Fields', offers: fields.map((field) => ofName(field, around)) },
    { title: 'In this trace', offers: begun.length < 2 ? [] : found(begun, around) },
  ];
}

const TITLES: Readonly<Record<string, string>> = { ':': 'In this trace' };

function isNumber(field: QueryField): boolean {
  const { kind } = takesOf(field);
  return kind === 'number' || kind === 'span';
}

/** A measure is compared; numbers that name something are given. */
function isMeasure(field: QueryField): boolean {
  const takes = takesOf(field);
  return takes.kind === 'number' && takes.unit !== 'plain';
}

/** The most frequent first. */
function ofNames(fields: readonly QueryField[], around: QueryContext): readonly Offer[] {
  return fields
    .map((field) => ofName(field, around))
    .toSorted((a, b) => (b.count ?? 0) - (a.count ?? 0));
}

function ofName(field: QueryField, { vocabulary }: QueryContext): Offer {
  const { doc, example } = FIELD_FACTS[field];
  const label = `${field}${isMeasure(field) ? '>' : ':'}`;
  const [often] = vocabulary[field] ?? [];
  const offer = { text: label, label, says: doc.replaceAll('`', ''), goesOn: true };
  if (often === undefined) return { ...offer, example };
  return { ...offer, example: `${field}:${termValue(often[0])}`, count: often[1] };
}

/** Values anywhere in the trace that hold what is typed. */
function found(begun: string, { vocabulary }: QueryContext): readonly Offer[] {
  return QUERY_FIELD_NAMES.flatMap((field) =>
    (vocabulary[field] ?? [])
      .filter(([value]) => value.toLowerCase().includes(begun))
      .map(([value, count]) => {
        const text = `${field}:${termValue(value)}`;
        return { text, label: text, count, goesOn: false };
      }),
  )
    .toSorted((a, b) => b.count - a.count)
    .slice(0, MOST_FOUND);
}

function values(
  field: QueryField,
  sign: string,
  typed: string,
  around: QueryContext,
): readonly Offer[] {
  const takes = takesOf(field);
  if (sign !== ':') {
    const unit = takes.kind === 'number' ? takes.unit : takes.kind === 'span' ? 's' : 'plain';
    return (THRESHOLDS[unit] ?? [])
      .filter((value) => value.startsWith(typed))
      .map((value) => ({ text: `${field}${sign}${value}`, label: value, goesOn: false }));
  }
  if (takes.kind === 'near')
    return around.selected === undefined
      ? []
      : ['', '±5', '±50'].map((width) => ({
          ...{ text: `near:#${around.selected}${width}`, label: `#${around.selected}${width}` },
          ...{ says: width === '' ? 'around the selected frame' : '', goesOn: false },
        }));
  // After a comma another value begins, but not within quotes.
  const list = valuesOf(typed);
  const begun = (list.pop() ?? '').replace(/^"/, '').toLowerCase();
  const front = `${field}:${list.map((value) => `${value},`).join('')}`;
  return (around.vocabulary[field] ?? [])
    .filter(([value]) => value.toLowerCase().includes(begun) && !list.includes(value))
    .slice(0, MOST)
    .flatMap(([value, count]): readonly Offer[] => {
      const offer = { text: `${front}${termValue(value)}`, label: value, count, goesOn: false };
      const hasChildren =
        field === 'session' && around.sessions.some((chip) => chip.startsWith(`${value}.`));
      if (!hasChildren) return [offer];
      return [
        offer,
        {
          ...{ text: `${front}${value}+`, label: `${value}+` },
          ...{ says: 'with its children', goesOn: false },
        },
      ];
    });
}

/** The keys of the message where the path has come to; of a value, how it is asked for. */
function paths(typed: string, { message }: QueryContext): OfferGroup {
  const [, path = '$', key = ''] = /^(\$.*?)(?:\.([\w$]*)|\[)?$/s.exec(typed) ?? [];
  const value = at(message, path);
  const inside = isContainer(value) ? Object.entries(value) : [];
  const offers = inside
    .filter(([name]) => name.toLowerCase().startsWith(key.toLowerCase()))
    .slice(0, MOST)
    .flatMap(([name, json]) => ofKey(`${path}${step(value, name)}`, json));
  return { title: 'In the message', offers };
}

function ofKey(path: string, json: Json): readonly Offer[] {
  if (isContainer(json)) {
    const says = Array.isArray(json) ? `[${json.length}]` : `{${Object.keys(json).length}}`;
    return [{ text: path, label: path, says, goesOn: true }];
  }
  const text = JSON.stringify(json);
  const exists = { text: `${path} exists`, label: `${path} exists`, goesOn: false };
  if (text.length > 60) return [{ text: `${path}~`, label: `${path}~`, goesOn: true }, exists];
  const equals = pathTerm(path, text);
  return [{ text: equals, label: equals, goesOn: false }, exists];
}

function step(container: Json | undefined, name: string): string {
  if (Array.isArray(container)) return `[${name}]`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

function isContainer(
  value: Json | undefined,
): value is readonly Json[] | Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null;
}

function at(message: Json | undefined, path: string): Json | undefined {
  let value = message;
  for (const [, key, quoted, index] of path.matchAll(/\.([\w$]+)|\["([^"]*)"\]|\[(\d+)\]/g)) {
    if (!isContainer(value)) return undefined;
    value = (value as Readonly<Record<string, Json>>)[key ?? quoted ?? index ?? ''];
  }
  return value;
}

function valuesOf(typed: string): string[] {
  const values = [''];
  let isQuoted = false;
  for (const char of typed) {
    if (char === '"') isQuoted = !isQuoted;
    if (char === ',' && !isQuoted) values.push('');
    else values.push(`${values.pop() ?? ''}${char}`);
  }
  return values;
}
