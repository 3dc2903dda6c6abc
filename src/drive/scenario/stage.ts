// One connection of a scenario: the agent behind a wire that faults befall, the client that acts on
// it, and what is known of its frames so far.
import type { ChipOf } from '../../model/facts/chips.ts';
import type { ClientName } from '../../acp/capabilities.ts';
import type { Json, Message } from '../../acp/message.ts';
import { asks, type Query } from '../../model/query/query.ts';
import { searchedBy } from '../../model/query/match.ts';
import type { Finder } from '../../model/query/find.ts';
import { Search } from '../../model/query/search.ts';
import { TurnReader } from '../../model/facts/turns.ts';
import { TraceIndex } from '../../model/trace-index.ts';
import { connectionId, type Frame, type Seq } from '../../trace/event.ts';
import { type Driven, endWords } from '../peer.ts';
import { PromptBudget } from '../prompt-budget.ts';
import { ScriptedConnection } from '../scripted.ts';
import { eachHeard, type Heard, type Answered } from '../heard.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import type { Timers } from '../timers.ts';

import { Wire } from './wire.ts';

// Why a step of a scenario was not taken, and how long steps wait.

/** How long a step waits that does not say so itself. */
export interface Patience {
  readonly ms: number;
  /** How a person makes it longer, as a sentence. */
  readonly longer?: string;
}
export const PATIENCE: Patience = { ms: 30_000 };
/** More is no time a timer can wait. */
export const MOST_MS = 2 ** 31 - 1;

/** A step failed: a sentence, and the frames it is about. */
export class Failed extends Error {
  readonly seqs: readonly Seq[];
  constructor(message: string, seqs: readonly Seq[] = []) {
    super(message);
    this.seqs = seqs;
  }
}

export function mustRun({ connection }: Pick<ScenarioStage, 'connection'>): void {
  const { exit } = connection;
  if (exit) throw new Failed(`The agent has ended (${endWords(exit)}). A restart starts it again.`);
}

/** `waited`: how long, ms. */
export function unanswered(stage: ScenarioStage, asked: Answered, waited: number): Failed {
  const { method, requestSeq, refusal } = asked;
  const { connection, patience } = stage;
  const { exit } = connection;
  const longer = waited === patience.ms && patience.longer ? ` ${patience.longer}` : '';
  const words =
    refusal !== undefined
      ? `${method} has no answer: ${refusal}`
      : exit
        ? `The agent ended (${endWords(exit)}) before it answered ${method}.`
        : `${method} was not answered in ${waited} ms.${longer}`;
  return new Failed(words, requestSeq === undefined ? [] : [requestSeq]);
}

interface StageOptions {
  readonly name: ClientName;
  readonly timers: Timers;
  /** Grows with what steps capture. */
  readonly names: Map<string, Json>;
  readonly chipOf: ChipOf;
  readonly finder: Finder;
  /** Which connection of the run it is, from 1. */
  readonly number: number;
  /** Steps may expect lines. */
  readonly isSearched: boolean;
  readonly patience: Patience;
}

export class ScenarioStage {
  readonly wire: Wire;
  readonly connection: ScriptedConnection;
  readonly names: Map<string, Json>;
  readonly patience: Patience;
  /** What comes now is looked for. */
  #isExpected = true;
  #mark = 0;
  /** Grows with what the connection hears; each message of an array has a place of its own. */
  readonly #index: TraceIndex;
  /** By place of the index: the place of the frame in what the connection heard. */
  readonly #heardPlaces: number[] = [];
  /** The array that was read last: its place in the index, and its messages, which follow it there. */
  #array: { readonly place: number; readonly members: readonly Heard[] } | undefined;
  readonly #number: number;
  readonly #finder: Finder;
  /** Places of the lines of steps. */
  readonly #own = new Set<number>();
  readonly #turns = new TurnReader();
  /** Prompts whose turns have ended. */
  readonly #over = new Set<Seq>();

