// Pairing requests with their answers: by asking side and id token, or else the whole number that it writes. Both sides count from
// 0, and an id may be used again once it was answered, so an exchange is named by its request's
// place in the trace.
import {
  idKey,
  parseMessage,
  refusesArray,
  wholeNumber,
  type Json,
  type Message,
  type Request,
  type RequestId,
} from '../../acp/message.ts';
import { otherSide, type Intercept, type Seq, type Side } from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';

/** A request that waits for its answer, as its reader keeps it. */
export interface Question {
  readonly from: Side;
  readonly request: Request;
  /** Bytes of its line, where they are known. */
  readonly size?: number;
  /** The frame whose array it came in; undefined: it is a line of its own. */
  readonly array?: Seq | undefined;
}

/** One that is known by its place in the trace. */
export interface PlacedQuestion extends Question {
  readonly index: number;
}

/** So many answered ids of a side are remembered at least, for what answers them once more. */
const REMEMBERED = 1000;

/**
 * So many requests, and bytes of their lines, may wait of a side; of more, those that wait longest are
 * forgotten, some at once: each look for the oldest passes by all that were there before it.
 */
const MOST_WAITING = 100_000;
const MOST_BYTES = 60_000_000;
/** Of those under one id. */
const MOST_OF_ID = 100;

/** What one side asked. */
interface Asked<A> {
  /** Requests under one id that wait at once are a fault of the asker; the oldest comes first. */
  readonly open: Map<string, A[]>;
  /** Keys of ids that write a whole number in another way, by its digits: the last of each. */
  readonly spelled: Map<string, string>;
  /** How many those are, and the bytes of their lines. */
  requests: number;
  bytes: number;
  /** How many more wait, as far as is known. */
  forgotten: number;
  /** Those that their transport could not hand over, the last ones: nobody waits for their answers. */
  readonly refused: A[];
  /** The method that each of the last answered ids asked for. */
  readonly answered: Map<string, string>;
}

export class Exchanges<A extends Question = PlacedQuestion> {
  private readonly sides = { client: nothingAsked<A>(), agent: nothingAsked<A>() };
  /** Events of requests that an intercept answered, whose answers have not crossed: they never did. */
  private readonly inPlace = new Set<Seq>();

  /** True where the id was free, as it must be. */
  ask(asked: A): boolean {
    const side = this.sides[asked.from];
    const key = idKey(asked.request.id);
    const waiting = side.open.get(key);
    const digits = wholeNumber(asked.request.id);
    if (digits !== undefined && digits !== key) side.spelled.set(digits, key);
    if (waiting === undefined) side.open.set(key, [asked]);
    else if (waiting.push(asked) > MOST_OF_ID && take(side, key)) side.forgotten++;
    side.requests++;
    side.bytes += asked.size ?? 0;
    if (isCrowded(side, 1))
      for (const oldest of side.open.keys())
        while (isCrowded(side, 0.9) && side.requests > 1 && take(side, oldest)) side.forgotten++;
    return waiting === undefined;
  }

  /** The request that an answer sent by `from` ends. Undefined: none is open under that id. */
  answer(from: Side, id: RequestId): A | undefined {
    const side = this.sides[otherSide(from)];
    const key = keyOf(side, id);
    const asked = take(side, key) ?? takeRefused(side, key);
    if (asked) remember(side.answered, key, asked.request.method);
    return asked;
  }

  /**
   * Requests of `from` that were not handed over or not taken, if they still wait: they do no more. An answer
   * that comes all the same is one to them.
   */
  refused(isIt: (asked: A) => boolean, from: Side = 'client'): readonly A[] {
    const side = this.sides[from];
    const all: A[] = [];
    for (const [key, waiting] of side.open) {
      const found = waiting.filter(isIt);
      if (found.length === 0) continue;
      const left = waiting.filter((asked) => !found.includes(asked));
      if (left.length === 0) side.open.delete(key);
      else side.open.set(key, left);
      for (const asked of found) {
        side.requests--;
        side.bytes -= asked.size ?? 0;
        if (side.refused.push(asked) > MOST_OF_ID) side.refused.shift();
      }
      all.push(...found);
    }
    return all;
  }

