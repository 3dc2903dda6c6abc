// What was said live of a session, over every connection it was on, in the order of its traces. A
// restore adds nothing to it: history that an agent sends again is left out, what it says of the
// settings counts.
import { isRunning } from '../facts/children.ts';
import { isYes } from '../../acp/gate.ts';
import { nearestVersion } from '../../acp/handshake.ts';
import { str } from '../../acp/json.ts';
import { updateOf } from '../../acp/update.ts';
import { rulingAt } from '../restore/rulings.ts';
import { windowIdOf, LiveFold, toldChild, type LivePart } from './live-fold.ts';
import type { Numbering } from './numbering.ts';
import { grouped } from '../../lib/grouped.ts';
import { hasGap, type IndexedTrace } from '../indexed-trace.ts';
import type { NormalItem } from '../replay/normal-form.ts';
import { SaidBefore } from '../replay/judge.ts';
import { orderOf, type NamingTraces, type TraceOrder } from '../replay/trace-order.ts';
import { saidBy } from '../timeline/digest.ts';
import type { WindowRecord } from '../timeline/replay-windows.ts';
import { askedToolCall } from '../facts/permission.ts';

const SLICE = 256;

interface Step {
  readonly source: IndexedTrace;
  readonly place: number;
  readonly at: number;
}

/** The live parts of a session as they were when each restore of it was asked for. */
export class LiveParts {
  readonly #sources: readonly IndexedTrace[];
  readonly #numbering: Numbering;
  readonly #kin: Kin;
  /** By session and by the trace that made it; undefined while it is being made. */
  readonly #known = new Map<string, ReadonlyMap<string, LivePart> | undefined>();
  readonly #gaps = new Map<IndexedTrace, boolean>();
  readonly #orders = new Map<string, NamingTraces>();
  /** By trace: where each child is announced. */
  readonly #announced = new Map<IndexedTrace, ReadonlyMap<string | undefined, readonly number[]>>();
  readonly #windows = new Map<IndexedTrace, ReadonlyMap<string, readonly WindowRecord[]>>();

  constructor(sources: readonly IndexedTrace[], numbering: Numbering, kin: Kin) {
    this.#sources = sources;
    this.#numbering = numbering;
    this.#kin = kin;
  }

  /**
   * What was known live before this window of the session it was asked for, or of a child of it.
   * Pauses now and then.
   */
  *before(
    source: IndexedTrace,
    window: WindowRecord,
    sessionId = source.index.session(window.request)?.sessionId,
  ): Generator<undefined, LivePart | undefined> {
    if (sessionId === undefined) return undefined;
    return (yield* this.#of(sessionId, source))?.get(windowIdOf(source, window));
  }

  /** The traces that name the session and are surely older than this one. */
  earlier(source: IndexedTrace, sessionId: string): readonly IndexedTrace[] {
    const { sources, isSure } = this.orderOf(sessionId, source);
    return sources
      .slice(0, Math.max(0, sources.indexOf(source)))
      .filter((other) => isSure(other, source));
  }

  /** Whose live part is made of which traces, in order, as `mine` sees it: of traces that made the session it is held against itself, else against the oldest. */
  orderOf(
    sessionId: string,
    mine: IndexedTrace,
  ): TraceOrder & { readonly maker: IndexedTrace | undefined } {
    const { sources, isSure, makers } = this.#namingOf(sessionId);
    const maker = makers.includes(mine) ? mine : makers[0];
    const once = sources.filter((source) => source === maker || !makers.includes(source));
    return { sources: once, isSure, maker };
  }

  #namingOf(sessionId: string): NamingTraces {
    const known = this.#orders.get(sessionId);
    if (known) return known;
    const naming = this.#sources.filter(({ index }) => names(index, sessionId));
    const order = orderOf(naming, sessionId);
    this.#orders.set(sessionId, order);
    return order;
  }

