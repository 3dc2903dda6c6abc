// The rows of the session view: what the session lived on each connection, how connections began and
// ended, and what came back of it, in the order of the clock and on one scale: its live items.
import type { WindowStrip } from '../../engine/fidelity/fidelities.ts';
import type { CellKind, ReplayCell, StripPart } from '../../engine/fidelity/strip.ts';
import type { HubConnection, HubRestore, SessionHub, TraceSummary } from '../../engine/messages.ts';
import { defined } from '../../lib/defined.ts';
import { count } from '../../lib/format.ts';
import type { Drift, SessionEvent } from '../../model/sessions/session-history.ts';
import { facts } from '../../model/words.ts';
import type { ConnectionId, Seq, FrameRef } from '../../trace/event.ts';

/** From an item of the session up to, not with, another. */
export interface SessionPiece {
  readonly is: 'lived' | StripPart['is'];
  readonly from: number;
  readonly to: number;
}

/** A message or a tool call of a row, at its place on the scale. */
export interface HubCell {
  readonly is: 'live' | ReplayCell['is'];
  /** The item of the session that it is; of an extra one, the item that it comes before. */
  readonly at: number;
  readonly kind?: CellKind;
  readonly words?: string;
  /** Of a live one, the frame; of a replayed one, its row in the comparison. */
  readonly frame?: Seq;
  readonly row?: number;
}

/** The items of the session, and at which of them its turns begin. */
export interface Scale {
  readonly items: number;
  /** As many as a strip has room for: where none was lived, those of the longest replay. */
  readonly room: number;
  readonly turns: readonly number[];
}

interface RowBase {
  readonly key: string;
  readonly connection: ConnectionId;
  /** A frame of it; absent: of none. */
  readonly seq?: Seq;
  /** Epoch milliseconds; of what has no time, that of what stands before it. */
  readonly at: number;
}

export interface LivedRow extends RowBase {
  readonly kind: 'lived';
  readonly cells: readonly HubCell[];
  readonly items: number;
  /** From its first frame to its last, where both have a time. */
  readonly took?: number;
  /** The first and the last turn of it, from 1; absent: it begins none. */
  readonly turns?: readonly [first: number, last: number];
  /** Its prompts, and how many were refused. */
  readonly words?: string;
}

export interface RestoreRow extends RowBase {
  readonly kind: 'restore';
  readonly restore: HubRestore;
  readonly pieces: readonly SessionPiece[];
  readonly cells: readonly HubCell[];
  /** As many items had been lived when it was asked for. */
  readonly known: number;
  readonly strip?: WindowStrip;
  readonly drift: readonly Drift[];
  /** Of the run that is open above it. */
  readonly inRun: boolean;
}

/** A run of ours: many restores, each on a connection of its own. */
export interface RunRow extends RowBase {
  readonly kind: 'run';
  readonly run: string;
  readonly title: string;
  readonly restores: readonly RestoreRow[];
  readonly open: boolean;
}

/** What a child session of the restored one came back as. */
interface ChildRow extends RowBase {
  readonly kind: 'child';
  readonly session: string;
  readonly told: WindowStrip['children'][number];
}

interface StartRow extends RowBase {
  readonly kind: 'start';
  readonly trace: TraceSummary;
  /** The version of the agent before it, where that is another. */
  readonly was?: string;
}

export type HubRow =
  | LivedRow
  | RestoreRow
  | RunRow
  | ChildRow
  | (RowBase & { readonly kind: 'event'; readonly event: SessionEvent })
  | StartRow
  | (RowBase & { readonly kind: 'stop'; readonly trace: TraceSummary });

export interface HubRows {
  readonly rows: readonly HubRow[];
  readonly scale: Scale;
}

interface Known {
  readonly hub: SessionHub;
  readonly strips: readonly WindowStrip[];
  readonly traces: readonly TraceSummary[];
  /** Runs whose restores are listed. */
  readonly opened: readonly string[];
}

