// Prompts of the client, and the user messages by which the agent echoes them: both are the same
// message and stand in the conversation once.
import { arr } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { contentParts, textOf, withPart } from '../facts/content-parts.ts';
import type { ContentPart } from '../sessions/conversation-view.ts';
import { add, append, change, find, freshKey, put, type Found } from './items.ts';
import type { Draft, Echo, MessageBody, Place, WaitingPrompt } from './state.ts';

/** The key of the message it makes. */
export function askPrompt(draft: Draft, params: Json | undefined, place: Place): string {
  const parts = contentParts(arr(params, 'prompt'));
  const key = freshKey(draft, place.seq);
  const prompt = place.seq;
  add(draft, key, { type: 'message', role: 'user', messageId: undefined, parts, prompt }, place);
  const others = parts.filter((part) => part.type !== 'text').map((part) => JSON.stringify(part));
  draft.waiting = [...draft.waiting, { key, text: textOf(parts), others: new Set(others) }];
  return key;
}

/** No echo is due any more: the turn has ended, or the prompt failed. */
export function settle(draft: Draft, key: string): void {
  const at = draft.waiting.findIndex((waiting) => waiting.key === key);
  if (at >= 0) draft.waiting = draft.waiting.toSpliced(at, 1);
}

/**
 * v2: the waiting prompt that a new user message is, by its text; an empty one is the oldest. It is
 * taken off the list. `stays`: only prompts that still wait stand behind it, so it need not move.
 */
export function claim(
  draft: Draft,
  parts: readonly ContentPart[],
  whole: boolean,
): (Found<MessageBody> & { readonly stays: boolean }) | undefined {
  const text = textOf(parts);
  const found = draft.waiting.find((waiting) =>
    whole && parts.length > 0 ? waiting.text === text : waiting.text.startsWith(text),
  );
  if (!found) return undefined;
  const behind = draft.waiting.length - 1 - draft.waiting.indexOf(found);
  settle(draft, found.key);
  const prompt = find(draft, found.key, 'message');
  return prompt && { ...prompt, stays: draft.items.length - 1 - prompt.index === behind };
}

/**
 * v1: takes a chunk that repeats a waiting prompt. True: it is part of the prompt's message now. A
 * chunk that departs in the middle gives back, as a message of its own, what looked like an echo
 * before it.
 */
export function absorb(
  draft: Draft,
  part: ContentPart,
  id: string | undefined,
  place: Place,
): boolean {
  const echo = draft.echo?.made === draft.made ? draft.echo : undefined;
  draft.echo = echo;
  const echoed = echo && find(draft, echo.prompt.key, 'message');
  const same = echoed && (id === undefined || id === echoed.item.body.messageId);
  if (same && repeats(echo.prompt, echo.said, part)) return take(draft, echo, part, id, place);
  if (same && echo.prompt.text.slice(echo.said).trim() !== '') {
    giveBack(draft, echo, echoed);
    return false;
  }
  const prompt = draft.waiting.find((waiting) => repeats(waiting, 0, part));
  const found = prompt && find(draft, prompt.key, 'message');
  if (!found) return false;
  settle(draft, prompt.key);
  const { seq, at, replay } = place;
  const begun: Echo = {
    prompt,
    parts: [],
    first: { seq, at, replay },
    lastBefore: found.item.last,
    made: draft.made,
    frames: 0,
    said: 0,
  };
  return take(draft, begun, part, id, place);
}

function take(
  draft: Draft,
  echo: Echo,
  part: ContentPart,
  id: string | undefined,
  place: Place,
): boolean {
  const found = find(draft, echo.prompt.key, 'message');
  if (!found) return false;
  draft.echo = {
    ...echo,
    parts: withPart(echo.parts, part),
    frames: echo.frames + 1,
    said: echo.said + (part.type === 'text' ? part.text.length : 0),
  };
  const { body } = found.item;
  change(draft, found, { ...body, messageId: id ?? body.messageId }, place);
  return true;
}

function giveBack(draft: Draft, echo: Echo, { index, item }: Found<MessageBody>): void {
  const { first, parts, frames, lastBefore } = echo;
  const { messageId } = item.body;
  draft.echo = undefined;
  put(draft, index, {
    ...item,
    last: lastBefore,
    frames: item.frames - frames,
    body: { ...item.body, messageId: undefined },
  });
  append(draft, {
    key: freshKey(draft, first.seq),
    alias: undefined,
    first: first.seq,
    last: item.last,
    frames,
    at: first.at,
    replay: first.replay,
    late: item.late,
    body: { type: 'message', role: 'user', messageId, parts, prompt: undefined },
  });
}

/** Whether the part is what the prompt says next, after so many characters of its text. */
function repeats({ text, others }: WaitingPrompt, said: number, part: ContentPart): boolean {
  if (part.type !== 'text') return others.has(JSON.stringify(part));
  if (part.text === '') return false;
  return text.startsWith(part.text, said) || text.slice(said).trim() === part.text.trim();
}
