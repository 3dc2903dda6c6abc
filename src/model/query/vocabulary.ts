// The values a trace holds for each field of the query, with their counts: for completion, and for
// a hint where a term finds nothing.
import { distanceOf } from '../../lib/nearest.ts';
import { CLIENT, EVT, FLAG, KINDS, NTF, ORIGINS, STD } from '../columns.ts';
import { SILENCE } from '../timeline/density.ts';
import { MARK_SEVERITIES } from '../timeline/finding-marks.ts';
import { known } from '../../lib/time.ts';
import { NO_SESSION, takesOf, type Field } from './fields.ts';
import { spanText } from './numbers.ts';
import type { Part } from './query.ts';
import type { TraceIndex } from '../trace-index.ts';

export type Vocabulary = Readonly<
  Record<string, readonly (readonly [value: string, count: number])[]>
>;

/** Most frequent first. One pass over the columns. */
export function vocabularyOf(index: TraceIndex): Vocabulary {
  const { columns } = index;
  const names: number[] = [];
  const updates: number[] = [];
  const tools: number[] = [];
  const sessions: number[] = [];
  const ids: number[] = [];
  const statuses: number[] = [];
  const turns: number[] = [];
  const windows: number[] = [];
  const items: number[] = [];
  const origins = ORIGINS.map(() => 0);
  const kinds = KINDS.map(() => 0);
  const sides = [0, 0, 0];
  let [replay, late, live, updated, open, cut] = [0, 0, 0, 0, 0, 0];
  const column = {
    kind: columns.kind.values(),
    flags: columns.flags.values(),
    name: columns.name.values(),
    tool: columns.tool.values(),
    session: columns.session.values(),
    side: columns.side.values(),
    id: columns.id.values(),
    status: columns.status.values(),
    turn: columns.turn.values(),
    window: columns.window.values(),
    item: columns.item.values(),
    origin: columns.origin.values(),
  };
  for (let at = 0; at < columns.length; at++) {
    const kind = column.kind[at] ?? 0;
    const flags = column.flags[at] ?? 0;
    const isUpdate = (flags & FLAG.update) !== 0;
    if (isUpdate) updated++;
    if (kind <= NTF) bump(isUpdate ? updates : names, column.name[at] ?? 0);
    bump(tools, column.tool[at] ?? 0);
    if (kind !== EVT) bump(sessions, column.session[at] ?? 0);
    bump(kinds, kind);
    bump(sides, column.side[at] ?? 0);
    bump(ids, column.id[at] ?? 0);
    bump(statuses, column.status[at] ?? 0);
    bump(turns, column.turn[at] ?? 0);
    bump(windows, column.window[at] ?? 0);
    bump(items, column.item[at] ?? 0);
    if ((column.side[at] ?? 0) > 0) bump(origins, column.origin[at] ?? 0);
    if ((flags & FLAG.cut) !== 0) cut++;
    if (index.waits(at)) open++;
    if ((flags & FLAG.replay) !== 0) replay++;
    else if ((flags & FLAG.late) !== 0) late++;
    else if (kind < STD) live++;
  }
  const methods = listed(names, (name) => columns.names.text(name));
  if (updated > 0) methods.push(['session/update', updated]);
  return {
    method: sorted(methods),
    update: sorted(listed(updates, (name) => columns.names.text(name))),
    kind: sorted(listed(tools, (kind) => columns.toolKinds.text(kind))),
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
      ['intercepted', origins[ORIGINS.indexOf('intercept')] ?? 0],
      ['marked', index.annotations.marks.size],
    ]),
    ...findingsOf(index),
    status: sorted(listed(statuses, (status) => columns.statuses.text(status))),
    tool: sorted(listed(items, (item) => index.toolIds.get(item - 1) ?? '')),
    turn: sorted(listed(turns, (turn) => (turn === 0 ? '' : String(turn)))),
    window: sorted(
      listed(windows, (number) => {
        const record = index.windowRecords[number - 1];
        return record === undefined ? '' : `#${columns.seqOf(record.request)}`;
      }),
    ),
    id: sorted(listed(ids, (id) => columns.ids.text(id))),
    origin: sorted(ORIGINS.map((origin, at) => [origin, origins[at] ?? 0])),
    time: stretchesOf(index),
  };
}

/** A field, and what a term of it says to find an event. */
export type FieldValue = readonly [field: Field, value: string];

/** What an event is found by: what it is about first, then where it belongs. */
export function valuesAt(index: TraceIndex, at: number): readonly FieldValue[] {
  const { columns } = index;
  const isUpdate = columns.has(at, FLAG.update);
  const kind = columns.kind.get(at);
  const window = index.window(at);
  const turn = columns.turn.get(at);
  const found: readonly (readonly [Field, string | undefined])[] = [
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
  const sets: number[] = [];
  for (let at = 0; at < findings.end; at++) bump(sets, findings.setOf(at));
  const found = new Map<string, number>();
  const add = (name: string, count: number) => found.set(name, (found.get(name) ?? 0) + count);
  for (const [set, count] of sets.entries()) {
    if (set === 0 || count === undefined) continue;
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
  for (let event = 0; event < columns.length; event++) {
    if (columns.kind.get(event) === EVT) continue;
    const at = columns.at.get(event);
    const last = found.at(-1);
    if (known(at) === undefined) continue;
    // Imported times may run backwards.
    if (last === undefined || at - last.to > SILENCE) found.push({ from: at, to: at, count: 1 });
    else {
      last.to = Math.max(last.to, at);
      last.count++;
    }
  }
  return sorted(found.map((stretch) => [spanText(stretch), stretch.count]));
}

/** `No frame has method:session/promt; session/prompt has 3.` Of a part that is one term by itself. */
export function hintFor({ expr, source }: Part, index: TraceIndex): string | undefined {
  if (expr.kind !== 'field') return undefined;
  const { field, values } = expr;
  if (takesOf(field).kind !== 'words') return undefined;
  const said = `No frame has ${source}`;
  const [value] = values;
  if (values.length > 1 || value === undefined || !('text' in value)) return `${said}.`;
  const near = nearest(value.text, vocabularyOf(index)[field] ?? []);
  return near === undefined ? `${said}.` : `${said}; ${near[0]} has ${near[1]}.`;
}

function bump(counts: number[], number: number): void {
  counts[number] = (counts[number] ?? 0) + 1;
}

function listed(counts: readonly number[], textOf: (number: number) => string): [string, number][] {
  const found: [string, number][] = [];
  counts.forEach((count, number) => {
    const text = textOf(number);
    if (text !== '' && count > 0) found.push([text, count]);
  });
  return found;
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
