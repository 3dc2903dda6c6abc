// Two logs of one connection, each of one direction, as `tee` writes them: one trace. Requests and responses order them;
// what they leave open is concluded, and an event says so.
import { seq, type Seq, type Side, type TraceEvent } from './event.ts';
import { FORMAT_VERSION, type Header } from './format.ts';
import type { ImportReport } from './import/format.ts';
import { readRecord } from './import/json-record.ts';
import { lineText } from './line.ts';

/** The part of a line in JSON-RPC that shows an order. `id`: of a request or response; empty of all else. */
export interface RpcPart {
  readonly isRequest: boolean;
  readonly isResponse: boolean;
  readonly id: string;
}

interface Direction {
  readonly frames: readonly TraceEvent[];
  readonly said: readonly RpcPart[];
  /** The next that is not placed. */
  next: number;
  /** Requests that are placed and have no response yet, by id. */
  readonly open: Map<string, number>;
  /** Requests that are not placed, by id. */
  readonly waiting: Map<string, number>;
  /** The new numbers of events that are placed, by their numbers in the file. */
  readonly numbers: Map<Seq, Seq>;
}

/** The side whose frames are all that the events have; undefined if both sides have some, or a process was recorded. */
export function onlySideOf(events: Iterable<TraceEvent>): Side | undefined {
  const sides = new Set<Side>();
  for (const event of events) {
    if (event.type === 'start') return undefined;
    if (event.type === 'frame') sides.add(event.from);
    if (sides.size > 1) return undefined;
  }
  return [...sides][0];
}

/** Returns the events of two files as one connection; undefined unless each has the direction that the other answers. */
export function joinedPair(
  one: readonly TraceEvent[],
  other: readonly TraceEvent[],
): readonly TraceEvent[] | undefined {
  const [side, opposite] = [onlySideOf(one), onlySideOf(other)];
  if (!side || !opposite || side === opposite || !areOneConnection(one, other)) return undefined;
  return side === 'client' ? joinedDirections(one, other) : joinedDirections(other, one);
}

/** True if a response in the one answers a request in the other. */
export function areOneConnection(
  one: readonly TraceEvent[],
  other: readonly TraceEvent[],
): boolean {
  const [a, b] = [directionOf(one), directionOf(other)];
  const answers = ({ said }: Direction, { waiting }: Direction) =>
    said.some(({ isResponse, id }) => isResponse && waiting.has(id));
  return answers(a, b) || answers(b, a);
}

/** Returns the events of both directions in one order, numbered again, after an event that says that it was concluded. */
export function joinedDirections(
  client: readonly TraceEvent[],
  agent: readonly TraceEvent[],
): readonly TraceEvent[] {
  const [c, a] = [directionOf(client), directionOf(agent)];
  const events: TraceEvent[] = [
    {
      type: 'gap',
      seq: seq(1),
      count: 1,
      reason:
        'each direction was logged by itself: which came first is concluded from requests and responses',
      hole: 'order',
    },
  ];
  let next = 2;
  while (c.next < c.frames.length || a.next < a.frames.length) {
    const [from, to] = isClientNext(c, a) ? [c, a] : [a, c];
    const event = from.frames[from.next];
    if (!event) break;
    place(from, to);
    const { at: _, ...rest } = event;
    const number = seq(next);
    from.numbers.set(event.seq, number);
    const of = 'of' in event && event.of !== undefined && from.numbers.get(event.of);
    events.push({ ...rest, seq: number, ...(of && { of }) } as TraceEvent);
    next += event.type === 'gap' ? event.count : 1;
  }
  return events;
}

/** The header of what was joined. */
export function joinedHeader(header: Header): Header {
  return { ...header, version: FORMAT_VERSION, clock: 'imported' };
}

/** The import report of what was joined. `name`: of the other file. */
export function joinedReport(one: ImportReport, other: ImportReport, name: string): ImportReport {
  const frames = one.frames + other.frames;
  return {
    ...one,
    joined: name,
    fates: {
      ...one.fates,
      time: ['lost', 'the times of two files have no common beginning'],
      order: ['inferred', 'each file has one direction: from requests and responses'],
    },
    ...{ frames, untimed: frames },
    stderr: one.stderr + other.stderr,
    rebuilt: one.rebuilt + other.rebuilt,
    guessed: one.guessed + other.guessed,
    cut: (one.cut ?? 0) + (other.cut ?? 0),
    odd: one.odd + other.odd,
    firstOdd: one.firstOdd ?? other.firstOdd,
  };
}

function directionOf(events: readonly TraceEvent[]): Direction {
  const frames = events.filter(({ type }) => type !== 'exit');
  const said = frames.map((event) => rpcPart(event.type === 'frame' ? lineText(event.line) : ''));
  const waiting = new Map<string, number>();
  for (const { isRequest, id } of said) if (isRequest) add(waiting, id, 1);
  return { frames, said, next: 0, open: new Map(), waiting, numbers: new Map() };
}

/** Returns what the line is in JSON-RPC. */
export function rpcPart(line: string): RpcPart {
  const record = readRecord(line);
  const id = record?.json('id');
  if (!record || id === undefined) return { isRequest: false, isResponse: false, id: '' };
  const isRequest = record.has('method');
  return { isRequest, isResponse: !isRequest, id };
}

function add(counts: Map<string, number>, id: string, more: number): void {
  const sum = (counts.get(id) ?? 0) + more;
  if (sum > 0) counts.set(id, sum);
  else counts.delete(id);
}

function place(from: Direction, to: Direction): void {
  const said = from.said[from.next++];
  if (said?.isRequest) {
    add(from.waiting, said.id, -1);
    add(from.open, said.id, 1);
  } else if (said?.isResponse) add(to.open, said.id, -1);
}

/** The agent speaks while it may: up to the response to what is asked, after what the client sent before its next request. */
function isClientNext(client: Direction, agent: Direction): boolean {
  const [c, a] = [client.said[client.next], agent.said[agent.next]];
  if (!c || !a) return c !== undefined;
  const isClientBlocked = isBlocked(c, agent);
  if (isBlocked(a, client)) return true;
  if (isClientBlocked) return false;
  if (a.isResponse) return !c.isRequest;
  // An update outside of any request is of the next one, if that has a response.
  if (client.open.size === 0) return c.isRequest;
  return c.isResponse;
}

/** True if it answers a request of the other side that is not placed yet. */
function isBlocked({ isResponse, id }: RpcPart, other: Direction): boolean {
  return isResponse && !other.open.has(id) && other.waiting.has(id);
}
