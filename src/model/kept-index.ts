// What is known of a trace, to be kept beside its bytes: who opens it again need not read them. The
// facts stand in objects that name each other and go as a graph; the columns go as they are.
import { Growable } from '../lib/growable.ts';
import { keepGraph, recallGraph, type Known } from './graph.ts';
import { Interner } from '../lib/interner.ts';
import { Annotations } from '../trace/annotation.ts';
import { LateWatch } from './facts/activity.ts';
import { Children } from './facts/children.ts';
import { Exchanges } from './facts/exchanges.ts';
import { Facts } from './facts/facts.ts';
import { InterceptFold } from './facts/intercept.ts';
import { ReplayTally } from './facts/replay-tally.ts';
import { Sessions } from './facts/sessions.ts';
import { Items } from './facts/variants.ts';
import { PinRecord, Pins } from './timeline/pins.ts';
import { ReplayWindows } from './timeline/replay-windows.ts';
import { ChunkRuns } from './timeline/runs.ts';
import type { TraceIndex } from './trace-index.ts';

/**
 * Another number whenever the same events are indexed to something else, or this to another form: what was kept
 * under another one is made again. `kept-index.test.ts` fails where that is forgotten.
 */
export const INDEX_VERSION = 3;

/** Classes by the names under which they are kept. */
const CLASSES: readonly Known[] = [
  { name: 'annotations', made: Annotations },
  { name: 'children', made: Children },
  { name: 'exchanges', made: Exchanges },
  { name: 'facts', made: Facts, without: ['connection'] },
  { name: 'intercept', made: InterceptFold },
  { name: 'items', made: Items },
  { name: 'late', made: LateWatch },
  { name: 'pin', made: PinRecord, without: ['book'] },
  { name: 'pins', made: Pins, without: ['book', 'home'] },
  { name: 'runs', made: ChunkRuns },
  { name: 'sessions', made: Sessions },
  { name: 'tally', made: ReplayTally },
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
