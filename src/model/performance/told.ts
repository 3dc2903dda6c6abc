// What only the text of frames tells of performance: where turns end, and how the context of each
// session filled. Few frames are told of, so that the others of a long trace need not be read.
import { updateOf } from '../../acp/update.ts';
import { isMethodOf, RESTORES } from '../../acp/methods.ts';
import type { Message } from '../../acp/message.ts';
import type { Millis } from '../../lib/time.ts';
import { timeOf, type Frame, type Seq } from '../../trace/event.ts';
import { FLAG, NTF, type Columns } from '../columns.ts';
import { type TurnEnd, TurnReader } from '../facts/turns.ts';
import { usageOf, type Usage } from '../facts/usage.ts';

/** What the context of a session held after a frame. */
export interface UsagePoint extends Usage {
  readonly seq: Seq;
  readonly at: Millis;
}

/** Points kept of a session: of twice as many, every second one goes. */
const MOST_POINTS = 200;

const TURN_METHODS: readonly string[] = ['initialize', 'session/prompt', 'session/close'];

/** Whether a `Told` has to be given the frame at this place. */
export function isTold(columns: Columns, place: number): boolean {
  const name = columns.nameOf(place);
  if (columns.has(place, FLAG.update)) return name === 'state_update' || name === 'usage_update';
  if (columns.kind.get(place) === NTF) return name === 'session/cancel';
  return TURN_METHODS.includes(name) || isMethodOf(RESTORES, name);
}

export class Told {
  readonly turns: TurnEnd[] = [];
  readonly #reader = new TurnReader();
  readonly #usage = new Map<string, Points>();

  /** All frames that `isTold` names, in their order; others change nothing. `isReplay`: it is history. */
  take(frame: Frame, message: Message, isReplay: boolean): void {
    const end = this.#reader.take(frame, message);
    if (end) this.turns.push(end);
    if (isReplay || frame.from !== 'agent' || message.kind !== 'notification') return;
    const said = message.method === 'session/update' ? updateOf(message.params) : undefined;
    if (said?.sessionId === undefined || said.variant !== 'usage_update') return;
    const usage = usageOf(said.update);
    if (!usage) return;
    const points = this.#usage.get(said.sessionId) ?? new Points();
    this.#usage.set(said.sessionId, points);
    points.push({ ...usage, seq: frame.seq, at: timeOf(frame) });
  }

  /** By session, in the order of the trace. */
  get usage(): ReadonlyMap<string, readonly UsagePoint[]> {
    return new Map([...this.#usage].map(([session, points]) => [session, points.all()]));
  }
}

/** At most so many, evenly from the first to the last. */
class Points {
  #kept: UsagePoint[] = [];
  #last: UsagePoint | undefined;
  #stride = 1;
  #count = 0;

  push(point: UsagePoint): void {
    this.#last = point;
    if (this.#count++ % this.#stride !== 0) return;
    this.#kept.push(point);
    if (this.#kept.length < 2 * MOST_POINTS) return;
    this.#kept = this.#kept.filter((_, at) => at % 2 === 0);
    this.#stride *= 2;
  }

  all(): readonly UsagePoint[] {
    const last = this.#last;
    return last === undefined || this.#kept.at(-1) === last ? this.#kept : [...this.#kept, last];
  }
}
