// What a comparison tells is all that differs: applied to the left trace, it gives the right one.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isArray, isObject, parseJson } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { millis } from '../../lib/time.ts';
import { ALIAS_KINDS } from '../../model/sessions/compare-terms.ts';
import { sourcesOf } from '../../test/traces/fidelity-sources.ts';
import { recordings } from '../../test/traces/recordings.ts';
import { seq, type TraceEvent } from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';
import { diffTraces } from './diff.ts';
import type { DiffOptions, TraceDiffReport, TraceDifference } from './report/report.ts';

const recorded = fc.constantFrom(...recordings().map(({ events }) => events.slice(0, 120)));
/** Nothing is an alias, nothing left out: what differs must be told. */
const EXACT: DiffOptions = { view: 'frames', ignore: [], raw: ALIAS_KINDS, eachChunk: true };

function compare(a: readonly TraceEvent[], b: readonly TraceEvent[], options: DiffOptions) {
  const [left, right] = sourcesOf([a, b]);
  if (!left || !right) throw new Error('two traces were given');
  return diffTraces(left, right, options);
}

const leaf = fc.oneof(fc.string({ maxLength: 8 }), fc.integer(), fc.constantFrom(null, true));
const edit = fc.record({
  frame: fc.nat(),
  how: fc.constantFrom('out', 'twice', 'swap', 'far', 'inside', 'inside', 'inside', 'line'),
  value: fc.nat(),
  inside: fc.constantFrom('set', 'key', 'item', 'gone', 'twice', 'turn'),
  leaf,
});
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

function edited(events: readonly TraceEvent[], { frame, how, ...rest }: Edit): TraceEvent[] {
  const place = frame % Math.max(1, events.length);
  const event = events[place];
  if (event?.type !== 'frame') return [...events];
  switch (how) {
    case 'out':
      return events.toSpliced(place, 1);
    case 'twice':
      return events.toSpliced(place, 0, event);
    case 'far':
    case 'swap':
      return events
        .toSpliced(place, 1)
        .toSpliced(how === 'swap' ? place + 1 : rest.value % events.length, 0, event);
    case 'line':
      return events.with(place, { ...event, line: { text: `no ${String(rest.leaf)}` } });
    case 'inside': {
      const json = parseJson(lineText(event.line));
      if (!isObject(json)) return [...events];
      const places = containers(json);
      const target = places[rest.value % places.length];
      if (target) changeInside(target, rest);
      return events.with(place, { ...event, line: { text: JSON.stringify(json) } });
    }
  }
}

/** Objects and arrays, also the deepest, as they were read just now: they may be changed. */
function containers(value: Json): (Record<string, Json> | Json[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Record<string, Json> | Json[], ...Object.values(value).flatMap(containers)];
}

function changeInside(
  target: Record<string, Json> | Json[],
  { inside, leaf: said, value }: Pick<Edit, 'inside' | 'leaf' | 'value'>,
): void {
  if (Array.isArray(target)) {
    const at = value % Math.max(1, target.length);
    const item = target[at] ?? null;
    if (inside === 'gone') target.splice(at, 1);
    else if (inside === 'twice') target.splice(at, 0, item);
    else if (inside === 'turn') target.reverse();
    else if (inside === 'item') target.splice(at, 0, { id: String(said), said });
    else target[at] = said;
    return;
  }
  const keys = Object.keys(target);
  const key = keys[value % Math.max(1, keys.length)] ?? 'key';
  if (inside === 'gone') Reflect.deleteProperty(target, key);
  else target[inside === 'key' ? `odd '\\ ${key}` : key] = said;
}

const numbered = (events: readonly TraceEvent[]) =>
  events.map((event, at): TraceEvent => ({ ...event, seq: seq(at + 1), at: millis(at) }));

function valueOf(event: TraceEvent | undefined): Json {
  if (event?.type !== 'frame') return null;
  const value = parseJson(lineText(event.line));
  if (value === undefined) return { line: lineText(event.line) };
  return isObject(value) ? value : { line: value };
}

const KEY = /\.([A-Za-z_$][\w$-]*)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]/g;
const keysOf = (path: string) =>
  [...path.matchAll(KEY)].map(([, word, index, quoted]) =>
    index === undefined ? (word ?? (quoted ?? '').replace(/\\(.)/g, '$1')) : Number(index),
  );

