// A trace in figures: frames by method and side, latency, turns, restores, and where the time went.
// History replay is counted apart: it says nothing of how an agent works.
import { defined } from '../../lib/defined.ts';
import { known, millis, NO_TIME, type Millis } from '../../lib/time.ts';
import { connectionId, type Gap, type Seq, type TraceEvent } from '../../trace/event.ts';
import { chipBook } from '../facts/chips.ts';
import { HolesFold, holeWords } from '../facts/holes.ts';
import { asleepBetween } from '../facts/sleeps.ts';
import { replayRate } from '../replay/replay-tally.ts';
import type { TurnEnd } from '../facts/turns.ts';
import type { Message } from '../../acp/message.ts';
import { membersIn, saidBy } from '../timeline/digest.ts';
import type { ReplayWindowView } from '../timeline/row-view.ts';
import { TraceIndex } from '../trace-index.ts';
import { errorWords } from '../words.ts';
import { FLAG } from '../columns.ts';
import { latencyOf, methodStats, type Latency, type MethodStats } from './methods.ts';
import { openTurns, type OpenTurn } from './open-turns.ts';
import { spentTimes, type Spent, type Stall, type TimeStretch, type TurnTimes } from './spent.ts';
import { Told, type UsagePoint } from './told.ts';

export interface TurnStats {
  /** As `turn:` finds it. */
  readonly turn: number;
  /** v1: the prompt; v2: the update to `running`. */
  readonly begin: Seq;
  readonly end: Seq;
  readonly session: string;
  readonly sessionId: string;
  /** Without what the machine slept. `NO_TIME`, and `null` in JSON, where the trace has no times; so `duration`. */
  readonly took: Millis;
  /** As the agent gave it; the error's words where the prompt failed. */
  readonly stopReason: string;
  /** From its begin to the first piece of a message, thought or tool call; absent: none came. */
  readonly toFirst?: Millis;
  /** Of `took`: while a person was asked, while the client worked for the agent, and the rest. */
  readonly person: Millis;
  readonly client: Millis;
  readonly agent: Millis;
  /** Silences of 5 s and more in which the agent waited for nobody, and their sum. */
  readonly stalls: number;
  readonly stalled: Millis;
}

export interface RestoreStats extends ReplayWindowView {
  /** Replayed updates a second, from the request to the last of them. */
  readonly rate?: number;
}

export interface UsageStats {
  readonly session: string;
  readonly sessionId: string;
  /** Evenly from the first to the last, a few hundred at most. */
  readonly points: readonly UsagePoint[];
}

export interface TraceStats {
  readonly duration: Millis;
  readonly events: number;
  readonly frames: { readonly client: number; readonly agent: number };
  /** Bytes of lines, without their 0x0A. */
  readonly bytes: { readonly client: number; readonly agent: number; readonly stderr: number };
  readonly stderrLines: number;
  /** Lines that are not JSON, or no message. */
  readonly badLines: number;
  /** Events that are missing, by the gaps told. */
  readonly missing: number;
  /** What the trace lacks of its connection, as clauses; absent if nothing is known to be missing. */
  readonly holes?: readonly string[];
  /** How often nothing ran, and how long in all: no latency, turn or stall counts it. */
  readonly sleeps: { readonly count: number; readonly ms: Millis };
  /** Who was waited for; together the whole time of the trace. */
  readonly spent: Spent;
  readonly methods: readonly MethodStats[];
  readonly turns: readonly TurnStats[];
  /** Turns that had not ended when the trace did. */
  readonly openTurns: readonly OpenTurn[];
  /** Of all turns whose times are known. */
  readonly turnTimes: Partial<Record<'took' | 'toFirst' | 'agent', Latency>>;
  /** In all turns; one that two turns of a session share is one. */
  readonly stallCount: number;
  /** The longest. */
  readonly stalls: readonly Stall[];
  /** Stretches of a second and more in which nobody was waited for: the longest. */
  readonly idle: readonly TimeStretch[];
  readonly restores: readonly RestoreStats[];
  readonly usage: readonly UsageStats[];
}

export class StatsFold {
  readonly #index = new TraceIndex(connectionId('stats'), chipBook());
  readonly #told = new Told();
  readonly #record = new HolesFold();
  #missing = 0;

  constructor() {
    // Figures are of what there is: nothing comes after it.
    this.#index.isOver = () => true;
  }

