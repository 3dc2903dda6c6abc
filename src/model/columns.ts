// What is known of each event, in columns of numbers: about 40 bytes an event and no objects.
import { leading } from '../lib/list-window.ts';
import { Interner } from '../lib/interner.ts';
import { float64, int32, narrow, uint32, uint8 } from '../lib/growable.ts';
import { known, millis, NO_TIME, type Millis } from '../lib/time.ts';
import { isMember, type Origin, type Seq, type Side, type TraceEvent } from '../trace/event.ts';

/** The kinds of rows, in three letters. `evt` = start, exit, gap, mark. */
export const KINDS = ['req', 'res', 'err', 'ntf', 'bad', 'std', 'evt'] as const;
export type RowKind = (typeof KINDS)[number];

const SIDES: readonly (Side | undefined)[] = [undefined, 'client', 'agent'];
export const ORIGINS: readonly Origin[] = ['peer', 'composer', 'script', 'rerun', 'intercept'];

/** Codes of KINDS, for comparing without strings. */
export const REQ = 0;
export const RES = 1;
export const ERR = 2;
export const NTF = 3;
export const BAD = 4;
export const STD = 5;
export const EVT = 6;

export const CLIENT = 1;
export const AGENT = 2;

/** Bits of the column `flags`. */
export const FLAG = {
  /** History replay: sent inside a replay window of its session. */
  replay: 1,
  /** History that came after the answer of its window. */
  late: 2,
  cut: 4,
  /** The session is known from context only. */
  inferred: 8,
  /** A `session/update`: `name` is its variant. */
  update: 16,
  /** An answer to no open request. */
  orphan: 32,
  /** A request whose id was already waiting for an answer. */
  reusedId: 64,
  /** A request of an intercept's own: its answer came, and was kept from the other side. */
  kept: 128,
  /** An intercept wrote it, or held, delayed or moved it. */
  intercepted: 256,
  /** A request that the transport could not hand over: nobody waits for an answer. */
  refused: 512,
  /** One message of an array, whose line has a place before it. */
  member: 1024,
  /** The frame that ended a turn, as facts/turns.ts says. */
  turnEnd: 2048,
} as const;

/** What an event says of itself. */
function flagsOf(event: TraceEvent): number {
  const isCut = (event.type === 'frame' || event.type === 'stderr') && event.cut === true;
  const isIntercepted =
    event.type === 'frame' && (event.of !== undefined || event.origin === 'intercept');
  return (
    (isCut ? FLAG.cut : 0) |
    (isIntercepted ? FLAG.intercepted : 0) |
    (isMember(event) ? FLAG.member : 0)
  );
}

/** Columns that point somewhere hold the number plus one, so that 0 is "nowhere". */
export class Columns {
  /** Texts of the column `name`. */
  readonly names = new Interner();
  /** Texts of the columns `tool`, `id` and `status`; 0 is none. */
  readonly toolKinds = new Interner();
  readonly ids = new Interner();
  readonly statuses = new Interner();

  /** `NO_TIME` where the trace has none. */
  readonly at = float64();
  readonly seq = uint32();
  readonly kind = uint8();
  readonly side = uint8();
  readonly origin = uint8();
  readonly flags = narrow();
  /** Interned: the method (of an answer, its request's), the update's variant, or the event. */
  readonly name = narrow();
  readonly session = narrow();
  readonly size = narrow();
  /** The other frame of the exchange, or -1. */
  readonly partner = int32();
  /** The replay window it belongs to: its request, answer, replayed and late frames. */
  readonly window = narrow();
  readonly run = narrow();
  /** The event that first spoke of the same message, tool call, terminal or plan. */
  readonly item = uint32();
  /** Interned ACP tool kind. */
  readonly tool = narrow();
  /** Interned: asking side and exact token of a request or an answer, as `→2`. */
  readonly id = narrow();
  /** Interned: the status or state that an update tells. */
  readonly status = narrow();
  /** The turn it belongs to, from 1, as facts/turns.ts numbers them; 0: none. */
  readonly turn = narrow();
  /** The places of each number in the column `session`, read as far as they were asked for. */
  readonly #bySession = new Map<number, number[]>();
  #read = 0;

  constructor() {
    for (const texts of [this.toolKinds, this.ids, this.statuses]) texts.of('');
  }

  get length(): number {
    return this.at.length;
  }

  push(event: TraceEvent, kind: number, name: string, size: number): void {
    const frame = event.type === 'frame' ? event : undefined;
    this.at.push(event.at ?? NO_TIME);
    this.seq.push(event.seq);
    this.kind.push(kind);
    this.side.push(frame ? SIDES.indexOf(frame.from) : 0);
    this.origin.push(frame ? ORIGINS.indexOf(frame.origin) : 0);
    this.size.push(size);
    this.partner.push(-1);
    this.flags.push(flagsOf(event));
    this.name.push(this.names.of(name));
    this.session.push(0);
    this.window.push(0);
    this.run.push(0);
    this.item.push(0);
    this.tool.push(0);
    this.id.push(0);
    this.status.push(0);
    this.turn.push(0);
  }

  has(index: number, flag: number): boolean {
    return (this.flags.get(index) & flag) !== 0;
  }

  raise(index: number | undefined, flag: number): void {
    if (index === undefined) return;
    this.flags.set(index, this.flags.get(index) | flag);
  }

  kindOf(index: number): RowKind {
    return KINDS[this.kind.get(index)] ?? 'evt';
  }

  /** Absent for stderr and events. */
  fromOf(index: number): Side | undefined {
    return SIDES[this.side.get(index)];
  }

  nameOf(index: number): string {
    return this.names.text(this.name.get(index));
  }

  timeOf(index: number): Millis {
    return this.at.get(index) as Millis;
  }

  seqOf(index: number): Seq {
    return this.seq.get(index) as Seq;
  }

  /** Undefined: there is none, or not yet. */
  partnerOf(index: number): number | undefined {
    const partner = this.partner.get(index);
    return partner < 0 ? undefined : partner;
  }

  /** Between the two frames of an exchange; undefined where there is one alone, or no time. */
  latencyOf(index: number): Millis | undefined {
    const partner = this.partner.get(index);
    if (partner < 0) return undefined;
    return known(millis(Math.abs(this.at.get(partner) - this.at.get(index))));
  }

  /** Returns the places of the frames of a session, ascending. `session`: its place among the sessions. */
  placesOf(session: number): readonly number[] {
    for (; this.#read < this.length; this.#read++) {
      const number = this.session.get(this.#read);
      const places = this.#bySession.get(number);
      if (places) places.push(this.#read);
      else if (number > 0) this.#bySession.set(number, [this.#read]);
    }
    return this.#bySession.get(session + 1) ?? [];
  }

  /** Yields the places that `placesOf` returns, from `from` on. */
  *placesFrom(session: number, from: number): Generator<number> {
    const places = this.placesOf(session);
    let at = leading(places.length, (one) => (places[one] ?? from) < from);
    for (let place = places[at]; place !== undefined; place = places[++at]) yield place;
  }

  /** Place of the event with this seq, or -1. */
  indexOf(wanted: number): number {
    const place = this.placeFrom(wanted);
    return place < this.length && this.seq.get(place) === wanted ? place : -1;
  }

  /** Place of the first event with this seq or a greater one; `length` if there is none. */
  placeFrom(wanted: number): number {
    return leading(this.length, (place) => this.seq.get(place) < wanted);
  }
}
