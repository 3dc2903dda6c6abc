// The lanes of the strip beside the replay windows: prompts with what they set going, tool calls and questions
// of the agent, and where the agent started and ended. Replayed frames are in no lane: their window shows them.
import { ASKS, isMethodOf } from '../../acp/methods.ts';
import { defined } from '../../lib/defined.ts';
import { isCrash } from '../../trace/agent-end.ts';
import type { Seq } from '../../trace/event.ts';
import { AGENT, CLIENT, EVT, FLAG, REQ } from '../columns.ts';
import type { IndexedTrace } from '../indexed-trace.ts';
import type { TraceIndex } from '../trace-index.ts';
import { exchangeEnd } from './exchange-end.ts';
import { digestsOf } from './row-builder.ts';

/** Blocks of one kind that begin in the same bucket are one. */
export interface LaneBlock {
  readonly kind: 'prompt' | 'tool' | 'ask';
  /** First and last bucket. */
  readonly from: number;
  readonly to: number;
  /** Its first and its last frame. */
  readonly seq: Seq;
  readonly last: Seq;
  /** How many prompts, tool calls or questions it stands for. */
  readonly count: number;
  /** A tool call in it failed. */
  readonly failed?: true;
  /** The first prompt, if there is room for words; the ACP kind of the tool call. */
  readonly words?: string;
}

/** A start of the agent after the first, or its end. */
interface LaneEnd {
  readonly kind: 'start' | 'exit' | 'crash';
  readonly bucket: number;
  readonly seq: Seq;
}

export interface Lanes {
  /** Ascending. */
  readonly client: readonly LaneBlock[];
  readonly agent: readonly LaneBlock[];
  readonly ends: readonly LaneEnd[];
}

/** The time that the strip shows, and the bucket of each moment of it. */
interface LaneTime {
  readonly low: number;
  readonly high: number;
  readonly buckets: number;
  bucket(time: number): number;
}

/** Less room is none for words. */
const WORDS_BUCKETS = 10;

/** A block by the places of its first and last frame. */
interface Found {
  readonly kind: LaneBlock['kind'];
  readonly first: number;
  last: number;
  failed: boolean;
}

export function stripLanes(trace: Pick<IndexedTrace, 'index' | 'eventAt'>, time: LaneTime): Lanes {
  const { columns } = trace.index;
  const found = findBlocks(trace.index);
  const digestAt = digestsOf(trace.index, trace.eventAt);
  const client = blocksOf(trace.index, found.prompts, time);
  const agent = blocksOf(trace.index, [...found.tools, ...found.asks], time);
  return {
    client: client.map(({ block, first }, i) => {
      const room = (client[i + 1]?.block.from ?? time.buckets) - block.from;
      if (room < WORDS_BUCKETS) return block;
      return { ...block, words: digestAt(first).summary.replace(/^“|”$/g, '') };
    }),
    agent: agent.map(({ block, first }) =>
      defined({
        ...block,
        words: block.kind === 'tool' ? columns.toolKinds.text(columns.tool.get(first)) : undefined,
      }),
    ),
    ends: found.ends.flatMap((place) => {
      const at = columns.at.get(place);
      if (!(time.low <= at && at <= time.high)) return [];
      const event = trace.eventAt(place);
      const kind = event.type === 'start' ? 'start' : isCrash(event) ? 'crash' : 'exit';
      return [{ kind, bucket: time.bucket(at), seq: event.seq }];
    }),
  };
}

/** The blocks of the events that were read so far: a trace that grows is read from there on. */
interface Read {
  upTo: number;
  hasFrames: boolean;
  /** Places of requests. */
  readonly prompts: number[];
  readonly asks: number[];
  readonly tools: Map<number, Found>;
  readonly ends: number[];
  readonly lastOfTurn: number[];
}
const READ = new WeakMap<TraceIndex, Read>();
const nothingRead = (): Read => ({
  ...{ upTo: 0, hasFrames: false, prompts: [], asks: [], ends: [], lastOfTurn: [] },
  tools: new Map(),
});

