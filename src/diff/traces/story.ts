// The view `story`: what a person would tell of a trace. Messages as one text however they were cut,
// tool calls as they ended, exchanges with their answers, how turns ended.
import { nearestVersion } from '../../acp/handshake.ts';
import { get, isObject } from '../../acp/json.ts';
import { parseMessage, type Json, type Message } from '../../acp/message.ts';
import { updateOf } from '../../acp/update.ts';
import { defined } from '../../lib/defined.ts';
import { FLAG } from '../../model/columns.ts';
import { messageOf } from '../../model/timeline/digest.ts';
import { itemIdOf, itemKindOf } from '../../model/facts/variants.ts';
import { type IndexedTrace, TurnEnds } from '../../model/indexed-trace.ts';
import type { Side } from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';
import { frameValue, lineValue } from './frames.ts';
import type { Ignoring } from './ignore.ts';
import {
  listLane,
  toldWhen,
  type LaneEntry,
  type DiffLane,
  type LaneMaking,
  sectionsOf,
} from './lane.ts';
import {
  messageValue,
  newStep,
  StoryItems,
  TURN_END,
  type WithSession,
  type StoryStep,
} from './story-items.ts';
import { FACTS, wireOrder } from './wire-order.ts';

export async function storyOf(making: LaneMaking): Promise<DiffLane> {
  const { source, takes, ignoring, pause, tokens, apart, history } = making;
  const sections = sectionsOf(source);
  const story = new Story(source, ignoring);
  const { places, crossed } = wireOrder(source.index);
  let done = 0;
  for (const place of places) {
    if (done++ % 500 === 0) await pause();
    if (!takes(place)) continue;
    sections.take(place, story.take(place, sections.at[place] ?? 0));
  }
  sections.finish();
  const entries: LaneEntry[] = [];
  for (const step of history ? factsLast(story.steps()) : story.steps()) {
    if (done++ % 500 === 0) await pause();
    if (ignoring.drops(step.of, () => step.value)) continue;
    const value = ignoring.strip(step.of, step.value);
    const weak = apart ? step.weak + toldWhen(source.index, step.first) : step.weak;
    const entry = { ...step, weak, value };
    entries.push(entry);
    tokens.add(entry.weak, value);
  }
  return { ...listLane(source, entries, sections.list, crossed || history), byId: history };
}

/** What a session is set to may be told at any time: as it is at the end, behind all else. */
function factsLast(steps: readonly StoryStep[]): readonly StoryStep[] {
  const facts = new Map<string, StoryStep>();
  const others = steps.filter((step) => {
    if (!FACTS.has(step.of)) return true;
    const key = `${step.of} ${String(step.value['sessionId'])}`;
    const known = facts.get(key);
    if (known) Object.assign(known.value, step.value);
    else facts.set(key, step);
    return false;
  });
  return [...others, ...[...facts].sort(byKey).map(([, step]) => step)];
}

const byKey = ([one]: readonly [string, StoryStep], [other]: readonly [string, StoryStep]) =>
  one < other ? -1 : 1;

/** A frame or an exit as it is told: where it stands, what it is called, and who said it. */
interface Told {
  readonly place: number;
  readonly section: number;
  readonly name: string;
  readonly by?: Side | 'answer' | undefined;
}

class Story {
  readonly #source: IndexedTrace;
  readonly #ignoring: Ignoring;
  readonly #steps: StoryStep[] = [];
  readonly #items: StoryItems;
  readonly #turns: TurnEnds;
  /** Requests without their answer, by their place. */
  readonly #open = new Map<number, StoryStep>();
  /** By number of the session, as the column `session` has it. */
  readonly #names: WithSession[] = [];
  /** The frame that is being told. */
  #line = '';