  /** The open requests of the array that this answer to nothing rejects. `from`: who sent the array. */
  refusedArray(from: Side, answer: Message): readonly A[] {
    if (!refusesArray(answer)) return [];
    for (const { array } of this.of(from))
      if (array !== undefined) return this.refused((asked) => asked.array === array, from);
    return [];
  }

  /** A request of an intercept's own, which ends with this event: its answer is kept from the other side. */
  altered({ seq, did, from, line }: Intercept): A | undefined {
    if (!line || !from || (did !== 'keep' && did !== 'answer')) return undefined;
    const message = parseMessage(lineText(line));
    if (message.kind === 'success' || message.kind === 'failure')
      return this.answer(from, message.id);
    if (message.kind !== 'request') return undefined;
    remember(this.sides[from].answered, idKey(message.id), message.method);
    this.inPlace.add(seq);
    return undefined;
  }

  /**
   * Whether an answer by `from` to nothing that is known is an intercept's own (`of`: its event), or may be to a
   * request that was forgotten; it ends one of those.
   */
  excuses(from: Side, of?: Seq): boolean {
    if (of !== undefined && this.inPlace.delete(of)) return true;
    const side = this.sides[otherSide(from)];
    if (side.forgotten === 0) return false;
    side.forgotten--;
    return true;
  }

  /** The method that was asked under an id which is answered once more. */
  answeredBefore(from: Side, id: RequestId): string | undefined {
    return this.sides[otherSide(from)].answered.get(idKey(id));
  }

  /** The open request that a `requestId` in params means. */
  find(from: Side, id: Json | undefined): A | undefined {
    if (typeof id !== 'string' && typeof id !== 'number') return undefined;
    const type = typeof id === 'string' ? 'string' : 'number';
    return this.under(from, { type, token: JSON.stringify(id) });
  }

  /** The oldest that waits under this id. */
  under(from: Side, id: RequestId): A | undefined {
    const side = this.sides[from];
    return side.open.get(keyOf(side, id))?.[0];
  }

  /** How many requests of this side wait, also those that were forgotten. */
  count(from: Side): number {
    const { requests, forgotten } = this.sides[from];
    return requests + forgotten;
  }

  /** Those of a side that wait, in the order in which their ids began to. */
  *of(from: Side): Iterable<A> {
    for (const waiting of this.sides[from].open.values()) yield* waiting;
  }
}

function nothingAsked<A>(): Asked<A> {
  const counts = { requests: 0, bytes: 0, forgotten: 0 };
  return { open: new Map(), spelled: new Map(), ...counts, refused: [], answered: new Map() };
}

/** The key of the open request that an id means: of the same token, or else of the same whole number. */
function keyOf({ open, spelled }: Asked<unknown>, id: RequestId): string {
  const key = idKey(id);
  if (open.has(key)) return key;
  const digits = wholeNumber(id);
  if (digits === undefined) return key;
  const other = spelled.get(digits) ?? digits;
  return open.has(other) ? other : key;
}

function isCrowded({ requests, bytes }: Asked<unknown>, part: number): boolean {
  return requests > part * MOST_WAITING || bytes > part * MOST_BYTES;
}

/** The oldest under this id, which waits no more. */
function take<A extends Question>(side: Asked<A>, key: string): A | undefined {
  const waiting = side.open.get(key);
  const asked = waiting?.shift();
  if (waiting?.length === 0) side.open.delete(key);
  if (asked) {
    side.requests--;
    side.bytes -= asked.size ?? 0;
  }
  return asked;
}

function takeRefused<A extends Question>({ refused }: Asked<A>, key: string): A | undefined {
  const at = refused.findIndex(({ request }) => idKey(request.id) === key);
  return at < 0 ? undefined : refused.splice(at, 1)[0];
}

function remember(answered: Map<string, string>, key: string, method: string): void {
  answered.delete(key);
  answered.set(key, method);
  if (answered.size < 2 * REMEMBERED) return;
  for (const oldest of answered.keys())
    if (answered.size > REMEMBERED) answered.delete(oldest);
    else return;
}