  *#of(
    sessionId: string,
    mine: IndexedTrace,
  ): Generator<undefined, ReadonlyMap<string, LivePart> | undefined> {
    const above = this.#kin.above(sessionId);
    const order = this.orderOf(above.at(-1) ?? sessionId, mine);
    const key = `${order.maker?.connection} ${sessionId}`;
    if (this.#known.has(key)) return this.#known.get(key);
    this.#known.set(key, undefined);
    const forkedFrom = yield* this.#forkedFrom(sessionId);
    const isRootWhole = yield* this.#isWhole(above.at(-1), mine);
    const facts = { isSure: order.isSure, hasGap: (one: IndexedTrace) => this.#hasGap(one) };
    const fold = new LiveFold(sessionId, this.#numbering, facts, forkedFrom, isRootWhole);
    let count = 0;
    const steps = this.#stepsIn(order, sessionId, above);
    // A restore is compared with what was live before it: nothing after the last restore counts.
    const last = steps.findLastIndex(
      ({ source, place }) => source.index.window(place)?.request === place,
    );
    for (const { source, place } of steps.slice(0, last + 1)) {
      fold.take(source, place);
      if (++count % SLICE === 0) yield;
    }
    this.#known.set(key, fold.parts);
    return fold.parts;
  }

  #hasGap(source: IndexedTrace): boolean {
    const known = this.#gaps.get(source) ?? hasGap(source);
    this.#gaps.set(source, known);
    return known;
  }

  /** Before one of its restores its beginning was seen. */
  *#isWhole(sessionId: string | undefined, mine: IndexedTrace): Generator<undefined, boolean> {
    const parts = sessionId === undefined ? undefined : yield* this.#of(sessionId, mine);
    return [...(parts?.values() ?? [])].some(({ whole }) => whole);
  }

  /** A fork begins with what its source was. Where in the source a cursor stands no frame proves. */
  *#forkedFrom(sessionId: string): Generator<undefined, LivePart | undefined> {
    const fork = this.forkOf(sessionId);
    return fork && !isAtCursor(...fork) ? yield* this.before(...fork) : undefined;
  }

  /** The restore that made the session as a fork of another, and its trace. */
  forkOf(sessionId: string): readonly [source: IndexedTrace, window: WindowRecord] | undefined {
    for (const source of this.#sources)
      for (const window of this.windowsOf(source, sessionId))
        if (window.method === 'session/fork') return [source, window];
    return undefined;
  }

  /** The restores of a session in a trace, and the forks that made it, oldest first. */
  windowsOf(source: IndexedTrace, sessionId: string): readonly WindowRecord[] {
    const windows =
      this.#windows.get(source) ??
      grouped(source.index.windowRecords, ({ session }) => session.sessionId);
    this.#windows.set(source, windows);
    return windows.get(sessionId) ?? [];
  }

  #stepsIn({ sources }: TraceOrder, sessionId: string, above: readonly string[]): Step[] {
    const steps = sources.flatMap((source) => this.#stepsOf(source, sessionId, above));
    return sources.every(({ began }) => began !== undefined)
      ? steps.sort((a, b) => a.at - b.at)
      : steps;
  }

  /** Of a child also what its parent's transcript tells of it, and the restores of those above it. */
  #stepsOf(source: IndexedTrace, sessionId: string, above: readonly string[]): Step[] {
    const { index, began = 0 } = source;
    const session = index.sessionNamed(sessionId);
    const own = session ? index.columns.placesOf(session.index) : [];
    const restores = above
      .flatMap((one) => this.windowsOf(source, one))
      .filter(({ method }) => method !== 'session/fork')
      .map(({ request }) => request);
    const announced = above.length > 0 ? this.#announcedIn(source).get(sessionId) : undefined;
    return [...new Set([...own, ...restores, ...(announced ?? [])])]
      .sort((a, b) => a - b)
      .map((place) => ({ source, place, at: began + index.columns.at.get(place) }));
  }

  #announcedIn(source: IndexedTrace): ReadonlyMap<string | undefined, readonly number[]> {
    const known =
      this.#announced.get(source) ??
      grouped(Array(source.index.length).keys(), (place) => toldChild(source, place)?.sessionId);
    this.#announced.set(source, known);
    return known;
  }
}

