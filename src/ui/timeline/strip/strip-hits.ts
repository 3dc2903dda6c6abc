// What the pointer is on in a lane of the strip, and the words for it.
import { count } from '../../../lib/format.ts';
import type { DensityView } from '../../../model/timeline/density.ts';
import type { LaneBlock } from '../../../model/timeline/lanes.ts';
import type { Seq } from '../../../trace/event.ts';
import { BUCKET_PX, type PlacedBlock } from './strip-shapes.ts';

export interface StripHit {
  readonly what: string;
  /** The frame that a click leads to. */
  readonly seq: Seq;
  /** The frame whose summary says more; absent: it stands for several. */
  readonly says?: Seq;
}

const NEAR_PX = 3;
const NAMES: Readonly<Record<LaneBlock['kind'], string>> = {
  prompt: 'prompt',
  tool: 'tool call',
  ask: 'question',
};
const ENDS = { start: 'Agent restarted', exit: 'Agent ended', crash: 'Agent crashed' } as const;

/** The last drawn of the blocks at `x`, which is on top. */
export function blockHit(blocks: readonly PlacedBlock[], x: number): StripHit | undefined {
  const hit = blocks.findLast(
    (one) => one.x - NEAR_PX <= x && x <= one.x + one.width + NEAR_PX,
  )?.block;
  if (!hit) return undefined;
  const { kind, seq, last, failed } = hit;
  const name = count(hit.count, NAMES[kind]);
  if (hit.count > 1) return { what: `${name} from #${seq}${failed ? ' · failed' : ''}`, seq };
  // The last frame of a tool call says how it ended.
  return { what: `${named(NAMES[kind])} #${seq}`, seq, says: kind === 'tool' ? last : seq };
}

/** A start or an end of the agent, or else the replay window, at `x`. */
export function restoreHit(
  { windows, lanes }: Pick<DensityView, 'windows' | 'lanes'>,
  x: number,
): StripHit | undefined {
  const end = lanes.ends.findLast(({ bucket }) => Math.abs(bucket * BUCKET_PX - x) <= NEAR_PX);
  if (end) return { what: `${ENDS[end.kind]} #${end.seq}`, seq: end.seq, says: end.seq };
  const window = windows.findLast(
    ({ from, to, late = to }) =>
      from * BUCKET_PX - NEAR_PX <= x && x <= (Math.max(to, late) + 1) * BUCKET_PX + NEAR_PX,
  );
  return window && { what: `Restore #${window.seq}`, seq: window.seq, says: window.seq };
}

/** How many there are of each thing in the lanes: `2 prompts`, `1 tool call`. */
export function laneWords({ windows, lanes }: Pick<DensityView, 'windows' | 'lanes'>): string[] {
  const all = [...lanes.client, ...lanes.agent];
  const counts = (['prompt', 'tool', 'ask'] as const).map((kind) => {
    const of = all.filter((block) => block.kind === kind);
    return [of.reduce((sum, block) => sum + block.count, 0), NAMES[kind]] as const;
  });
  return [
    ...[...counts, [windows.length, 'replay window'] as const].flatMap(([n, name]) =>
      n === 0 ? [] : [count(n, name)],
    ),
    ...(lanes.ends.some(({ kind }) => kind === 'crash') ? ['a crash of the agent'] : []),
  ];
}

function named(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
