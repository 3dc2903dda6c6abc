// The view `story`: what a person would tell of a trace. Messages as one text however they were cut,
// tool calls as they ended, exchanges with their answers, how turns ended.
import { get, isObject } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { updateOf } from '../../acp/update.ts';
import { defined } from '../../lib/defined.ts';
import { FLAG } from '../../model/columns.ts';
import { messageOf } from '../../model/timeline/digest.ts';
import type { Test } from '../../model/query/query-match.ts';
import { itemIdOf, itemKindOf } from '../../model/facts/variants.ts';
import type { TurnEnd } from '../../model/facts/turns.ts';
import { type IndexedTrace, turnEnds } from '../../model/indexed-trace.ts';
import type { Frame } from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';
import { frameValue } from './frames.ts';
import type { Ignoring } from './ignore.ts';
import { listLane, toldWhen, type Entry, type Lane, type LaneHow, sectionsOf } from './lane.ts';
import { messageValue, newStep, StoryItems, TURN_END, type Step } from './story-items.ts';
import type { Tokens } from './tokens.ts';
import { FACTS, wireOrder } from './wire-order.ts';

export async function storyOf(
  source: IndexedTrace,
  takes: Test,
  ignoring: Ignoring,
  pause: () => Promise<void>,
  tokens: Tokens,
  { apart, history }: LaneHow,
): Promise<Lane> {
  const sections = sectionsOf(source);
  const story = new Story(source, ignoring);
  const { places, crossed } = wireOrder(source.index);
  let done = 0;
  for (const place of places) {
    if (done++ % 500 === 0) await pause();
    if (takes(place)) story.take(place, sections.at[place] ?? 0);
  }
  const entries: Entry[] = [];
  for (const step of history ? factsLast(story.steps()) : story.steps()) {
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
function factsLast(steps: readonly Step[]): readonly Step[] {
  const facts = new Map<string, Step>();
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

const byKey = ([one]: readonly [string, Step], [other]: readonly [string, Step]) =>
  one < other ? -1 : 1;

class Story {
  readonly #source: IndexedTrace;
  readonly #ignoring: Ignoring;
  readonly #steps: Step[] = [];
  readonly #items: StoryItems;
  readonly #turns: ReadonlyMap<number, TurnEnd>;
  /** Requests without their answer, by their place. */
  readonly #open = new Map<number, Step>();
  /** The frame that is being told. */
  #line = '';

  constructor(source: IndexedTrace, ignoring: Ignoring) {
    this.#source = source;
    this.#ignoring = ignoring;
    this.#turns = turnEnds(source);
    const version = (source.index.version ?? 1) >= 2 ? 2 : 1;
    this.#items = new StoryItems(version, (step) => this.#steps.push(step));
  }

  steps(): readonly Step[] {
    return this.#items.settled(this.#steps);
  }

  take(place: number, section: number): void {
    const event = this.#source.eventAt(place);
    if (event.type === 'exit') {
      const { code, signal, problem } = event;
      const how = defined({ code, signal, problem });
      this.#steps.push(newStep('exit', place, section, how));
    } else if (event.type === 'frame') this.#frame(place, section, event);
  }

  #frame(place: number, section: number, event: Frame): void {
    this.#line = 'text' in event.line ? event.line.text : '';
    const { columns } = this.#source.index;
    const name = columns.nameOf(place);
    if (this.#ignoring.drops(name, () => frameValue(event))) return;
    const message = messageOf(event);
    switch (message.kind) {
      case 'request':
        return this.#asked(place, section, name, message.params, event);
      case 'success':
        return this.#answered(place, section, name, 'result', message.result);
      case 'failure':
        return this.#answered(place, section, name, 'error', message.error);
      case 'notification':
        return this.#notified(place, section, name, message.params, event);
      case 'invalid': {
        const value = { line: lineText(event.line) };
        this.#steps.push(newStep(name, place, section, value, event.from));
      }
    }
  }

  #asked(
    place: number,
    section: number,
    name: string,
    params: Json | undefined,
    { from }: Frame,
  ): void {
    const session = this.#source.index.columns.session.get(place);
    const said = this.#strip(name, 'params', params);
    const isPrompt = name === 'session/prompt' && from === 'client';
    this.#items.interrupted(session);
    const step = isPrompt
      ? newStep('user', place, section, {
          ...messageValue(get(said['params'], 'prompt')),
          ...this.#named(place),
        })
      : newStep(name, place, section, said, from);
    this.#steps.push(step);
    if (isPrompt) return this.#items.prompted(session, step);
    step.spans = true;
    this.#open.set(place, step);
  }

  #answered(
    place: number,
    section: number,
    name: string,
    key: 'result' | 'error',
    value: Json,
  ): void {
    const { columns } = this.#source.index;
    const asked = columns.partnerOf(place) ?? -1;
    const said = this.#strip(name, key, value);
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
    if (isTurn && !this.#turns.has(place)) return;
    this.#items.interrupted(columns.session.get(place));
    const told = isTurn ? { ...said, ...this.#named(place) } : said;
    const end = newStep(isTurn ? TURN_END : name, place, section, told, 'answer');
    this.#steps.push(end);
    if (!isTurn) return;
    end.began = asked;
    this.#items.ended(columns.session.get(place));
  }

  #notified(
    place: number,
    section: number,
    name: string,
    params: Json | undefined,
    { from }: Frame,
  ): void {
    const { columns } = this.#source.index;
    const session = columns.session.get(place);
    const found = columns.has(place, FLAG.update) ? updateOf(params) : undefined;
    if (!found || from !== 'agent') {
      this.#items.interrupted(session);
      this.#steps.push(newStep(name, place, section, this.#strip(name, 'params', params), from));
      return;
    }
    const { variant, update } = found;
    const said = this.#strip(name, 'params', { update });
    const body = get(said['params'], 'update') ?? null;
    // What comes late is history all the same.
    const isReplay = columns.has(place, FLAG.replay | FLAG.late);
    // What is said again in a replay is told again.
    const scope = `${session} ${isReplay ? columns.window.get(place) : 0}`;
    const at = {
      ...{ place, section, session, scope, isReplay },
      named: this.#named(place),
      turn: this.#began(place),
    };
    const kind = itemKindOf(variant) ?? (variant === 'plan' ? 'plan' : undefined);
    if (kind === undefined) this.#items.told(at, variant, body);
    else this.#items.item(at, kind, itemIdOf(variant, update), variant, body);
  }

  /** The place where the turn began that the frame ends. */
  #began(place: number): number | undefined {
    const end = this.#turns.get(place);
    return end && this.#source.index.indexOf(end.prompts[0]?.seq ?? end.began);
  }

  #named(place: number): { readonly sessionId?: string } {
    const sessionId = this.#source.index.session(place)?.sessionId;
    return sessionId === undefined ? {} : { sessionId };
  }

  /** `{params: …}` without what is left out; nothing where there is nothing. */
  #strip(name: string, key: string, value: Json | undefined): Readonly<Record<string, Json>> {
    if (value === undefined) return {};
    const left = this.#ignoring.strip(name, { [key]: value }, this.#line);
    return isObject(left) ? left : {};
  }
}