/** True if a fork was asked for at a cursor of its source, so that it need not have what came later. */
function isAtCursor({ eventAt }: IndexedTrace, { request }: WindowRecord): boolean {
  const message = saidBy(eventAt(request));
  return message?.kind === 'request' && str(message.params, 'cursorId') !== undefined;
}

function names(index: IndexedTrace['index'], sessionId: string): boolean {
  return index.sessionNamed(sessionId)?.seen === true;
}

// Child sessions over all traces: whose they are, wherever they were announced; and which traces take
// children at all, without which an agent tells what a child did as a tool call of its parent.

export class Kin {
  readonly #parents = new Map<string, string>();
  readonly #atWork = new Set<string>();

  constructor(sources: readonly IndexedTrace[]) {
    for (const { index } of sources)
      for (const { session, parent, past, now } of index.children.all()) {
        const isNew = this.#add(session.sessionId, parent.sessionId);
        if (isNew && isRunning(past ?? now)) this.#atWork.add(session.sessionId);
      }
  }

  /** It still worked when the trace that lived it ended: its agent may well miss some of it. */
  wasCut(sessionId: string): boolean {
    return this.#atWork.has(sessionId);
  }

  parentOf(sessionId: string): string | undefined {
    return this.#parents.get(sessionId);
  }

  /** The sessions that own it, the nearest first. */
  above(sessionId: string): readonly string[] {
    const found: string[] = [];
    for (let at = this.parentOf(sessionId); at !== undefined; at = this.parentOf(at))
      found.push(at);
    return found;
  }

  /** Those it owns, and theirs, in the order they were announced. */
  below(sessionId: string): readonly string[] {
    const by = grouped(this.#parents, ([, parent]) => parent);
    const found = new Set([sessionId]);
    // A set that grows is gone through to its new end.
    for (const one of found) for (const [child] of by.get(one) ?? []) found.add(child);
    return [...this.#parents].flatMap(([child, parent]) => (found.has(parent) ? [child] : []));
  }

  /** The first trace that announces a child says whose it is. */
  #add(child: string, parent: string): boolean {
    const isOdd = parent === child || this.above(parent).includes(child);
    if (this.#parents.has(child) || isOdd) return false;
    this.#parents.set(child, parent);
    return true;
  }
}

/** v1: the client said that it takes child sessions. In v2 all do. */
export function takesChildren({ index }: IndexedTrace): boolean {
  if (nearestVersion(index.version) === 2) return true;
  return isYes(index.handshake?.clientCapabilities['subagents']);
}

// Everything that was said live of one item, read again from the frames, and only where fields differ.

/** Finds what was said of a tool call, in the live frames of all traces. */
export type SaidOf = (tool: NormalItem) => SaidBefore;

export function saidOf(sources: readonly IndexedTrace[]): SaidOf {
  /** By trace: the places of each item, by its id. */
  const placesIn = new Map<IndexedTrace, ReadonlyMap<number, readonly number[]>>();
  return ({ first, last, id }) => {
    const said = new SaidBefore();
    for (const source of sources) {
      const { index, eventAt, connection } = source;
      if (connection !== first.connection && connection !== last.connection) continue;
      const ref = connection === first.connection ? first : last;
      const item = index.columns.item.get(index.indexOf(ref.seq));
      const places = placesIn.get(source) ?? itemPlaces(source);
      placesIn.set(source, places);
      for (const place of places.get(item) ?? []) {
        if (index.window(place)) continue;
        const message = saidBy(eventAt(place));
        if (message?.kind !== 'notification' && message?.kind !== 'request') continue;
        const { params } = message;
        const tool = askedToolCall(params);
        const value = updateOf(params)?.update ?? tool;
        if (str(value, 'toolCallId') !== id) continue;
        said.take(value);
        if (message.kind === 'request')
          said.isRefused = rulingAt(source, place, params) !== 'approved';
      }
    }
    return said;
  };
}

function itemPlaces({ index: { columns, length } }: IndexedTrace): Map<number, number[]> {
  const places = Array.from({ length }, (_, place) => place);
  const spoken = places.filter((place) => columns.item.get(place) > 0);
  return grouped(spoken, (place) => columns.item.get(place));
}
