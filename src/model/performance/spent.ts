// Where the time of a trace went: to the agent, to a person who was asked, to the client, to restores, or
// to nobody. And of each turn: when its first piece came, how long a person was waited for, and where
// it stalled. One pass over the columns; replayed history is no sign of work.
import { known, millis, type Millis } from '../../lib/time.ts';
import type { Seq } from '../../trace/event.ts';
import { AGENT, CLIENT, ERR, EVT, FLAG, REQ, RES } from '../columns.ts';
import type { TurnEnd } from '../facts/turns.ts';
import { itemKindOf } from '../facts/variants.ts';
import { asleepBetween } from '../facts/sleeps.ts';
import type { SessionRecord } from '../facts/sessions.ts';
import { SILENCE } from '../timeline/density.ts';
import type { TraceIndex } from '../trace-index.ts';
import { answererOf } from './methods.ts';

/** Who was waited for; each moment of the trace counts once, for the first of these that holds. */
export const SPENT = ['asleep', 'person', 'client', 'restore', 'agent', 'idle'] as const;
export type Spent = Readonly<Record<(typeof SPENT)[number], Millis>>;

/** Silence of a session in which the agent was at work and waited for nobody. */
export interface Stall {
  readonly length: Millis;
  readonly after: Seq;
  readonly endedBy: Seq;
  /** `S1`; of the frame that ended it. */
  readonly session: string;
  /** The frames before and after the silence: a method, the variant of an update, or `response to` a method. */
  readonly afterName: string;
  readonly name: string;
}

export interface TurnTimes {
  /** From where the turn began, as `took`, to the first piece of a message, thought or tool call; 0: it came before. */
  readonly toFirst: Millis | undefined;
  /** While a person was asked, and while the client had something to do for the agent. */
  readonly person: Millis;
  readonly client: Millis;
  readonly stalls: number;
  readonly stalled: Millis;
}

export interface TimeStretch {
  readonly from: number;
  readonly to: number;
}

interface SpentTimes {
  readonly spent: Spent;
  /** As the turns were given. */
  readonly turns: readonly TurnTimes[];
  /** The longest, longest first; and how many there are. */
  readonly stalls: readonly Stall[];
  readonly stallCount: number;
  /** The longest stretches in which nobody was waited for, in the order of the trace. */
  readonly idle: readonly TimeStretch[];
}

const MOST_STALLS = 20;
const MOST_IDLE = 48;
/** Shorter ones are no gap to anybody. */
const LEAST_IDLE = 1000;

interface Active {
  /** Where it began. A prompt may have waited before: silences count from there. */
  readonly began: number;
  readonly place: number;
  toFirst: number | undefined;
  person: number;
  client: number;
  stalls: number;
  stalled: number;
}

/** A session with the children it owns. */
interface Lane {
  readonly turns: Set<Active>;
  /** Open requests of the agent. */
  person: number;
  client: number;
  last: number;
}