  constructor(agent: Driven, options: StageOptions) {
    const { name, timers, names, chipOf, finder, number, isSearched, patience } = options;
    this.#number = number;
    this.#finder = finder;
    this.names = names;
    this.patience = patience;
    this.#index = new TraceIndex(connectionId(agent.trace), chipOf);
    agent.receive((frame, message) => {
      const text = frame.from === 'client' && 'text' in frame.line ? frame.line.text : undefined;
      if (text !== undefined && this.wire.isOwn(text)) this.#own.add(this.connection.count);
      if (isSearched) this.#append(frame, message);
      for (const one of eachHeard({ frame, message })) {
        for (const prompt of this.#turns.take(one.frame, one.message)?.prompts ?? [])
          this.#over.add(prompt.seq);
        if (isSearched && one.frame !== frame) this.#append(one.frame, one.message);
      }
    });
    this.wire = new Wire(agent, timers, names);
    this.connection = new ScriptedConnection(this.wire, {
      name,
      timers,
      patience: patience.ms,
      budget: new PromptBudget(Infinity),
      settings: {
        ...DEFAULT_SETTINGS,
        ...{ permission: 'allow-once', elicitation: 'decline', handshake: false },
        terminalCommands: 'allow',
      },
    });
  }

  /** The next expected frame is looked for in what comes from now on. */
  markNow(): void {
    this.#markAt(this.#index.length);
  }

  /** The messages heard since the mark. */
  heardSinceMark(): readonly Heard[] {
    return this.connection.heardSince(this.#heardPlaceOf(this.#mark));
  }

  /** Whether what comes from now on, or since the mark, is looked for; without, hours of it would be kept. */
  expects(isExpected: boolean): void {
    this.#isExpected = isExpected;
    this.#need();
  }

  /** The turn of this prompt has ended. */
  isOver(prompt: Seq | undefined): boolean {
    return prompt !== undefined && this.#over.has(prompt);
  }

  /**
   * The nth frame since the mark that the query matches, of the agent unless it speaks of sides, and
   * never a line of a step; the mark then stands behind it.
   */
  async expect(query: Query, nth: number, within: number): Promise<Heard | undefined> {
    const { connection } = this;
    const index = this.#index;
    const mark = this.#mark;
    const read = (place: number) => this.#heardAt(place).frame;
    const heard = searchedBy(read, () => index.length, this.#number);
    // What stands before the mark may be gone, and is not looked for.
    const texts = (from: number) =>
      from < mark ? new Array<string>(mark - from).fill('') : heard.texts(from);
    const searched = { ...heard, texts };
    const search = new Search(query, index, searched, this.#finder);
    const ofBoth = asks(query, 'side');
    const until = connection.timers.now() + within;
    let next = mark;
    let left = nth;
    for (;;) {
      const patience = until - connection.timers.now();
      const isOver = connection.exit !== undefined || patience <= 0;
      const problem = await search.ask();
      if (problem) throw new Failed(problem.message);
      for (; next < Math.min(index.length, search.end); next++) {
        const found = this.#heardAt(next);
        const isOwn = this.#own.has(this.#heardPlaceOf(next));
        if (found.frame.from === 'client' && (!ofBoth || isOwn)) continue;
        if (!search.test(next)) continue;
        left--;
        if (left > 0) continue;
        this.#markAt(next + 1);
        return found;
      }
      if (isOver) return undefined;
      await connection.until(() => index.length > next, patience);
    }
  }

  #append(frame: Frame, message: Message): void {
    this.#index.append(frame, message);
    this.#heardPlaces.push(this.connection.count);
  }

  #markAt(place: number): void {
    this.#mark = place;
    this.#need();
  }

  #need(): void {
    this.connection.needed = this.#isExpected ? this.#heardPlaceOf(this.#mark) : Infinity;
  }

  #heardPlaceOf(place: number): number {
    return this.#heardPlaces[place] ?? this.connection.count;
  }

  #heardAt(place: number): Heard {
    const heardPlace = this.#heardPlaceOf(place);
    const heard = this.connection.heardAt(heardPlace);
    if (heard === undefined) throw new Error(`no frame stands at ${place}`);
    let array = place;
    while (array !== this.#array?.place && this.#heardPlaces[array - 1] === heardPlace) array--;
    if (array === place) return heard;
    if (array !== this.#array?.place)
      this.#array = { place: array, members: [...eachHeard(heard)] };
    return this.#array.members[place - array - 1] ?? heard;
  }
}