  append(event: TraceEvent): void {
    const message = saidBy(event);
    this.#record.take(event, message);
    this.#take(event, message);
    for (const member of membersIn(event, message)) this.#take(member.frame, member.message);
    if (event.type === 'gap' && isLoss(event)) this.#missing += event.count;
  }

  #take(event: TraceEvent, message: Message | undefined): void {
    const place = this.#index.length;
    this.#index.append(event, message);
    if (event.type === 'frame' && message)
      this.#told.take(event, message, this.#index.columns.has(place, FLAG.replay | FLAG.late));
  }

  stats(): TraceStats {
    const holes = holeWords(this.#record.holes);
    const stats = traceStats(this.#index, this.#told, this.#missing);
    return holes.length === 0 ? stats : { ...stats, holes };
  }
}

/** True if events are missing in its place. */
function isLoss({ omitted, hole }: Gap): boolean {
  return !omitted && (hole === undefined || hole === 'cut');
}

/** `told`: of all frames of the index that it has to be given; `missing`: events, by the gaps told. */
export function traceStats(index: TraceIndex, told: Told, missing: number): TraceStats {
  const { columns } = index;
  const frames = { client: 0, agent: 0 };
  const bytes = { client: 0, agent: 0, stderr: 0 };
  let stderrLines = 0;
  let badLines = 0;
  let members = 0;
  for (let i = 0; i < columns.length; i++) {
    const side = columns.fromOf(i);
    const kind = columns.kindOf(i);
    if (columns.has(i, FLAG.member)) {
      members++;
      continue;
    }
    if (side !== undefined) frames[side]++;
    if (kind === 'std') stderrLines++;
    if (kind === 'bad' && !columns.has(i + 1, FLAG.member)) badLines++;
    if (side !== undefined || kind === 'std') bytes[side ?? 'stderr'] += columns.size.get(i);
  }
  const last = columns.length - 1;
  const { spent, turns: times, stalls, stallCount, idle } = spentTimes(index, told.turns);
  const turns = told.turns.map((turn, at) => turnStats(index, turn, times[at]));
  return {
    duration: millis(last < 0 ? 0 : columns.at.get(last) - columns.at.get(0)),
    events: columns.length - members,
    frames,
    bytes,
    stderrLines,
    badLines,
    missing,
    sleeps: {
      count: index.sleeps.length,
      ms: millis(index.sleeps.reduce((sum, { sleep }) => sum + sleep.ms, 0)),
    },
    spent,
    methods: methodStats(index),
    turns,
    openTurns: openTurns(index, told.turns),
    turnTimes: defined({
      took: ranksOf(turns.map(({ took }) => took)),
      toFirst: ranksOf(turns.map(({ toFirst }) => toFirst)),
      agent: ranksOf(turns.map(({ agent }) => agent)),
    }),
    stallCount,
    stalls,
    idle,
    restores: index
      .windows()
      .map((window) => defined({ ...window, rate: replayRate(window.updates, window.figures) })),
    usage: [...told.usage].map(([sessionId, points]) => ({
      session: chipOf(index, sessionId),
      sessionId,
      points,
    })),
  };
}

const chipOf = (index: TraceIndex, sessionId: string) =>
  index.sessionNamed(sessionId)?.facts.chip ?? '';

function ranksOf(times: readonly (number | undefined)[]): Latency | undefined {
  const told = times.flatMap((time) => known(time ?? NO_TIME) ?? []);
  return told.length === 0 ? undefined : latencyOf(told);
}

const NO_TIMES: TurnTimes = {
  ...{ toFirst: undefined, stalls: 0 },
  ...{ person: millis(0), client: millis(0), stalled: millis(0) },
};

function turnStats(index: TraceIndex, turn: TurnEnd, times = NO_TIMES): TurnStats {
  const { number, began, seq: end, sessionId, reason, error } = turn;
  const { columns } = index;
  const [from, to] = [columns.indexOf(began), columns.indexOf(end)];
  const asleep = asleepBetween(index.sleeps, from, to);
  const took = millis(columns.at.get(to) - columns.at.get(from) - asleep);
  const { toFirst, person, client, stalls, stalled } = times;
  return defined({
    ...{ turn: number, begin: began, end, session: chipOf(index, sessionId), sessionId, took },
    stopReason: error ? errorWords(error) : (reason ?? 'none given'),
    ...{ toFirst, person, client, agent: millis(took - person - client), stalls, stalled },
  });
}
