// The connections the relay has: each is loaded from the database, then followed from where the
// database ends. What the link brings goes into its trace; what the database has is acknowledged.
import type { Driving } from '../connections/driving.ts';
import { newTrace, type Catalog } from '../library/catalog.ts';
import type { Intake } from './intake.ts';
import type { OpenTrace } from './open-trace.ts';
import type { OpenTraces } from './open-traces.ts';
import type { Writer } from './writer.ts';
import { count } from '../../lib/format.ts';
import type { EventsMessage } from '../../link/events.ts';
import type { ConnectionInfo, PageCommand } from '../../link/messages.ts';
import { seq, type ConnectionId, type Seq } from '../../trace/event.ts';

interface LiveParts {
  readonly catalog: Catalog;
  readonly traces: OpenTraces;
  readonly intake: Intake<OpenTrace>;
  readonly writer: Writer;
  readonly driving: Driving;
  send(command: PageCommand): boolean;
  /** A connection nobody here started began after the page came. */
  appeared(connection: ConnectionId): void;
  news(text: string): void;
}

export class Live {
  readonly #parts: LiveParts;
  /** Followed on the present link. */
  readonly #followed = new Set<ConnectionId>();
  readonly #acked = new Map<ConnectionId, Seq>();
  /** Deleted by a person: what the relay still says of them, now or once there is a link again, is not heard. */
  readonly #forgotten = new Set<ConnectionId>();
  readonly #catchUp = new CatchUp();
  #tool = '';
  #wasLost = false;
  /** Counts links, so that work begun on one does not go on with the next. */
  #link = 0;
  #welcomed = false;

  constructor(parts: LiveParts) {
    this.#parts = parts;
  }