export function hubRows({ hub, strips, traces, opened }: Known): HubRows {
  const places = new Places(hub.connections);
  const traceOf = new Map(traces.map((trace) => [trace.connection, trace]));
  const began = ({ connection }: { readonly connection: ConnectionId }) =>
    hub.connections.find((one) => one.connection === connection)?.began ??
    (Date.parse(traceOf.get(connection)?.startedAt ?? '') || 0);
  const restores = hub.restores.map((restore): RestoreRow => {
    const { connection, window } = restore;
    const isIt = (one: WindowStrip) =>
      one.connection === connection && one.request === window.request;
    const strip = strips.find(isIt);
    const parts = strip ? partsOf(strip, window) : restore.ofCopy ? ownOrder(window) : [];
    const drift = hub.events.find(
      (event) => event.connection === connection && event.seq === window.request,
    )?.drift;
    const known = places.before(connection, window.request);
    return {
      kind: 'restore',
      key: `r ${connection} ${window.id}`,
      ...{ connection, seq: window.request, at: restore.at ?? began(restore) },
      ...{ restore, known, pieces: places.pieces(parts, known) },
      cells: places.cells(strip?.cells ?? [], parts),
      ...(strip && { strip }),
      drift: drift ?? [],
      inRun: restore.run !== undefined,
    };
  });
  const single = restores.filter(({ restore }) => restore.run === undefined);
  const rows = [
    ...hub.connections.flatMap((one) => {
      const trace = traceOf.get(one.connection);
      return trace && trace.group === undefined ? ofConnection(one, trace, places, hub.events) : [];
    }),
    ...hub.events.filter(isOwnRow).flatMap((event): readonly HubRow[] => {
      const { connection, seq } = event;
      if (traceOf.get(connection)?.group !== undefined) return [];
      const at = began(event) + (event.at || 0);
      return [
        { kind: 'event', key: `e ${connection} ${seq} ${event.kind}`, connection, seq, at, event },
      ];
    }),
    ...single.flatMap((row) => [row, ...childrenOf(row)]),
    ...runsOf(restores, opened),
  ];
  const longest = Math.max(1, ...restores.flatMap(({ pieces }) => pieces.map(({ to }) => to)));
  const { items, turns } = places;
  return { rows: withChanges(inTime(rows)), scale: { items, turns, room: items || longest } };
}

function ofConnection(
  one: HubConnection,
  trace: TraceSummary,
  places: Places,
  events: readonly SessionEvent[],
): readonly HubRow[] {
  const { connection, began: startedAt } = one;
  const exit = trace.facts?.exit;
  const prompts = events.filter(
    (event) => event.connection === connection && event.kind === 'prompts',
  );
  const lived = one.stretches.flatMap((stretch, i): readonly LivedRow[] => {
    const [first] = stretch.items;
    if (first === undefined) return [];
    const next = one.stretches[i + 1]?.items[0] ?? Infinity;
    const prior = i === 0 ? 0 : first;
    const told = prompts.filter(({ seq }) => seq >= prior && seq < next);
    const all = told.reduce((sum, it) => sum + (it.prompts?.count ?? 0), 0);
    const refused = told.reduce((sum, it) => sum + (it.prompts?.refused ?? 0), 0);
    const from = places.of({ connection, seq: first });
    const to = from + stretch.items.length;
    const turns = places.turnsIn(from, to);
    return [
      {
        kind: 'lived',
        key: `l ${connection} ${first}`,
        ...{ connection, seq: first, at: stretch.at ?? startedAt },
        ...{ items: stretch.items.length },
        cells: stretch.items.map((frame, at) => ({
          ...{ is: 'live' as const, at: from + at, frame },
          ...defined({ kind: stretch.kinds[at] }),
        })),
        ...(turns && { turns }),
        ...(stretch.at !== undefined &&
          stretch.to !== undefined && { took: stretch.to - stretch.at }),
        ...(all > 0 && { words: facts(count(all, 'prompt'), refused > 0 && `${refused} refused`) }),
      },
    ];
  });
  return [
    { kind: 'start', key: `s ${connection}`, connection, at: startedAt, trace },
    ...lived,
    ...(exit && trace.state === 'ended'
      ? [
          {
            kind: 'stop' as const,
            key: `x ${connection}`,
            ...{ connection, seq: exit.seq, at: one.ended ?? one.to ?? startedAt, trace },
          },
        ]
      : []),
  ];
}

/** A start says where the agent is another than before. */
function withChanges(rows: readonly HubRow[]): readonly HubRow[] {
  let before: string | undefined;
  return rows.map((row) => {
    if (row.kind !== 'start') return row;
    const was = before;
    const now = row.trace.facts?.handshake?.agent?.version;
    before = now ?? was;
    return was === undefined || now === undefined || was === now ? row : { ...row, was };
  });
}

/**
 * How many restores of a run came out better than the same ones of the run before, and how many worse.
 * If the session has grown between the two, they restored different things and are not compared. `rank`: the lower, the
 * better; undefined: unknown.
 */
export function changesOf(
  run: RunRow,
  rows: readonly HubRow[],
  rank: (row: RestoreRow) => number | undefined,
): { readonly better: number; readonly worse: number } {
  const earlier = rows.filter(
    (row) => row.kind === 'run' && row.key !== run.key && row.at < run.at,
  );
  const before = earlier.at(-1);
  const found = { better: 0, worse: 0 };
  if (before?.kind !== 'run') return found;
  for (const one of run.restores) {
    const isSame = ({ restore }: RestoreRow) => restore.run?.label === one.restore.run?.label;
    const other = before.restores.find(isSame);
    if (other?.known !== one.known) continue;
    const [now, then] = [rank(one), rank(other)];
    if (now === undefined || then === undefined || now === then) continue;
    found[now < then ? 'better' : 'worse']++;
  }
  return found;
}

