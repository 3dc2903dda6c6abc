// What is known of a trace, to be kept beside its bytes: who opens it again need not read them. The
// facts stand in objects that name each other and go as a graph; the columns go as they are.
import { Growable } from '../lib/growable.ts';
import { Interner } from '../lib/interner.ts';
import { Annotations } from '../trace/annotation.ts';
import { LateWatch } from './facts/activity.ts';
import { Children } from './facts/children.ts';
import { Exchanges } from './facts/exchanges.ts';
import { Facts } from './facts/facts.ts';
import { HandshakeFold } from './facts/handshake.ts';
import { InterceptFold } from './facts/intercept.ts';
import { ReplayTally } from './replay/replay-tally.ts';
import { Sessions } from './facts/sessions.ts';
import { Turns } from './facts/turns.ts';
import { Items } from './facts/variants.ts';
import { PinRecord, Pins } from './timeline/pins.ts';
import { ReplayWindows } from './timeline/replay-windows.ts';
import { ChunkRuns } from './timeline/runs.ts';
import type { TraceIndex } from './trace-index.ts';

/** A class whose instances may be met. What changes in it is in fields of its own, `private` or not. */
interface Known {
  readonly name: string;
  readonly made: { readonly prototype: object };
  /** Fields that are not kept: whoever brings it back sets them. */
  readonly without?: readonly string[];
}

/** How maps, sets and instances are kept: no JSON of a peer can look like it, for it is a Map. */
type Kept = ReadonlyMap<'is' | 'holds', unknown>;

/** Throws where it meets an instance of a class that is not known. Fields that are functions are left out. */
function keepGraph(root: unknown, classes: readonly Known[]): unknown {
  const byPrototype = new Map(classes.map((known) => [known.made.prototype, known]));
  const seen = new Map<object, unknown>();
  const keep = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
    const known = seen.get(value);
    if (known !== undefined) return known;
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      seen.set(value, list);
      for (const item of value) list.push(keep(item));
      return list;
    }
    if (value instanceof Map || value instanceof Set) {
      const holds: unknown[] = [];
      seen.set(value, new Map<string, unknown>([['is', kindOf(value)], ['holds', holds]])); // prettier-ignore
      for (const [key, item] of value.entries()) holds.push(keep(key), keep(item));
      return seen.get(value);
    }
    const prototype: unknown = Object.getPrototypeOf(value);
    const made = prototype === Object.prototype ? undefined : byPrototype.get(prototype as object);
    if (prototype !== Object.prototype && !made) throw new Error('cannot be kept: no such class');
    const fields = {};
    const holds = made ? new Map<string, unknown>([['is', made.name], ['holds', fields]]) : fields; // prettier-ignore
    seen.set(value, holds);
    for (const [key, field] of Object.entries(value) as [string, unknown][])
      if (typeof field !== 'function' && !made?.without?.includes(key))
        define(fields, key, keep(field));
    return holds;
  };
  return keep(root);
}

/** The graph that was kept, made of new objects. Throws where a class of it is not known. */
function recallGraph(kept: unknown, classes: readonly Known[]): unknown {
  const byName = new Map(classes.map((known) => [known.name, known]));
  const seen = new Map<object, unknown>();
  const into = (fields: object, made: object): object => {
    for (const [key, field] of Object.entries(fields)) define(made, key, recall(field));
    return made;
  };
  const recall = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
    const known = seen.get(value);
    if (known !== undefined) return known;
    const begun = <T extends object>(made: T): T => {
      seen.set(value, made);
      return made;
    };
    if (Array.isArray(value)) {
      const list = begun<unknown[]>([]);
      for (const item of value) list.push(recall(item));
      return list;
    }
    if (!(value instanceof Map)) return into(value, begun({}));
    const is = (value as Kept).get('is');
    const holds = (value as Kept).get('holds');
    if (Array.isArray(holds)) {
      const made = begun(is === 'map' ? new Map<unknown, unknown>() : new Set());
      for (let at = 0; at < holds.length; at += 2)
        if (made instanceof Map) made.set(recall(holds[at]), recall(holds[at + 1]));
        else made.add(recall(holds[at]));
      return made;
    }
    const { made } = byName.get(String(is)) ?? {};
    if (!made || typeof holds !== 'object' || holds === null) throw new Error('no such class');
    return into(holds, begun(Object.create(made.prototype) as object));
  };
  return recall(kept);
}

