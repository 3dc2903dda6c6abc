// Who waits for whom at a moment of a trace, and how silent it was. Read from the columns of the
// index alone. Time in replay windows is neither progress nor stall: history replay is no sign of
// life, and the clock of silence stands still while a window is open.
import { openRequest } from './open-requests.ts';
import { known, millis, type Millis } from '../../lib/time.ts';
import { otherSide, type Seq, type Side, type TraceEvent } from '../../trace/event.ts';
import { AGENT, CLIENT, EVT, FLAG, REQ } from '../columns.ts';
import { saidBy } from '../timeline/digest.ts';
import type { OpenRequest } from './facts-view.ts';
import type { RunningTool } from '../fold/look.ts';
import type { TraceIndex } from '../trace-index.ts';

/** A frame by which a side showed that it lives. */
export interface SignOfLife {
  readonly seq: Seq;
  readonly at: Millis;
  /** Its method, or the variant of its update. */
  readonly name: string;
}

/** Silence between two frames, without the time of replay windows. */
interface Silence {
  readonly length: Millis;
  readonly after: Seq;
  readonly endedBy: SignOfLife & { readonly from: Side };
  /** Whose answer was open all the while; `nobody`: no request was. */
  readonly waitedFor: Side | 'both' | 'nobody';
}

export interface Waiting {
  /** The moment, and the silence until then: in the time of the trace, without replay windows. `NO_TIME`: it has none. */
  readonly at: Millis;
  readonly silence: Millis;
  /** Places of the requests that are open, oldest first. */
  readonly open: readonly number[];
  readonly last: { readonly client?: SignOfLife; readonly agent?: SignOfLife };
  /** The longest, longest first. */
  readonly silences: readonly Silence[];
  /** Of the silences while somebody was waited for: how many were shorter than each of BOUNDS. */
  readonly histogram: readonly number[];
  /** Half of the newest of these were shorter; undefined where there was none. */
  readonly usual: Millis | undefined;
}

/** What the page shows of it. */
export interface WaitingView extends Omit<Waiting, 'open'> {
  readonly requests: readonly OpenRequest[];
  readonly tools: readonly (RunningTool & { readonly session: string })[];
}

/** The request at this place; nothing where the line is none. */
export function openRequestAt(index: TraceIndex, event: TraceEvent, at: number): OpenRequest[] {
  const message = saidBy(event);
  if (event.type !== 'frame' || message?.kind !== 'request') return [];
  return [openRequest(index, { index: at, from: event.from, request: message })];
}

/** Upper ends of the histogram's bars, in milliseconds; the last bar has none. */
export const BOUNDS: readonly number[] = [30, 100, 300, 1000, 3000, 10_000, 30_000];

const MOST_SILENCES = 5;
/** Shorter silence is not told one by one. */
const TOLD = 500;
const MOST_OPEN = 200;
const MOST_LENGTHS = 20_000;

/** `until`: the place of the first event that does not count. */
export function waitingAt(index: TraceIndex, until: number): Waiting {
  const { columns } = index;
  const quiet = quietClock(index);
  const open = new Set<number>();
  const openBy = { client: 0, agent: 0 };
  const last: { client?: SignOfLife; agent?: SignOfLife } = {};
  const told: Silence[] = [];
  const histogram = Array.from({ length: BOUNDS.length + 1 }, () => 0);
  /** The newest: to sort all of a long trace would be felt. */
  const lengths: number[] = [];
  let before: { readonly seq: Seq; readonly time: number } | undefined;
  const end = Math.min(until, columns.length);
  for (let at = 0; at < end; at++) {
    const side = columns.side.get(at);
    if (side !== CLIENT && side !== AGENT) {
      // With the agent go all requests that wait.
      if (columns.kind.get(at) === EVT && columns.nameOf(at) === 'exit') {
        open.clear();
        openBy.client = openBy.agent = 0;
      }
      continue;
    }
    const from: Side = side === CLIENT ? 'client' : 'agent';
    const isReplay = columns.has(at, FLAG.replay) || columns.has(at, FLAG.late);
    if (!isReplay) {
      const seq = columns.seqOf(at);
      const time = quiet(columns.at.get(at));
      const sign = { seq, at: columns.timeOf(at), name: columns.nameOf(at) };
      if (before !== undefined) {
        const length = Math.max(0, time - before.time);
        const waitedFor = waited(openBy);
        if (waitedFor !== 'nobody' && known(length) !== undefined) {
          count(histogram, length);
          if (lengths.push(length) > 2 * MOST_LENGTHS) lengths.splice(0, MOST_LENGTHS);
        }
        if (length >= TOLD)
          tell(told, {
            length: millis(length),
            after: before.seq,
            endedBy: { ...sign, from },
            waitedFor,
          });
      }
      before = { seq, time };
      last[from] = sign;
    }
    const partner = columns.partner.get(at);
    if (columns.kind.get(at) === REQ) {
      if ((partner >= 0 && partner < at) || columns.has(at, FLAG.kept | FLAG.refused)) continue;
      open.add(at);
      openBy[from]++;
    } else if (open.delete(partner)) openBy[otherSide(from)]--;
  }
  const now = end > 0 ? columns.at.get(end - 1) : 0;
  return {
    at: millis(now),
    silence: millis(before === undefined ? 0 : Math.max(0, quiet(now) - before.time)),
    open: [...open].slice(0, MOST_OPEN),
    last,
    silences: told,
    histogram,
    usual: middle(lengths),
  };
}

/** An open request of the client is one that the agent is waited for. */
function waited({ client, agent }: { readonly client: number; readonly agent: number }) {
  if (client > 0 && agent > 0) return 'both';
  if (client > 0) return 'agent';
  return agent > 0 ? 'client' : 'nobody';
}

/** Keeps the longest. */
function tell(told: Silence[], silence: Silence): void {
  const at = told.findIndex(({ length }) => length < silence.length);
  told.splice(at < 0 ? told.length : at, 0, silence);
  told.length = Math.min(told.length, MOST_SILENCES);
}

function count(histogram: number[], length: number): void {
  const found = BOUNDS.findIndex((bound) => length < bound);
  const bar = found < 0 ? BOUNDS.length : found;
  histogram[bar] = (histogram[bar] ?? 0) + 1;
}

function middle(lengths: readonly number[]): Millis | undefined {
  const sorted = Float64Array.from(lengths).sort();
  const found = sorted[Math.floor(sorted.length / 2)];
  return found === undefined ? undefined : millis(found);
}

/** Time without the time in which a replay window was open. Asked in the order of the trace. */
function quietClock(index: TraceIndex): (time: number) => number {
  /** Stretches of replay, ascending, none in another. */
  const stretches: { readonly from: number; to: number }[] = [];
  const windows = index.windowRecords
    .filter((window) => window.updates > 0 || window.allowed)
    .map(({ at, end, endAt }) => ({ from: at, to: end < 0 ? Infinity : endAt }))
    .sort((a, b) => a.from - b.from);
  for (const window of windows) {
    const before = stretches.at(-1);
    if (before && window.from <= before.to) before.to = Math.max(before.to, window.to);
    else stretches.push(window);
  }
  let next = 0;
  let passed = 0;
  return (time) => {
    let stretch = stretches[next];
    while (stretch && stretch.to <= time) {
      passed += stretch.to - stretch.from;
      stretch = stretches[++next];
    }
    return time - passed - (stretch ? Math.max(0, time - stretch.from) : 0);
  };
}
