// One turn under a script's hand, in either version: from the prompt to its end, and what of a
// session has not come to an end.
import { str } from '../acp/json.ts';
import type { Json, JsonObject } from '../acp/message.ts';
import { updateOf } from '../acp/update.ts';
import type { Seq } from '../trace/event.ts';
import type { SentRequest, ScriptedConnection } from './scripted.ts';
import { eachHeard, type Heard, type Answered } from './heard.ts';
import type { TurnPrompt } from '../model/facts/activity.ts';
import { type TurnEnd, TurnReader } from '../model/facts/turns.ts';
import { itemKindOf } from '../model/facts/variants.ts';
import { textAfter } from '../model/facts/message-text.ts';

export interface Turn {
  readonly prompt: Answered;
  /** The updates of its session, from the prompt to the end of the turn. */
  readonly updates: readonly SeenUpdate[];
  /** v1: the answer; v2: the idle state. Undefined: it did not end, or not in time. */
  readonly end: Seq | undefined;
  readonly stopReason: string | undefined;
  /** v2: the id of the user message. */
  readonly messageId: string | undefined;
  /** What the agent said, chunks joined. */
  readonly text: string;
}

export interface SeenUpdate {
  readonly seq: Seq;
  readonly variant: string;
  readonly update: JsonObject;
}

export function textBlocks(text: string): Json {
  return [{ type: 'text', text }];
}

/** Sends a prompt of this text and goes on. */
export function askPrompt(
  connection: ScriptedConnection,
  sessionId: string,
  text: string,
  patience = connection.turnPatience,
): SentRequest {
  return connection.ask('session/prompt', { sessionId, prompt: textBlocks(text) }, patience);
}

/** Prompts, and waits until the turn is over. */
export async function takeTurn(
  connection: ScriptedConnection,
  sessionId: string,
  text: string,
): Promise<Turn> {
  const from = connection.heard.length;
  const { answered } = askPrompt(connection, sessionId, text);
  return endOfTurn(connection, sessionId, await answered, from);
}

/** Waits for the end of a turn whose prompt was sent at place `from` of what was heard. */
export async function endOfTurn(
  connection: ScriptedConnection,
  sessionId: string,
  prompt: Answered,
  from: number,
): Promise<Turn> {
  const ending = new TurnWatch(connection, ({ seq }) => seq === prompt.requestSeq);
  if (prompt.answer)
    await connection.until(() => ending.end !== undefined, connection.turnPatience);
  const { seq: end, reason: stopReason } = ending.end ?? {};
  const updates = updatesOf(connection.heard.slice(from), sessionId).filter(
    ({ seq }) => end === undefined || seq <= end,
  );
  return {
    prompt,
    updates,
    end,
    stopReason,
    messageId: str(prompt.result, 'messageId'),
    text: saidText(updates, 'agent'),
  };
}

/** Watches all that is heard on a connection for the end of a prompt's turn. */
export class TurnWatch {
  readonly #heard: readonly Heard[];
  readonly #isMeant: (prompt: TurnPrompt) => boolean;
  readonly #turns = new TurnReader();
  #next = 0;
  #end: TurnEnd | undefined;

  constructor({ heard }: ScriptedConnection, isMeant: (prompt: TurnPrompt) => boolean) {
    this.#heard = heard;
    this.#isMeant = isMeant;
  }

  /** Undefined: it has not come yet. */
  get end(): TurnEnd | undefined {
    for (const heard of this.#heard.slice(this.#next))
      for (const { frame, message } of eachHeard(heard)) {
        const ended = this.#turns.take(frame, message);
        if (ended?.prompts.some(this.#isMeant)) this.#end ??= ended;
      }
    this.#next = this.#heard.length;
    return this.#end;
  }
}

export function updatesOf(heard: readonly Heard[], sessionId: string): SeenUpdate[] {
  const updates: SeenUpdate[] = [];
  for (const one of heard)
    for (const each of eachHeard(one)) {
      const update = updateIn(each, sessionId);
      if (update) updates.push(update);
    }
  return updates;
}

function updateIn(heard: Heard | undefined, sessionId: string): SeenUpdate | undefined {
  if (heard?.frame.from !== 'agent' || heard.message.kind !== 'notification') return undefined;
  const { method, params } = heard.message;
  const update = method === 'session/update' ? updateOf(params) : undefined;
  if (update === undefined || update.sessionId !== sessionId) return undefined;
  return { seq: heard.frame.seq, variant: update.variant, update: update.update };
}

/** The text that the messages of one side add up to; in v2 an upsert replaces what came under its id. */
export function saidText(updates: readonly SeenUpdate[], who: 'user' | 'agent'): string {
  const texts = new Map<string, string>();
  for (const { variant, update } of updates) {
    if (itemKindOf(variant) !== who) continue;
    const id = str(update, 'messageId') ?? '';
    texts.set(id, textAfter(texts.get(id) ?? '', variant, update, Infinity));
  }
  return [...texts.values()].join('\n');
}
