// The values a trace holds for each field of the query, with their counts: for completion, and for
// a hint where a term finds nothing.
import { Interner } from '../../lib/interner.ts';
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

/** Most frequent first. */
export function vocabularyOf(index: TraceIndex): Vocabulary {
  const { columns } = index;
  const { names, updates, updated, kinds, sides, origins, sessions, items, is, ...told } =
    countsOf(index);
  // What is no frame has no origin, and what is an event no session.
  origins[0] = (origins[0] ?? 0) - (sides[0] ?? 0);
  sessions[0] = (sessions[0] ?? 0) - (kinds[EVT] ?? 0);
  // Several sessions may have a tool call of the same id.
  const callIds = new Interner();
  const calls = new Uint32Array(index.toolIds.size);
  for (const [event, id] of index.toolIds) bump(calls, callIds.of(id), items[event + 1]);
  const methods = listed(names, (name) => columns.names.text(name));
  if (updated > 0) methods.push(['session/update', updated]);
  return {
    method: sorted(methods),
    update: sorted(listed(updates, (name) => columns.names.text(name))),
    kind: sorted(listed(told.tools, (kind) => columns.toolKinds.text(kind))),
    session: sorted(
      listed(sessions, (number) =>
        number === 0 ? NO_SESSION : (index.sessionByNumber(number)?.facts.chip ?? ''),
      ),
      true,
    ),
    type: sorted(listed(kinds, (kind) => KINDS[kind] ?? '')),
    side: sorted([
      ['client', sides[CLIENT] ?? 0],
      ['agent', sides[CLIENT + 1] ?? 0],
    ]),
    is: sorted(Object.entries(is)),
    ...findingsOf(index),
    status: sorted(listed(told.statuses, (status) => columns.statuses.text(status))),
    tool: sorted(listed(calls, (call) => callIds.text(call))),
    turn: sorted(
      listed(told.turns, (turn) => (turn === 0 ? '' : String(turn))),
      true,
    ),
    window: sorted(
      listed(told.windows, (number) => {
        const record = index.windowRecords[number - 1];
        return record === undefined ? '' : `#${columns.seqOf(record.request)}`;
      }),
      true,
    ),
    id: sorted(listed(told.ids, (id) => columns.ids.text(id))),
    origin: sorted(listed(origins, (origin) => ORIGINS[origin] ?? '')),
    time: stretchesOf(index),
  };
}

/** How often each number stands in each column, in one pass: an agent goes on saying the same, which is counted at once. */
function countsOf(index: TraceIndex) {
  const { columns } = index;
  const { length } = columns;
  const kind = columns.kind.values();
  const flags = columns.flags.values();
  const name = columns.name.values();
  const side = columns.side.values();
  const origin = columns.origin.values();
  const session = columns.session.values();
  const turn = columns.turn.values();
  const item = columns.item.values();
  const window = columns.window.values();
  const tool = columns.tool.values();
  const id = columns.id.values();
  const status = columns.status.values();
  const isSame = (a: number, b: number): boolean =>
    name[a] === name[b] &&
    kind[a] === kind[b] &&
    flags[a] === flags[b] &&
    item[a] === item[b] &&
    session[a] === session[b] &&
    turn[a] === turn[b] &&
    window[a] === window[b] &&
    tool[a] === tool[b] &&
    id[a] === id[b] &&
    status[a] === status[b] &&
    side[a] === side[b] &&
    origin[a] === origin[b];
  const counts = {
    names: new Uint32Array(columns.names.size),
    updates: new Uint32Array(columns.names.size),
    kinds: new Uint32Array(KINDS.length),
    sides: new Uint32Array(CLIENT + 2),
    origins: new Uint32Array(ORIGINS.length),
    sessions: new Uint32Array(index.sessionIds().length + 1),
    turns: new Uint32Array(index.turns + 1),
    items: new Uint32Array(length + 1),
    windows: new Uint32Array(index.windowRecords.length + 1),
    tools: new Uint32Array(columns.toolKinds.size),
    ids: new Uint32Array(columns.ids.size),
    statuses: new Uint32Array(columns.statuses.size),
  };
  const is = { replay: 0, late: 0, live: 0, open: 0, cut: 0, intercepted: 0, marked: 0 };
  let updated = 0;
  for (let from = 0, at = 1; at <= length; at++) {
    if (at < length && isSame(at, from)) continue;
    const count = at - from;
    const what = kind[from] ?? 0;
    const said = flags[from] ?? 0;
    const isUpdate = (said & FLAG.update) !== 0;
    if (what <= NTF) bump(isUpdate ? counts.updates : counts.names, name[from], count);
    if (isUpdate) updated += count;
    if ((said & FLAG.cut) !== 0) is.cut += count;
    if ((said & FLAG.intercepted) !== 0) is.intercepted += count;
    if ((said & FLAG.replay) !== 0) is.replay += count;
    else if ((said & FLAG.late) !== 0) is.late += count;
    else if (what < STD) is.live += count;
    bump(counts.kinds, what, count);
    bump(counts.sides, side[from], count);
    bump(counts.origins, origin[from], count);
    bump(counts.sessions, session[from], count);
    bump(counts.turns, turn[from], count);
    bump(counts.items, item[from], count);
    bump(counts.windows, window[from], count);
    bump(counts.tools, tool[from], count);
    bump(counts.ids, id[from], count);
    bump(counts.statuses, status[from], count);
    from = at;
  }
  for (let at = kind.indexOf(REQ); at >= 0; at = kind.indexOf(REQ, at + 1))
    if (index.waits(at)) is.open++;
  is.marked = index.annotations.marks.size;
  return { ...counts, updated, is };
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
  let from = 0;
  let to = -Infinity;
  let count = 0;
  for (let event = 0; event < times.length; event++) {
    const at = times[event] ?? NO_TIME;
    if (kind[event] === EVT || known(at) === undefined) continue;
    // Imported times may run backwards.
    if (at - to > SILENCE) {
      found.push({ from, to, count });
      from = to = at;
      count = 0;
    }
    if (at > to) to = at;
    count++;
  }
  found.push({ from, to, count });
  return sorted(found.map((stretch) => [spanText(stretch), stretch.count]));
}

