// What runs in a session, and history after its end. While nothing runs, a message or a tool call can be nothing else. Once a
// prompt was sent what comes may be live; but a user message that nobody sent is not, and in v2,
// where the agent says when work begins, neither is what follows it until then.
import { get, isArray, objects, str } from '../../acp/json.ts';
import type { JsonObject } from '../../acp/message.ts';
import { isHistory, isMessageKind, type ItemKind } from './variants.ts';

export interface ActivityFacts {
  /** Open `session/prompt` requests, by seq, oldest first. */
  prompts: number[];
  /** As told last: v2 and of a child; undefined: nothing was. */
  state: string | undefined;
  /** v2: the background work that was listed last; undefined: none was ever reported. */
  background: readonly BackgroundWork[] | undefined;
}

/** One piece of work that runs independently of the foreground (v2). A type that nobody knows is work, too. */
export interface BackgroundWork {
  readonly type: string;
  /** Undefined: the work names none, or its type is not known. */
  readonly id: string | undefined;
}

export function atRest(): ActivityFacts {
  return { prompts: [], state: undefined, background: undefined };
}

/** An open prompt, or foreground work the agent told of. */
export function isBusy({ prompts, state }: ActivityFacts): boolean {
  return prompts.length > 0 || isAtWork(state);
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
  const background = (activity.background?.length ?? 0) > 0;
  if (isMessageKind(kind) || kind === 'peer') return true;
  if (kind === 'tool') return !background;
  return kind === 'terminal' && !background && hasLate;
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
