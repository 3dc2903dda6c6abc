// What runs in a session, and history after its end. While nothing runs, a message or a tool call can be nothing else. Once a
// prompt was sent what comes may be live; but a user message that nobody sent is not, and in v2,
// where the agent says when work begins, neither is what follows it until then.
import { get, isArray, objects, str } from '../../acp/json.ts';
import type { JsonObject } from '../../acp/message.ts';
import type { Seq } from '../../trace/event.ts';
import type { Question } from './exchanges.ts';
import { isHistory, isMessageKind, type ItemKind } from './variants.ts';

/** A request of the client. */
export interface TurnPrompt extends Question {
  readonly seq: Seq;
}

/** A prompt whose turn has not ended, as far as is known. */
export interface SentPrompt {
  readonly asked: TurnPrompt;
  /** The number of its turn, as far as is known: one that waits has that of the work it was sent into. */
  turn: number;
  /** Work went on when it was sent, so that it may wait for the end of that. */
  held: boolean;
  /** The client had cancelled that work, which therefore is not its own. */
  isNext: boolean;
  /** v2: it was answered, and its turn goes on. */
  isIn: boolean;
}

export interface ActivityFacts {
  /** Oldest first. */
  prompts: SentPrompt[];
  /** True once the client sent a prompt in the session on this connection. */
  prompted: boolean;
  /** As the session or its parent reported last; undefined: neither did. */
  state: string | undefined;
  /** v2: as the session itself reported last. */
  own: string | undefined;
  /** v2: the background work that was listed last; undefined: none was ever reported. */
  background: readonly BackgroundWork[] | undefined;
  /** v2: the first report of the session itself that its foreground work runs; undefined: none runs. */
  began: Seq | undefined;
  /** The number of the turn that goes on; 0: none. */
  turn: number;
  /** The client cancelled the work that goes on. */
  cancelled: boolean;
  /** Requests to restore it that await a response: what the agent reports until then was so before. */
  restores: number;
}

/** One piece of work that runs independently of the foreground (v2). A type that nobody knows is work, too. */
export interface BackgroundWork {
  readonly type: string;
  /** Undefined: the work names none, or its type is not known. */
  readonly id: string | undefined;
}

export function atRest(): ActivityFacts {
  return {
    ...{ prompts: [], prompted: false, state: undefined, own: undefined, background: undefined },
    ...{ began: undefined, turn: 0, cancelled: false, restores: 0 },
  };
}

/** Returns its prompts that await a response. */
export function openPrompts({ prompts }: ActivityFacts): readonly Seq[] {
  return prompts.flatMap(({ isIn, asked }) => (isIn ? [] : asked.seq));
}

/** An open prompt, or foreground work the agent told of. */
export function isBusy({ prompts, state }: ActivityFacts): boolean {
  return isAtWork(state) || prompts.some(({ isIn }) => !isIn);
}

/** True if no prompt awaits its response or the end of its turn, and no foreground work runs. */
export function isResting({ prompts, state }: ActivityFacts): boolean {
  return prompts.length === 0 && !isAtWork(state);
}

export function hasBackground({ background }: ActivityFacts): boolean {
  return background !== undefined && background.length > 0;
}

/**
 * Foreground work may go on: of v2's states, which are open, only `idle` says that none does, and
 * `unknown` that the agent cannot tell.
 */
export function isAtWork(state: string | undefined): boolean {
  return state !== undefined && state !== 'idle';
}

/** Whether what a restore brings of a session at a frame may be live: by then work was asked for, or was told to go on. */
export function mayBeLive(
  {
    prompts,
    workedAt,
  }: { readonly prompts: readonly string[]; readonly workedAt: number | undefined },
  frame: number,
): boolean {
  return prompts.length > 0 || (workedAt !== undefined && frame > workedAt);
}

/** A `state_update`, or the `state` of a `subagent_update`. */
export function tellState(activity: ActivityFacts, told: JsonObject): void {
  activity.state = str(told, 'state') ?? activity.state;
  activity.background = backgroundOf(told) ?? activity.background;
}