export function spentTimes(index: TraceIndex, ends: readonly TurnEnd[]): SpentTimes {
  const { columns } = index;
  const lanes = lanesOf(index);
  const turns = plan(index, ends);
  const windows = windowSteps(index);
  const totals = { asleep: 0, person: 0, client: 0, restore: 0, agent: 0, idle: 0 };
  const open = { agent: 0, person: 0, client: 0 };
  const running = new Map<Active, Lane>();
  /** By the number of their session: turns that nothing ended, or not yet. */
  const unended = new Map<number, number>();
  const ended = new Set(ends.map(({ number }) => number));
  const stalls = new Longest<Stall>(MOST_STALLS, ({ length }) => length);
  const idle = new Longest<TimeStretch>(MOST_IDLE, ({ from, to }) => to - from);
  const isWork = columns.names.all.map((name) => WORK.has(itemKindOf(name) ?? 'user'));
  let restores = 0;
  let exit = -1;
  let now: number | undefined;
  let quiet: number | undefined;

  const state = (): keyof Spent => {
    if (open.person > 0) return 'person';
    if (open.client > 0) return 'client';
    if (restores > 0) return 'restore';
    return running.size + unended.size + open.agent > 0 ? 'agent' : 'idle';
  };
  /** Gives the time until `to` to whom it belongs. */
  const pass = (to: number): void => {
    const span = now === undefined ? 0 : to - now;
    if (now !== undefined && span > 0) {
      const at = state();
      totals[at] += span;
      if (at === 'idle') quiet ??= now;
      for (const [turn, lane] of running) {
        if (lane.person > 0) turn.person += span;
        else if (lane.client > 0) turn.client += span;
      }
    }
    if (now === undefined || to > now) now = to;
  };

  /** Nothing ran in the last `counted` of the time until `to`. */
  const sleep = (counted: number, to: number): void => {
    pass(to - counted);
    const span = Math.max(0, to - (now ?? to));
    totals.asleep += span;
    for (const lane of lanes.all()) lane.last += span;
    now = Math.max(to, now ?? to);
  };

  for (let place = 0; place < columns.length; place++) {
    const time = known(columns.at.get(place));
    const kind = columns.kind.get(place);
    const asleep = kind === EVT ? asleepBetween(index.sleeps, place - 1, place) : 0;
    if (time !== undefined && asleep > 0) sleep(asleep, time);
    else if (time !== undefined) pass(time);
    const side = columns.side.get(place);
    if (kind === EVT && columns.nameOf(place) === 'exit') {
      exit = place;
      open.agent = open.person = open.client = 0;
      unended.clear();
      for (const lane of lanes.all()) lane.person = lane.client = 0;
    }
    const session = columns.session.get(place);
    const lane = lanes.at(session);
    const turn = columns.turn.get(place);
    if (turn > 0 && !ended.has(turn)) unended.set(session, turn);
    else if (side === CLIENT || side === AGENT) unended.delete(session);
    const isLive = !columns.has(place, FLAG.replay | FLAG.late);
    for (const turn of turns.beginning.get(place) ?? []) {
      lane.last = now ?? 0;
      lane.turns.add(turn);
      running.set(turn, lane);
    }
    if ((side === CLIENT || side === AGENT) && isLive && now !== undefined) {
      const length = now - lane.last;
      if (lane.turns.size > 0 && length >= SILENCE && lane.person + lane.client === 0) {
        for (const turn of lane.turns) {
          turn.stalls++;
          turn.stalled += length;
        }
        stalls.add(stallAt(index, place, length, lanes));
      }
      lane.last = now;
      lanes.lastPlace.set(lane, place);
      const isFirst = side === AGENT && columns.has(place, FLAG.update);
      if (isFirst && isWork[columns.name.get(place)])
        for (const turn of lane.turns)
          turn.toFirst ??= Math.max(
            0,
            now - turn.began - asleepBetween(index.sleeps, turn.place, place),
          );
    }
    const step = windows.get(place);
    if (step !== undefined) restores += step;
    const partner = columns.partner.get(place);
    if (kind === REQ && !columns.has(place, FLAG.kept | FLAG.refused)) {
      const from = columns.fromOf(place) ?? 'client';
      const by = answererOf(columns.nameOf(place), from);
      open[by]++;
      if (by !== 'agent') lane[by]++;
    } else if ((kind === RES || kind === ERR) && partner > exit) {
      const by = answererOf(columns.nameOf(partner), columns.fromOf(partner) ?? 'client');
      open[by] = Math.max(0, open[by] - 1);
      if (by !== 'agent') {
        const asked = lanes.at(columns.session.get(partner));
        asked[by] = Math.max(0, asked[by] - 1);
      }
    }
    for (const turn of turns.ending.get(place) ?? []) {
      running.get(turn)?.turns.delete(turn);
      running.delete(turn);
    }
    if (quiet !== undefined && now !== undefined && state() !== 'idle') {
      if (now - quiet >= LEAST_IDLE) idle.add({ from: quiet, to: now });
      quiet = undefined;
    }
  }
  return {
    spent: {
      asleep: millis(totals.asleep),
      person: millis(totals.person),
      client: millis(totals.client),
      restore: millis(totals.restore),
      agent: millis(totals.agent),
      idle: millis(totals.idle),
    },
    turns: turns.all.map(({ toFirst, person, client, stalls: count, stalled }) => ({
      toFirst: toFirst === undefined ? undefined : millis(toFirst),
      person: millis(person),
      client: millis(client),
      stalls: count,
      stalled: millis(stalled),
    })),
    stalls: stalls.all(),
    stallCount: stalls.given,
    idle: idle.all().toSorted((a, b) => a.from - b.from),
  };
}