function findBlocks(index: TraceIndex) {
  const { columns, toolIds } = index;
  const isAsk = columns.names.all.map((name) => isMethodOf(ASKS, name));
  const prompt = columns.names.all.indexOf('session/prompt');
  const failed = columns.statuses.all.indexOf('failed');
  const before = READ.get(index);
  const read = before && before.upTo <= columns.length ? before : nothingRead();
  READ.set(index, read);
  const { prompts, asks, tools, ends, lastOfTurn } = read;
  for (let place = read.upTo; place < columns.length; place++) {
    const kind = columns.kind.get(place);
    const side = columns.side.get(place);
    if (kind === EVT) {
      const name = columns.nameOf(place);
      if (name === 'exit' || (name === 'start' && read.hasFrames)) ends.push(place);
    }
    if (side !== AGENT && side !== CLIENT) continue;
    read.hasFrames = true;
    if (columns.has(place, FLAG.replay | FLAG.late)) continue;
    const turn = columns.turn.get(place);
    if (turn > 0) lastOfTurn[turn] = place;
    if (kind === REQ) {
      const name = columns.name.get(place);
      if (side === CLIENT && name === prompt) prompts.push(place);
      if (side === AGENT && isAsk[name]) asks.push(place);
    }
    const item = columns.item.get(place) - 1;
    if (item < 0 || !toolIds.has(item)) continue;
    let call = tools.get(item);
    if (call) call.last = place;
    else tools.set(item, (call = { kind: 'tool', first: place, last: place, failed: false }));
    const status = columns.status.get(place);
    if (status > 0) call.failed = status === failed;
  }
  read.upTo = columns.length;
  return {
    prompts: prompts.map((first) => {
      const block = exchangeAt(index, 'prompt', first);
      return { ...block, last: Math.max(block.last, lastOfTurn[columns.turn.get(first)] ?? 0) };
    }),
    asks: asks.map((first) => exchangeAt(index, 'ask', first)),
    tools: [...tools.values()],
    ends,
  };
}

function exchangeAt(index: TraceIndex, kind: Found['kind'], first: number): Found {
  return { kind, first, last: exchangeEnd(index, first), failed: false };
}

/** Returns the blocks that overlap the time span, ascending, with the place of their first frame. */
function blocksOf(
  { columns }: TraceIndex,
  found: readonly Found[],
  { low, high, bucket }: LaneTime,
): { readonly block: LaneBlock; readonly first: number }[] {
  const inside = found
    .map((one) => {
      const begin = columns.at.get(one.first);
      return { ...one, begin, end: Math.max(begin, columns.at.get(one.last)) };
    })
    .filter(({ begin, end }) => begin <= high && end >= low)
    .sort((a, b) => a.begin - b.begin);
  const blocks: { block: LaneBlock; readonly first: number }[] = [];
  /** The last block of each kind. */
  const latest = new Map<Found['kind'], (typeof blocks)[number]>();
  for (const { kind, first, last, failed, begin, end } of inside) {
    const [from, to] = [bucket(Math.max(low, begin)), bucket(Math.min(high, end))];
    const before = latest.get(kind);
    if (before?.block.from === from) {
      const { block } = before;
      before.block = defined({
        ...block,
        to: Math.max(block.to, to),
        last: columns.seqOf(last),
        count: block.count + 1,
        failed: block.failed ?? (failed ? (true as const) : undefined),
      });
      continue;
    }
    const block: LaneBlock = defined({
      ...{ kind, from, to, count: 1 },
      seq: columns.seqOf(first),
      last: columns.seqOf(last),
      failed: failed ? (true as const) : undefined,
    });
    const one = { block, first };
    blocks.push(one);
    latest.set(kind, one);
  }
  return blocks;
}