/** The left value with what is told about it. */
function applied(value: Json, told: readonly TraceDifference[]): Json {
  const own = told.find(({ path }) => path === '$');
  if (own) return own.after ?? null;
  const groups = new Map<string | number, { rest: TraceDifference[] }>();
  for (const one of told) {
    const [key = ''] = keysOf(one.path);
    const group = groups.get(key) ?? { rest: [] };
    group.rest.push(one);
    groups.set(key, group);
  }
  const inner = (one: TraceDifference) => ({
    ...one,
    path: `$${keysOf(one.path)
      .slice(1)
      .map((key) => (typeof key === 'number' ? `[${key}]` : `['${key.replace(/[\\']/g, '\\$&')}']`))
      .join('')}`,
  });
  const isGone = (one: TraceDifference) => one.path === '$' && !('after' in one);
  const isNew = (one: TraceDifference) => one.path === '$' && !('before' in one);
  if (isArray(value)) {
    const all = told.map((one) => [Number(keysOf(one.path)[0]), inner(one)] as const);
    const kept = value.flatMap((item, at) => {
      const mine = all.filter(([key, one]) => key === at && !isNew(one)).map(([, one]) => one);
      return mine.some(isGone) ? [] : [mine.length > 0 ? applied(item, mine) : item];
    });
    for (const [at, one] of all.filter(([, other]) => isNew(other)))
      kept.splice(at, 0, one.after ?? null);
    return kept;
  }
  const result: Record<string, Json> = { ...(value as JsonObject) };
  for (const [key, { rest }] of groups) {
    const mine = rest.map(inner);
    if (mine.some(isGone)) Reflect.deleteProperty(result, key);
    else {
      const before = result[key] ?? null;
      const after = applied(before, mine);
      Object.defineProperty(result, key, { value: after, enumerable: true, configurable: true });
    }
  }
  return result;
}

/** The same text for the same JSON, whatever the order of keys. */
function canonical(value: Json): string {
  if (isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`)
    .join()}}`;
}

/** What the report makes of the left trace: values by the seq that they have at the right. */
function rebuilt(report: TraceDiffReport, a: readonly TraceEvent[], b: readonly TraceEvent[]) {
  const at = (events: readonly TraceEvent[]) => new Map(events.map((one) => [one.seq, one]));
  const [left, right] = [at(a), at(b)];
  const byRow = new Map<number, TraceDifference[]>();
  for (const one of report.differences) byRow.set(one.row, [...(byRow.get(one.row) ?? []), one]);
  const found = new Map<number, Json>();
  for (let row = 0; row < report.rows.length; row++) {
    const { a: one, b: other, mark } = report.rows.row(row);
    if (!other) continue;
    const told = (byRow.get(row) ?? []).filter(({ kind }) => kind === 'changed');
    if (one) found.set(other.seq, applied(valueOf(left.get(one.seq)), told));
    else if (mark === 'extra') found.set(other.seq, valueOf(right.get(other.seq)));
  }
  return [...found].sort(([x], [y]) => x - y).map(([, value]) => canonical(value));
}

test('what differs, applied to the left frames, gives the right ones', async () => {
  await fc.assert(
    fc.asyncProperty(recorded, fc.array(edit, { maxLength: 12 }), async (events, edits) => {
      const a = numbered(events);
      const b = numbered(edits.reduce(edited, a));
      const report = await compare(a, b, EXACT);
      const frames = (all: readonly TraceEvent[]) => all.filter(({ type }) => type === 'frame');
      expect(rebuilt(report, a, b)).toEqual(frames(b).map((event) => canonical(valueOf(event))));
      const { counts, compared } = report;
      const shared = counts.equal + counts.changed + counts.moved;
      expect([shared + counts.missing, shared + counts.extra]).toEqual([compared.a, compared.b]);
    }),
    { numRuns: 40 },
  );
});

test('looked at from the other side, missing is extra, and as much differs', async () => {
  await fc.assert(
    fc.asyncProperty(
      recorded,
      fc.array(edit, { maxLength: 8 }),
      fc.constantFrom('story', 'frames', 'handshake'),
      async (events, edits, view) => {
        const a = numbered(events);
        const b = numbered(edits.reduce(edited, a));
        const options = { view, ignore: [] } as const;
        const [there, back] = [await compare(a, b, options), await compare(b, a, options)];
        const { missing, extra, ...counts } = there.counts;
        expect(back.counts).toEqual({ ...counts, missing: extra, extra: missing });
        expect(back.equal).toBe(there.equal);
        expect(back.differences.length).toBe(there.differences.length);
      },
    ),
    { numRuns: 40 },
  );
});