  async welcome(version: string, connections: readonly ConnectionInfo[]): Promise<void> {
    this.#tool = `acp-scope ${version}`;
    this.#forgetLink();
    const here = new Set(connections.map(({ id }) => id));
    for (const { id } of this.#parts.catalog.allLive()) if (!here.has(id)) this.gone(id);
    const link = this.#link;
    await Promise.all(connections.map((info) => this.#follow(info)));
    if (link !== this.#link) return;
    this.#welcomed = true;
    this.#lookCaughtUp();
  }

  /** New, or changed. */
  async connection(info: ConnectionInfo): Promise<void> {
    const isNew = this.#parts.catalog.live(info.id) === undefined;
    await this.#follow(info);
    // Only now can it be looked at.
    if (isNew && info.mode === 'tap' && info.state === 'running') this.#parts.appeared(info.id);
  }

  gone(connection: ConnectionId): void {
    this.#parts.catalog.leave(connection);
    this.#parts.driving.leave(connection);
    this.#followed.delete(connection);
  }

  events({ connection, bytes }: EventsMessage): void {
    const trace = this.#parts.traces.get(connection);
    if (trace && this.#followed.has(connection)) void this.#parts.intake.add(trace, bytes);
  }

  /** A slice of this trace is in. */
  grown(trace: OpenTrace): void {
    if (!this.#followed.has(trace.connection)) return;
    this.#parts.writer.wake();
    if (this.#catchUp.reached(trace)) {
      this.#parts.driving.current(trace.connection);
      this.#lookCaughtUp();
    }
  }

  /** The database, of whichever tab, has everything up to `last`. */
  stored(connection: ConnectionId, last: Seq): void {
    const trace = this.#parts.traces.get(connection);
    if (!trace || !this.#followed.has(connection)) return;
    const upTo = seq(Math.min(last, trace.last));
    if (upTo <= (this.#acked.get(connection) ?? 0)) return;
    this.#acked.set(connection, upTo);
    this.#parts.send({ type: 'ack', connection, seq: upTo });
  }

  /** The database has lost the whole trace: it is put there again, unless a person deleted it. */
  async addAgain(connection: ConnectionId): Promise<boolean> {
    const { catalog } = this.#parts;
    const info = catalog.live(connection);
    if (!info || !catalog.get(connection)) return false;
    return (await catalog.add(newTrace(info, this.#tool))) !== undefined;
  }

  lost(): void {
    this.#wasLost = true;
    this.#forgetLink();
    this.#parts.driving.pause();
  }

  /** The relay that had them is gone for good. */
  over(): void {
    for (const { id } of this.#parts.catalog.allLive()) this.gone(id);
  }

  /** The person deleted it: the relay need not keep it either. */
  forget(connection: ConnectionId): void {
    this.#parts.writer.drop(connection);
    this.#parts.traces.close(connection);
    if (!this.#parts.catalog.live(connection)) return;
    this.gone(connection);
    this.#forgotten.add(connection);
    this.#parts.send({ type: 'forget', connection });
  }

  async #follow(info: ConnectionInfo): Promise<void> {
    const { catalog, traces, writer, driving } = this.#parts;
    const connection = info.id;
    const link = this.#link;
    if (this.#forgotten.has(connection))
      return void this.#parts.send({ type: 'forget', connection });
    await Promise.all([traces.ready(), driving.ready()]);
    const stored = await catalog.follow(info, this.#tool);
    if (
      link !== this.#link ||
      this.#followed.has(connection) ||
      !stored ||
      catalog.isDeleted(connection)
    )
      return;
    this.#followed.add(connection);
    // Ended, and all of it is here: to follow from its end says so to the relay.
    if (info.state === 'ended' && info.last > 0 && stored.last >= info.last) {
      this.#parts.send({ type: 'follow', connection, after: info.last });
      return;
    }
    const isDriven = info.mode === 'drive' && info.state === 'running';
    const { trace, loaded } = traces.open(connection);
    if (isDriven) {
      driving.attach(trace);
      await driving.recall(connection);
    }
    await loaded;
    if (link !== this.#link) return;
    writer.add(trace, stored.last);
    this.#catchUp.wait(trace, info.last);
    // From where the database ends, not memory: the relay takes it for an acknowledgement.
    const after = catalog.get(connection)?.last ?? stored.last;
    this.#parts.send({ type: 'follow', connection, after });
    if (this.#catchUp.reached(trace)) driving.current(connection);
  }

  #lookCaughtUp(): void {
    const caught = this.#wasLost && this.#welcomed ? this.#catchUp.result() : undefined;
    if (!caught) return;
    this.#wasLost = false;
    const { frames, missing } = caught;
    // Nothing was said meanwhile: that the link is back is seen without a word.
    if (frames === 0 && missing === 0) return;
    const words = missing === 0 ? 'none lost' : `${missing} missing, marked as gaps`;
    this.#parts.news(`Caught up: ${count(frames, 'frame')}, ${words}.`);
  }

  #forgetLink(): void {
    this.#link++;
    this.#welcomed = false;
    this.#followed.clear();
    this.#acked.clear();
    this.#catchUp.clear();
  }
}

// How far the frames are behind what the relay had when it was asked: until then they are past.

interface Waiting {
  readonly target: Seq;
  readonly events: number;
  readonly holes: number;
}

class CatchUp {
  readonly #waiting = new Map<ConnectionId, Waiting>();
  #frames = 0;
  #missing = 0;

  /** `target`: the newest event the relay has now. */
  wait(trace: OpenTrace, target: Seq): void {
    const { connection, index, missing } = trace;
    this.#waiting.set(connection, { target, events: index.length, holes: missing });
  }

  /** True once for each trace: the past is known. */
  reached(trace: OpenTrace): boolean {
    const waiting = this.#waiting.get(trace.connection);
    if (!waiting || trace.last < waiting.target) return false;
    this.#waiting.delete(trace.connection);
    this.#frames += trace.index.length - waiting.events;
    this.#missing += trace.missing - waiting.holes;
    return true;
  }

  /** All have caught up: events that came, and those that could not. */
  result(): { readonly frames: number; readonly missing: number } | undefined {
    if (this.#waiting.size > 0) return undefined;
    return { frames: this.#frames, missing: this.#missing };
  }

  clear(): void {
    this.#waiting.clear();
    this.#frames = 0;
    this.#missing = 0;
  }
}
