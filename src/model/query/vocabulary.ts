// The values a trace holds for each field of the query, with their counts: for completion, and for
// a hint where a term finds nothing.
import { distanceOf } from '../../lib/nearest.ts';
import { CLIENT, EVT, FLAG, KINDS, NTF, ORIGINS, REQ, STD } from '../columns.ts';
import { SILENCE } from '../timeline/density.ts';
import { MARK_SEVERITIES } from '../timeline/finding-marks.ts';
import { known, NO_TIME } from '../../lib/time.ts';
import { NO_SESSION, takesOf, type QueryField } from './fields.ts';
import { spanText } from './numbers.ts';
import type { QueryPart } from './query.ts';
import type { TraceIndex } from '../trace-index.ts';

export type Vocabulary = Readonly<
  Record<string, readonly (readonly [value: string, count: number])[]>
>;

/** Most frequent first. One pass over the columns. */
export function vocabularyOf(index: TraceIndex): Vocabulary {
  const { columns } = index;
  const { length } = columns;
  const [kind, flags, name, session] = [
    columns.kind.values(),
    columns.flags.values(),
    columns.name.values(),
    columns.session.values(),
  ];
  const names = new Uint32Array(columns.names.size);
  const updates = new Uint32Array(columns.names.size);
  const sessions = new Uint32Array(index.sessionIds().length + 1);
  let [replay, late, live, updated, open, cut, intercepted] = [0, 0, 0, 0, 0, 0, 0];
  for (let at = 0; at < length; at++) {
    const what = kind[at] ?? 0;
    const said = flags[at] ?? 0;
    const isUpdate = (said & FLAG.update) !== 0;
    if (isUpdate) updated++;
    if (what <= NTF) bump(isUpdate ? updates : names, name[at] ?? 0);
    if (what !== EVT) bump(sessions, session[at] ?? 0);
    if (what === REQ && index.waits(at)) open++;
    if ((said & FLAG.cut) !== 0) cut++;
    if ((said & FLAG.intercepted) !== 0) intercepted++;
    if ((said & FLAG.replay) !== 0) replay++;
    else if ((said & FLAG.late) !== 0) late++;
    else if (what < STD) live++;
  }
  const kinds = tally(kind, KINDS.length);
  const sides = tally(columns.side.values(), CLIENT + 2);
  const origins = tally(columns.origin.values(), ORIGINS.length);
  // What is no frame has no origin.
  origins[0] = (origins[0] ?? 0) - (sides[0] ?? 0);
  const methods = listed(names, (name) => columns.names.text(name));
  if (updated > 0) methods.push(['session/update', updated]);
  return {
    method: sorted(methods),
    update: sorted(listed(updates, (name) => columns.names.text(name))),
    kind: sorted(
      listed(tally(columns.tool.values(), columns.toolKinds.size), (kind) =>
        columns.toolKinds.text(kind),
      ),
    ),
    session: sorted(
      listed(sessions, (number) =>
        number === 0 ? NO_SESSION : (index.sessionByNumber(number)?.facts.chip ?? ''),
      ),
    ),
    type: sorted(listed(kinds, (kind) => KINDS[kind] ?? '')),
    side: sorted([
      ['client', sides[CLIENT] ?? 0],
      ['agent', sides[CLIENT + 1] ?? 0],
    ]),
    is: sorted([
      ['replay', replay],
      ['late', late],
      ['live', live],
      ['open', open],
      ['cut', cut],
      ['intercepted', intercepted],
      ['marked', index.annotations.marks.size],
    ]),
    ...findingsOf(index),
    status: sorted(
      listed(tally(columns.status.values(), columns.statuses.size), (status) =>
        columns.statuses.text(status),
      ),
    ),
    tool: sorted(
      listed(
        tally(columns.item.values(), length + 1),
        (item) => index.toolIds.get(item - 1) ?? '',
        Array.from(index.toolIds.keys(), (event) => event + 1),
      ),
    ),
    turn: sorted(
      listed(tally(columns.turn.values(), index.turns + 1), (turn) =>
        turn === 0 ? '' : String(turn),
      ),
    ),
    window: sorted(
      listed(tally(columns.window.values(), index.windowRecords.length + 1), (number) => {
        const record = index.windowRecords[number - 1];
        return record === undefined ? '' : `#${columns.seqOf(record.request)}`;
      }),
    ),
    id: sorted(listed(tally(columns.id.values(), columns.ids.size), (id) => columns.ids.text(id))),
    origin: sorted(ORIGINS.map((origin, at) => [origin, origins[at] ?? 0])),
    time: stretchesOf(index),
  };
}

/** A field, and what a term of it says to find an event. */
export type FieldWithValue = readonly [field: QueryField, value: string];

/** What an event is found by: what it is about first, then where it belongs. */
export function valuesAt(index: TraceIndex, at: number): readonly FieldWithValue[] {
  const { columns } = index;
  const isUpdate = columns.has(at, FLAG.update);
  const kind = columns.kind.get(at);
  const window = index.window(at);
  const turn = columns.turn.get(at);
  const found: readonly (readonly [QueryField, string | undefined])[] = [
    [isUpdate ? 'update' : 'method', kind <= NTF ? columns.nameOf(at) : undefined],
    ['type', KINDS[kind]],
    ['kind', columns.toolKinds.text(columns.tool.get(at))],
    ['status', columns.statuses.text(columns.status.get(at))],
    ['tool', index.toolIds.get(columns.item.get(at) - 1)],
    ['session', index.session(at)?.chip],
    ['turn', turn === 0 ? undefined : String(turn)],
    ['window', window && `#${columns.seqOf(window.request)}`],
    ['id', columns.ids.text(columns.id.get(at))],
    ['near', `#${columns.seqOf(at)}`],
  ];
  return found.flatMap(([field, value]) => (value ? [[field, value] as const] : []));
}

