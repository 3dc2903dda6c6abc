// What a session does now: prompts that wait for their answer, and what the agent says of its work.
import { get, isArray, objects, str } from '../../acp/json.ts';
import type { JsonObject } from '../../acp/message.ts';

export interface Activity {
  /** Open `session/prompt` requests, by seq, oldest first. */
  prompts: number[];
  /** As told last: v2 and of a child; undefined: nothing was. */
  state: string | undefined;
  /** v2: ids of the background work that was listed last; undefined: none was ever reported. */
  background: readonly string[] | undefined;
}

export function atRest(): Activity {
  return { prompts: [], state: undefined, background: undefined };
}

/** An open prompt, or foreground work the agent told of. */
export function isBusy({ prompts, state }: Activity): boolean {
  return prompts.length > 0 || isWork(state);
}

export function isWork(state: string | undefined): boolean {
  return state === 'running' || state === 'requires_action';
}

/** A `state_update`, or the `state` of a `subagent_update`. */
export function tellState(activity: Activity, told: JsonObject): void {
  activity.state = str(told, 'state') ?? activity.state;
  activity.background = backgroundOf(told) ?? activity.background;
}

/** Ids of the work that a `state_update` lists, empty where it names none; undefined: no list. */
export function backgroundOf(update: JsonObject): readonly string[] | undefined {
  if (!isArray(get(update, 'background'))) return undefined;
  return objects(update, 'background').map((work) => workId(work) ?? '');
}

function workId(work: JsonObject): string | undefined {
  return str(work, 'toolCallId') ?? str(work, 'terminalId') ?? str(work, 'sessionId');
}