/** What an agent makes of a prompt. */
const WORK: ReadonlySet<string> = new Set(['agent', 'thought', 'tool']);

function stallAt(index: TraceIndex, place: number, length: number, lanes: Lanes): Stall {
  const { columns } = index;
  const before = lanes.lastPlace.get(lanes.at(columns.session.get(place))) ?? place;
  return {
    length: millis(length),
    after: columns.seqOf(before),
    endedBy: columns.seqOf(place),
    session: index.session(place)?.chip ?? '',
    afterName: stallEndName(columns, before),
    name: stallEndName(columns, place),
  };
}

function stallEndName(columns: TraceIndex['columns'], place: number): string {
  const name = columns.nameOf(place);
  const kind = columns.kind.get(place);
  return kind === RES || kind === ERR ? `response to ${name}` : name;
}

interface Lanes {
  /** By the number in the column `session`. */
  at(session: number): Lane;
  all(): Iterable<Lane>;
  /** The last live frame of each. */
  readonly lastPlace: Map<Lane, number>;
}

function lanesOf(index: TraceIndex): Lanes {
  const bySession: (Lane | undefined)[] = [];
  const byRoot = new Map<SessionRecord | undefined, Lane>();
  const of = (session: number): Lane => {
    const record = index.sessionByNumber(session);
    const root = record && index.children.rootOf(record);
    const lane = byRoot.get(root) ?? { turns: new Set(), person: 0, client: 0, last: 0 };
    byRoot.set(root, lane);
    return lane;
  };
  return {
    at: (session) => (bySession[session] ??= of(session)),
    all: () => byRoot.values(),
    lastPlace: new Map(),
  };
}

/** By the places at which they begin and end: the turns. */
function plan({ columns }: TraceIndex, ends: readonly TurnEnd[]) {
  const beginning = new Map<number, Active[]>();
  const ending = new Map<number, Active[]>();
  const lastEnd = new Map<string, number>();
  const put = (map: Map<number, Active[]>, at: number, turn: Active) => {
    const there = map.get(at);
    if (there) there.push(turn);
    else map.set(at, [turn]);
  };
  const all = ends.map(({ sessionId, began, prompts: [prompt], seq: end }) => {
    // A prompt that was sent while other work went on did not wait for its own turn alone.
    const isOwn = prompt !== undefined && prompt.seq > (lastEnd.get(sessionId) ?? 0);
    const from = columns.indexOf(isOwn ? Math.min(prompt.seq, began) : began);
    lastEnd.set(sessionId, end);
    const times = { person: 0, client: 0, stalls: 0, stalled: 0 };
    const place = columns.indexOf(began);
    const turn = { began: columns.at.get(place), place, toFirst: undefined, ...times };
    put(beginning, from, turn);
    put(ending, columns.indexOf(end), turn);
    return turn;
  });
  return { all, beginning, ending };
}

/** By place: how many restore windows more are open from there on. */
function windowSteps(index: TraceIndex): ReadonlyMap<number, number> {
  const steps = new Map<number, number>();
  const step = (at: number, by: number) => steps.set(at, (steps.get(at) ?? 0) + by);
  for (const { request, end } of index.windowRecords) {
    step(request, 1);
    if (end >= 0) step(end, -1);
  }
  return steps;
}

/** The so many longest of what it is given. */
class Longest<T> {
  #kept: T[] = [];
  /** Of all there were. */
  given = 0;
  readonly #most: number;
  readonly #length: (one: T) => number;

  constructor(most: number, length: (one: T) => number) {
    this.#most = most;
    this.#length = length;
  }

  add(one: T): void {
    this.given++;
    this.#kept.push(one);
    if (this.#kept.length >= 4 * this.#most) this.#kept = [...this.all()];
  }

  /** Longest first. */
  all(): readonly T[] {
    return this.#kept.toSorted((a, b) => this.#length(b) - this.#length(a)).slice(0, this.#most);
  }
}