/** By rule and by what they count as, with their frames. */
function findingsOf({ findings }: TraceIndex): Vocabulary {
  const sets = new Map<number, number>();
  for (let at = 0; at < findings.end; at++) {
    const set = findings.setOf(at);
    sets.set(set, (sets.get(set) ?? 0) + 1);
  }
  const found = new Map<string, number>();
  const add = (name: string, count: number) => found.set(name, (found.get(name) ?? 0) + count);
  for (const [set, count] of sets) {
    if (set === 0) continue;
    const marks = findings.marksOf(set).filter(({ counts }) => counts !== 'off');
    const names = marks.map(({ rule, counts }) => (counts === 'undecidable' ? counts : rule));
    for (const name of new Set([...names, ...marks.map(({ counts }) => counts)])) add(name, count);
    if (marks.some(({ counts }) => isSeverity(counts))) add('any', count);
  }
  const all = [...found];
  return { finding: sorted(all), sev: sorted(all.filter(([name]) => isSeverity(name))) };
}

function isSeverity(text: string): boolean {
  return MARK_SEVERITIES.some((severity) => severity === text);
}

/** Stretches of time between silences, with their frames and lines of stderr; most of them first. */
function stretchesOf({ columns }: TraceIndex): readonly (readonly [string, number])[] {
  const found: { from: number; to: number; count: number }[] = [];
  const [kind, times] = [columns.kind.values(), columns.at.values()];
  let last = { from: 0, to: -Infinity, count: 0 };
  for (let event = 0; event < times.length; event++) {
    const at = times[event] ?? NO_TIME;
    if (kind[event] === EVT || known(at) === undefined) continue;
    // Imported times may run backwards.
    if (at - last.to > SILENCE) found.push((last = { from: at, to: at, count: 1 }));
    else {
      last.to = Math.max(last.to, at);
      last.count++;
    }
  }
  return sorted(found.map((stretch) => [spanText(stretch), stretch.count]));
}

/** `No frame has method:session/promt; session/prompt has 3.` Of a part that is one term by itself. */
export function hintFor({ expr, source }: QueryPart, index: TraceIndex): string | undefined {
  if (expr.kind !== 'field') return undefined;
  const { field, values } = expr;
  if (takesOf(field).kind !== 'words') return undefined;
  const said = `No frame has ${source}`;
  const [value] = values;
  if (values.length > 1 || value === undefined || !('text' in value)) return `${said}.`;
  const near = nearest(value.text, vocabularyOf(index)[field] ?? []);
  return near === undefined ? `${said}.` : `${said}; ${near[0]} has ${near[1]}.`;
}

function tally(values: ArrayLike<number>, size: number): Uint32Array {
  const counts = new Uint32Array(size);
  for (let at = 0; at < values.length; at++) bump(counts, values[at] ?? 0);
  return counts;
}

function bump(counts: Uint32Array, number: number): void {
  counts[number] = (counts[number] ?? 0) + 1;
}

/** Values of a field that are offered: more than anybody reads through. */
const MOST_VALUES = 1000;

/** `textOf`: empty for what is no value. `numbers`: those of values, where most of them are none. */
function listed(
  counts: Uint32Array,
  textOf: (number: number) => string,
  numbers: readonly number[] = [...counts.keys()],
): [string, number][] {
  const found: [string, number][] = [];
  const there = numbers.filter((number) => (counts[number] ?? 0) > 0);
  for (const number of there.length > MOST_VALUES ? commonest(there, counts) : there) {
    const text = textOf(number);
    if (text !== '') found.push([text, counts[number] ?? 0]);
    if (found.length === MOST_VALUES) break;
  }
  return found;
}

/** The most frequent of these first; of many that are as rare as each other, in their order. */
function commonest(numbers: readonly number[], counts: Uint32Array): readonly number[] {
  const of = (number: number) => counts[number] ?? 0;
  // Only those that are offered need an order; 0 may stand for no value.
  const least =
    Uint32Array.from(numbers.map(of))
      .sort()
      .at(-1 - MOST_VALUES) ?? 0;
  const above = numbers.filter((number) => of(number) > least);
  above.sort((a, b) => of(b) - of(a) || a - b);
  return [...above, ...numbers.filter((number) => of(number) === least)];
}

function sorted(
  values: readonly (readonly [string, number])[],
): readonly (readonly [string, number])[] {
  return values
    .filter(([, count]) => count > 0)
    .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

/** The value most like the one typed, if any is. */
function nearest(
  typed: string,
  known: readonly (readonly [string, number])[],
): readonly [string, number] | undefined {
  let best: readonly [string, number] | undefined;
  let least = Math.max(1, Math.floor(typed.length / 3));
  for (const entry of known.slice(0, 200)) {
    const cost = entry[0].includes(typed) ? 0 : distanceOf(typed, entry[0]);
    if (cost > least || (best !== undefined && cost === least)) continue;
    best = entry;
    least = cost;
  }
  return best;
}
