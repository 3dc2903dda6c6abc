// What a trace lacks of its connection: its beginning, a direction, parts of messages, or which connection a line is of.
// Rules that need what is missing are inconclusive.
import { idKey, type Message } from '../../acp/message.ts';
import { count } from '../../lib/format.ts';
import { otherSide, type Side, type TraceEvent } from '../../trace/event.ts';

export interface Holes {
  /** The first message is none that begins a connection. */
  readonly startsInMiddle: boolean;
  /** The side that has no frame in the trace, although nothing shows that it sent none. */
  readonly missing: Side | undefined;
  /** Messages of which the log has only the beginning. */
  readonly cut: number;
  /** Its lines are of several connections, and do not say which. */
  readonly isMixed: boolean;
  /** Which of the two directions came first was concluded. */
  readonly isReordered: boolean;
}

const HELLO: readonly string[] = ['initialize', 'proxy/initialize'];

/** Grows with each event, before the event is judged. */
export class HolesFold {
  readonly #frames: Record<Side, number> = { client: 0, agent: 0 };
  readonly #asked: Record<Side, Set<string>> = { client: new Set(), agent: new Set() };
  /** Undefined until the first message has come. */
  #startsInMiddle: boolean | undefined;
  /** An answer to a request that is not in the trace shows that the connection was in use before. */
  #isUsedBefore = false;
  #isWhole = false;
  /** What recorded the agent's stderr recorded its frames too. */
  #hasStderr = false;
  #cut = 0;
  #isMixed = false;
  #isReordered = false;

  take(event: TraceEvent, message: Message | undefined): void {
    if (event.type === 'start') this.#isWhole ||= this.#startsInMiddle === undefined;
    if (event.type === 'gap') {
      // What is missing before the first message is known to be missing: the gap says so.
      if (!event.omitted) this.#startsInMiddle ??= false;
      if (event.hole === 'cut') this.#cut++;
      this.#isMixed ||= event.hole === 'several';
      this.#isReordered ||= event.hole === 'order';
    }
    this.#hasStderr ||= event.type === 'stderr';
    if (event.type !== 'frame' || !message) return;
    this.#frames[event.from]++;
    if (this.#isWhole || this.#startsInMiddle === false || message.kind === 'invalid') return;
    this.#begin(event.from, message);
  }

  #begin(from: Side, message: Exclude<Message, { kind: 'invalid' }>): void {
    const isHello =
      from === 'client' && message.kind === 'request' && HELLO.includes(message.method);
    if (isHello) {
      // A handshake that follows proves that these are the first frames there were, if no answer came to nothing.
      this.#startsInMiddle = this.#isUsedBefore;
      return;
    }
    this.#startsInMiddle = true;
    if (message.kind === 'request') this.#asked[from].add(idKey(message.id));
    else if (message.kind !== 'notification')
      this.#isUsedBefore ||= !this.#asked[otherSide(from)].has(idKey(message.id));
  }

  /** True if the trace has frames of this side, or was recorded from the start of the process. */
  hears(side: Side): boolean {
    return this.#isWhole || this.#frames[side] > 0 || (side === 'agent' && this.#hasStderr);
  }

  get holes(): Holes {
    const { client, agent } = this.#frames;
    const missing =
      client === 0 && agent > 0
        ? 'client'
        : !this.hears('agent') && client > 0
          ? 'agent'
          : undefined;
    return {
      startsInMiddle: this.#startsInMiddle === true,
      missing: this.#isWhole ? undefined : missing,
      cut: this.#cut,
      isMixed: this.#isMixed,
      isReordered: this.#isReordered,
    };
  }
}

/** What the trace lacks, as clauses; nothing if nothing is known to be missing. */
export function holeWords(holes: Holes): readonly string[] {
  const { startsInMiddle, missing, cut, isMixed, isReordered } = holes;
  return [
    ...(startsInMiddle ? ['starts in the middle of a connection'] : []),
    ...(missing ? [`has no frame from the ${missing}`] : []),
    ...(cut > 0 ? [`${count(cut, 'message')} cut off by the log`] : []),
    ...(isMixed ? ['several connections that cannot be told apart'] : []),
    ...(isReordered ? ['the order of the two directions is concluded'] : []),
  ];
}