function kindOf(value: Map<unknown, unknown> | Set<unknown>): string {
  return value instanceof Map ? 'map' : 'set';
}

/** As a field of its own, also where it is called `__proto__`: a peer's JSON may have one. */
function define(object: object, key: string, value: unknown): void {
  if (key !== '__proto__') (object as Record<string, unknown>)[key] = value;
  else
    Object.defineProperty(object, key, {
      ...{ value, enumerable: true, writable: true, configurable: true },
    });
}

/**
 * Another number whenever the same events are indexed to something else, or this to another form: what was kept
 * under another one is made again. `kept-index.test.ts` fails where that is forgotten.
 */
export const INDEX_VERSION = 21;

/** Classes by the names under which they are kept. */
const CLASSES: readonly Known[] = [
  { name: 'annotations', made: Annotations },
  { name: 'children', made: Children },
  { name: 'exchanges', made: Exchanges },
  { name: 'facts', made: Facts, without: ['connection'] },
  { name: 'handshake', made: HandshakeFold },
  { name: 'intercept', made: InterceptFold },
  { name: 'items', made: Items },
  { name: 'late', made: LateWatch },
  { name: 'pin', made: PinRecord, without: ['book'] },
  { name: 'pins', made: Pins, without: ['book', 'home'] },
  { name: 'runs', made: ChunkRuns },
  { name: 'sessions', made: Sessions },
  { name: 'tally', made: ReplayTally },
  { name: 'turns', made: Turns },
  { name: 'windows', made: ReplayWindows },
];

/** Of an index: the columns are kept beside the facts, and findings are not facts of the trace. */
const NO_FACTS: ReadonlySet<string> = new Set(['columns', 'findings', 'isOver']);

/** Plain values for the browser's database; typed arrays in it are those of the index, and change with it. */
export interface KeptIndex {
  readonly columns: Readonly<Record<string, unknown>>;
  readonly facts: unknown;
}

/** Throws where something in it cannot be kept: JSON of a peer that is nested too deep. */
export function keepIndex(index: TraceIndex): KeptIndex {
  const columns: Record<string, unknown> = {};
  for (const [name, column] of Object.entries(index.columns) as [string, unknown][])
    if (column instanceof Growable) columns[name] = column.values();
    else if (column instanceof Interner) columns[name] = [...column.all];
  const facts = Object.entries(index).filter(([name]) => !NO_FACTS.has(name));
  return { columns, facts: keepGraph(Object.fromEntries(facts), CLASSES) };
}

/**
 * Into an index that nothing was taken into, so that it goes on from there. Throws, and leaves it as it was,
 * where a part of it is missing.
 */
export function recallIndex(index: TraceIndex, { columns, facts }: KeptIndex): void {
  const recalled = recallGraph(facts, CLASSES) as Readonly<Record<string, unknown>>;
  const parts = Object.entries(index) as [string, unknown][];
  const own = parts.filter(([name]) => !NO_FACTS.has(name));
  const all = Object.entries(index.columns) as [string, unknown][];
  const missing =
    own.find(([name]) => !(name in recalled)) ??
    all.find(([name, column]) =>
      column instanceof Interner
        ? !Array.isArray(columns[name])
        : !ArrayBuffer.isView(columns[name]),
    );
  if (missing) throw new Error(`no ${missing[0]} was kept`);
  for (const [name, column] of all)
    if (column instanceof Growable) column.take(columns[name] as never);
    else if (column instanceof Interner) column.take(columns[name] as string[]);
  // In place: who looks at the index may hold parts of it, and some fields are the page's.
  for (const [name, here] of own) {
    const value = recalled[name];
    if (here instanceof Map && value instanceof Map)
      for (const [key, one] of value) here.set(key, one);
    else if (typeof here === 'object' && typeof value === 'object')
      Object.assign(here ?? {}, value);
    else Object.assign(index, { [name]: value });
  }
  index['sessions'].retell();
  index['pins'].retell();
}
