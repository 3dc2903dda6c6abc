// Pairing requests with their answers: by asking side and exact id token. Both sides count from
// 0, and an id may be used again once it was answered, so an exchange is named by its request's
// place in the trace.
import { idKey, type Request, type RequestId } from '../../acp/message.ts';
import { otherSide, type Side } from '../../trace/event.ts';

/** A request that waits for its answer, as its reader keeps it. */
export interface Question {
  readonly from: Side;
  readonly request: Request;
}

/** One that is known by its place in the trace. */
export interface PlacedQuestion extends Question {
  readonly index: number;
}

/** So many answered ids of a side are remembered, for what answers them once more. */
const REMEMBERED = 1000;

export class Exchanges<A extends Question = PlacedQuestion> {
  /** Requests under one id that wait at once are a fault of the asker; the oldest comes first. */
  private readonly open = { client: new Map<string, A[]>(), agent: new Map<string, A[]>() };

  /** The method that each of the last answered ids asked for. */
  private readonly answered = {
    client: new Map<string, string>(),
    agent: new Map<string, string>(),
  };

  /** True where the id was free, as it must be. */
  ask(asked: A): boolean {
    const open = this.open[asked.from];
    const key = idKey(asked.request.id);
    const waiting = open.get(key);
    if (waiting === undefined) open.set(key, [asked]);
    else waiting.push(asked);
    return waiting === undefined;
  }

  /** The request that an answer sent by `from` ends. Undefined: none is open under that id. */
  answer(from: Side, id: RequestId): A | undefined {
    const asker = otherSide(from);
    const open = this.open[asker];
    const key = idKey(id);
    const waiting = open.get(key);
    if (waiting === undefined) return undefined;
    const asked = waiting.shift();
    if (waiting.length === 0) open.delete(key);
    if (asked) this.#remember(this.answered[asker], key, asked.request.method);
    return asked;
  }

  /** The method that was asked under an id which is answered once more. */
  answeredBefore(from: Side, id: RequestId): string | undefined {
    return this.answered[otherSide(from)].get(idKey(id));
  }

  #remember(answered: Map<string, string>, key: string, method: string): void {
    answered.delete(key);
    answered.set(key, method);
    if (answered.size <= REMEMBERED) return;
    const [oldest] = answered.keys();
    if (oldest !== undefined) answered.delete(oldest);
  }

  /** The open request that a `requestId` in params means. */
  find(from: Side, id: string | number): A | undefined {
    return this.open[from].get(JSON.stringify(id))?.[0];
  }

  /** The oldest that waits under this id. */
  under(from: Side, id: RequestId): A | undefined {
    return this.open[from].get(idKey(id))?.[0];
  }

  /** Under how many ids requests of this side wait. */
  count(from: Side): number {
    return this.open[from].size;
  }

  /** Those of a side that wait, in the order in which their ids began to. */
  *of(from: Side): Iterable<A> {
    for (const waiting of this.open[from].values()) yield* waiting;
  }
}