function partsOf(
  { parts, unjudged }: WindowStrip,
  window: HubRestore['window'],
): WindowStrip['parts'] {
  return unjudged && parts.length === 0 ? ownOrder(window) : parts;
}

/** What came where nothing of it could be held against what was lived. */
function ownOrder({ messages, tools }: HubRestore['window']): WindowStrip['parts'] {
  const items = messages + tools;
  return items > 0 ? [{ is: 'replayed', items }] : [];
}

/** What is no prompt and no restore. */
function isOwnRow({ kind }: SessionEvent): boolean {
  return kind !== 'prompts' && kind !== 'load' && kind !== 'resume';
}

function childrenOf({ connection, at, key, strip }: RestoreRow): readonly ChildRow[] {
  return (strip?.children ?? []).map((told) => ({
    kind: 'child',
    key: `${key} ${told.session}`,
    ...{ connection, at, session: told.session, told },
  }));
}

function runsOf(restores: readonly RestoreRow[], opened: readonly string[]): readonly HubRow[] {
  const runs = new Map<string, RestoreRow[]>();
  for (const row of restores) {
    const run = row.restore.run?.id;
    if (run !== undefined) runs.set(run, [...(runs.get(run) ?? []), row]);
  }
  return [...runs].flatMap(([run, of]): readonly HubRow[] => {
    const [first] = of;
    if (!first) return [];
    const { connection, at, restore } = first;
    const open = opened.includes(run);
    const title = restore.run?.title ?? '';
    const head: RunRow = {
      kind: 'run',
      key: `v ${run}`,
      connection,
      at,
      run,
      title,
      open,
      restores: of,
    };
    // They follow it, whatever began meanwhile.
    return [head, ...(open ? of.map((row) => ({ ...row, at })) : [])];
  });
}

/** Rows of one time stay as they are: what follows from one stands below it. */
function inTime(rows: readonly HubRow[]): readonly HubRow[] {
  return rows.toSorted((a, b) => a.at - b.at);
}

/** Where a frame's item stands among the items of the session. */
class Places {
  /** How many items were lived, and at which of them turns begin. */
  readonly items: number;
  readonly turns: readonly number[];
  /** Of each connection: the first frame of each item, and the place of the first. */
  readonly #items = new Map<
    ConnectionId,
    { readonly from: number; readonly items: readonly Seq[] }
  >();

  constructor(connections: readonly HubConnection[]) {
    let count = 0;
    const turns: number[] = [];
    for (const { connection, stretches } of connections) {
      const items = stretches.flatMap((stretch) => stretch.items);
      this.#items.set(connection, { from: count, items });
      for (const turn of stretches.flatMap((stretch) => stretch.turns))
        turns.push(count + items.indexOf(turn));
      count += items.length;
    }
    this.items = count;
    this.turns = turns;
  }

  /** Of a frame within an item, that item's. */
  of({ connection, seq }: FrameRef): number {
    const { from, items } = this.#items.get(connection) ?? { from: 0, items: [] };
    const at = items.findLastIndex((first) => first <= seq);
    return from + Math.max(0, at);
  }

  /** How many items were lived before this frame. */
  before(connection: ConnectionId, seq: Seq): number {
    const { from, items } = this.#items.get(connection) ?? { from: this.items, items: [] };
    return from + items.filter((first) => first < seq).length;
  }

  turnsIn(from: number, to: number): LivedRow['turns'] {
    const { turns } = this;
    const first = turns.findIndex((at) => at >= from && at < to);
    const last = turns.findLastIndex((at) => at >= from && at < to);
    return first < 0 ? undefined : [first + 1, last + 1];
  }

  /** One cell for each compared item; `parts`: what is known of the others, by number alone. */
  cells(cells: readonly ReplayCell[], parts: readonly StripPart[]): readonly HubCell[] {
    if (cells.length === 0)
      return parts
        .flatMap(({ is, items }) => Array.from({ length: items }, () => is))
        .map((is, at) => ({ is: is === 'replayed' ? 'unknown' : is, at }));
    const isUnknown = cells.every(({ live }) => live === undefined);
    let next = 0;
    return cells.map(({ live, ...cell }, order) => {
      const at = isUnknown ? order : live ? this.of(live) : next;
      next = at + (live ? 1 : 0);
      return { ...cell, at };
    });
  }

  /** Where no live part is known, in the replay's own order from the start. */
  pieces(parts: readonly StripPart[], known: number): readonly SessionPiece[] {
    const all = parts.reduce((sum, { items }) => sum + items, 0);
    const isUnknown = parts.every(({ from }) => from === undefined);
    let came = 0;
    return parts.flatMap(({ is, items, from, to }): readonly SessionPiece[] => {
      const start = came;
      came += items;
      if (isUnknown) {
        const most = known || this.items || all;
        const room = Math.min(1, most / all);
        return [{ is, from: start * room, to: came * room }];
      }
      return from && to ? [{ is, from: this.of(from), to: this.of(to) + 1 }] : [];
    });
  }
}