  constructor(source: IndexedTrace, ignoring: Ignoring) {
    this.#source = source;
    this.#ignoring = ignoring;
    this.#turns = new TurnEnds(source);
    this.#items = new StoryItems(nearestVersion(source.index.version), (step) =>
      this.#steps.push(step),
    );
  }

  steps(): readonly StoryStep[] {
    return this.#items.settled(this.#steps);
  }

  /** What the event says, if it is a frame. */
  take(place: number, section: number): Message | undefined {
    const { index, textAt, eventAt } = this.#source;
    const { columns } = index;
    const name = columns.nameOf(place);
    const by = columns.fromOf(place);
    const text = by && textAt?.(place);
    if (text !== undefined) {
      const message = parseMessage(text);
      this.#frame({ place, section, name, by }, text, message, () => lineValue(text));
      return message;
    }
    const event = eventAt(place);
    if (event.type === 'exit') {
      const { code, signal, problem } = event;
      this.#tell({ place, section, name }, defined({ code, signal, problem }));
    }
    if (event.type !== 'frame') return undefined;
    const message = messageOf(event);
    const line = lineText(event.line);
    this.#frame({ place, section, name, by }, line, message, () => frameValue(event));
    return message;
  }

  /** `value`: all of its JSON. */
  #frame(at: Told, line: string, message: Message, value: () => Json): void {
    this.#line = line;
    if (this.#ignoring.drops(at.name, value)) return;
    switch (message.kind) {
      case 'request':
        return this.#asked(at, message.params);
      case 'success':
        return this.#answered(at, this.#strip(at.name, 'result', message.result));
      case 'failure':
        return this.#answered(at, this.#strip(at.name, 'error', message.error));
      case 'notification':
        return this.#notified(at, message.params);
      case 'invalid':
        this.#tell(at, { line });
    }
  }

  #tell({ place, section, name, by }: Told, value: Readonly<Record<string, Json>>): StoryStep {
    const step = newStep(name, place, section, value, by);
    this.#steps.push(step);
    return step;
  }

  #asked(at: Told, params: Json | undefined): void {
    const { place, name, by } = at;
    const session = this.#source.index.columns.session.get(place);
    const said = this.#strip(name, 'params', params);
    this.#items.interrupted(session);
    if (name === 'session/prompt' && by === 'client') {
      const value = { ...messageValue(get(said['params'], 'prompt')), ...this.#named(place) };
      const step = this.#tell({ ...at, name: 'user', by: undefined }, value);
      return this.#items.prompted(session, step);
    }
    const step = this.#tell(at, said);
    step.spans = true;
    this.#open.set(place, step);
  }

  #answered(at: Told, said: Readonly<Record<string, Json>>): void {
    const { columns } = this.#source.index;
    const { place, name } = at;
    const asked = columns.partnerOf(place) ?? -1;
    const step = this.#open.get(asked);
    if (step) {
      this.#open.delete(asked);
      Object.assign(step.value, said);
      step.last = place;
      step.frames = 2;
      return;
    }
    const isTurn = asked >= 0 && name === 'session/prompt';
    // v2 answers a prompt at once: what ends the turn is told later.
    if (isTurn && !this.#turns.at(place)) return;
    const session = columns.session.get(place);
    this.#items.interrupted(session);
    const by = 'answer';
    if (!isTurn) return void this.#tell({ ...at, by }, said);
    const end = this.#tell({ ...at, by, name: TURN_END }, { ...said, ...this.#named(place) });
    end.began = asked;
    this.#items.ended(session);
  }

  #notified(told: Told, params: Json | undefined): void {
    const { columns } = this.#source.index;
    const { place, section, name, by } = told;
    const session = columns.session.get(place);
    const found = columns.has(place, FLAG.update) ? updateOf(params) : undefined;
    if (!found || by !== 'agent') {
      this.#items.interrupted(session);
      return void this.#tell(told, this.#strip(name, 'params', params));
    }
    const { variant, update } = found;
    const body = this.#ignoring.leavesWhole(name, this.#line)
      ? update
      : (get(this.#strip(name, 'params', { update })['params'], 'update') ?? null);
    // What comes late is history all the same.
    const isReplay = columns.has(place, FLAG.replay | FLAG.late);
    // What is said again in a replay is told again.
    const window = isReplay ? columns.window.get(place) : 0;
    const at = { place, section, session, window, isReplay, named: this.#named(place) };
    const kind = itemKindOf(variant) ?? (variant === 'plan' ? 'plan' : undefined);
    if (kind === undefined) this.#items.told(at, variant, body, this.#began(place));
    else this.#items.item(at, kind, itemIdOf(variant, update), variant, body);
  }

  /** The place where the turn began that the frame ends. */
  #began(place: number): number | undefined {
    const end = this.#turns.at(place);
    return end && this.#source.index.indexOf(end.prompts[0]?.seq ?? end.began);
  }

  #named(place: number): WithSession {
    const { index } = this.#source;
    const number = index.columns.session.get(place);
    return (this.#names[number] ??= defined({
      sessionId: index.sessionByNumber(number)?.sessionId,
    }));
  }

  /** `{params: …}` without what is left out; nothing where there is nothing. */
  #strip(name: string, key: string, value: Json | undefined): Readonly<Record<string, Json>> {
    if (value === undefined) return {};
    const whole = { [key]: value };
    if (this.#ignoring.leavesWhole(name, this.#line)) return whole;
    const left = this.#ignoring.strip(name, whole, this.#line);
    return isObject(left) ? left : {};
  }
}