/** A term that finds nothing; `near`: a term of a similar value, and how many frames that finds. */
export interface NothingFound {
  readonly term: string;
  readonly near?: { readonly term: string; readonly count: number };
}

/** Undefined if the part is more than one term, or its values are a closed set. */
export function nothingFound(
  { expr, source }: QueryPart,
  index: TraceIndex,
): NothingFound | undefined {
  if (expr.kind !== 'field' || takesOf(expr.field).kind !== 'words') return undefined;
  const { field, values } = expr;
  const [value] = values;
  if (values.length > 1 || value === undefined || !('text' in value)) return { term: source };
  const near = nearest(value.text, vocabularyOf(index)[field] ?? []);
  if (near === undefined) return { term: source };
  return { term: source, near: { term: `${field}:${near[0]}`, count: near[1] } };
}

/** `No frame has kind:reed; kind:read has 3.` */
export function hintFor(part: QueryPart, index: TraceIndex): string | undefined {
  const found = nothingFound(part, index);
  if (found === undefined) return undefined;
  const { term, near } = found;
  return `No frame has ${term}${near ? `; ${near.term} has ${near.count}` : ''}.`;
}

function bump(counts: Uint32Array, number = 0, by = 0): void {
  counts[number] = (counts[number] ?? 0) + by;
}

/** Values of a field that are offered: more than anybody reads through. */
const MOST_VALUES = 1000;

/** The most frequent; of those that are as rare as each other, the first. `textOf`: empty for what is no value. */
function listed(counts: Uint32Array, textOf: (number: number) => string): [string, number][] {
  const found: [string, number][] = [];
  const add = (number: number, count: number) => {
    const text = textOf(number);
    if (text !== '') found.push([text, count]);
  };
  // One more than are offered, as 0 may stand for no value.
  const least = Math.max(1, counts.toSorted().at(-1 - MOST_VALUES) ?? 0);
  counts.forEach((count, number) => {
    if (count > least) add(number, count);
  });
  counts.forEach((count, number) => {
    if (count === least && found.length < MOST_VALUES) add(number, least);
  });
  return found;
}

/** Of as many: by letters, or, what is numbered, as it stands: S2 before S10. */
function sorted(
  values: readonly (readonly [string, number])[],
  numbered = false,
): readonly (readonly [string, number])[] {
  return values
    .filter(([, count]) => count > 0)
    .toSorted(([a, m], [b, n]) => n - m || (numbered ? 0 : a < b ? -1 : 1));
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