/** The work that a `state_update` lists; undefined: it has no list. */
export function backgroundOf(update: JsonObject): readonly BackgroundWork[] | undefined {
  if (!isArray(get(update, 'background'))) return undefined;
  return objects(update, 'background').map(workOf);
}

export function workOf(item: JsonObject): BackgroundWork {
  const type = str(item, 'type') ?? 'unknown';
  const key = ID_OF.get(type);
  return { type, id: key === undefined ? undefined : str(item, key) };
}

const ID_OF: ReadonlyMap<string, string> = new Map([
  ['terminal', 'terminalId'],
  ['tool_call', 'toolCallId'],
  ['subagent', 'sessionId'],
]);

/** `terminal term_1`, or the type alone. */
export function workWords({ type, id }: BackgroundWork): string {
  return id === undefined ? type : `${type} ${id}`;
}

/** True if the last list of background work has the tool call. */
export function listsToolCall({ background }: ActivityFacts, id: string | undefined): boolean {
  if (background === undefined || id === undefined) return false;
  return background.some((work) => work.type === 'tool_call' && work.id === id);
}

/** A list by its words; work without an id, which is never the same, by its place. */
export function byWords(works: readonly BackgroundWork[]): ReadonlyMap<string, BackgroundWork> {
  return new Map(works.map((work, i) => [work.id === undefined ? `${i}` : workWords(work), work]));
}

/** `over`: what comes from here on may be live. */
type Lateness = 'late' | 'other' | 'over';

export class LateWatch<
  Place extends { readonly branch: { readonly lastLate: number | undefined } },
> {
  readonly place: Place;
  private readonly prompts: string[];
  /** v1: all prompts were sent before the history ended; it may still come behind their answers. */
  private isAhead: boolean;
  private foreign = false;

  /** `sent`: texts of v1 prompts that were sent before the history ended. */
  constructor(place: Place, sent: readonly string[]) {
    this.place = place;
    this.prompts = sent.map(squeezed);
    this.isAhead = sent.length > 0;
  }

  prompted(text: string): void {
    this.prompts.push(squeezed(text));
    this.isAhead = false;
  }

  /** A prompt was answered: whether history may still be told from what is live. */
  settled(): boolean {
    this.foreign = false;
    return this.isAhead;
  }

  /** `said`: the text of a message, or of a piece of it. */
  judge(activity: ActivityFacts, kind: ItemKind | undefined, said: () => string): Lateness {
    if (isAtWork(activity.state)) return 'over';
    if (this.prompts.length > 0) return this.prompting(activity, kind, said);
    return isLate(this.place.branch.lastLate !== undefined, activity, kind) ? 'late' : 'other';
  }

  private prompting(
    activity: ActivityFacts,
    kind: ItemKind | undefined,
    said: () => string,
  ): Lateness {
    if (kind === 'user') {
      const text = squeezed(said());
      if (text === '') return 'other';
      if (this.prompts.some((prompt) => prompt.includes(text) || text.includes(prompt)))
        return this.isAhead ? 'other' : 'over';
      this.foreign = true;
      return 'late';
    }
    if (!isHistory(kind)) return 'other';
    if (this.isAhead) return this.foreign && activity.prompts.length === 0 ? 'late' : 'other';
    const tellsWork = activity.state !== undefined;
    return this.foreign && tellsWork ? 'late' : 'over';
  }
}

/**
 * v2 may go on with background work it has listed. A terminal's output proves nothing alone, but
 * belongs to late history around it.
 */
function isLate(hasLate: boolean, activity: ActivityFacts, kind: ItemKind | undefined): boolean {
  const background = hasBackground(activity);
  if (isMessageKind(kind) || kind === 'peer') return true;
  if (kind === 'tool') return !background;
  return kind === 'terminal' && !background && hasLate;
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
