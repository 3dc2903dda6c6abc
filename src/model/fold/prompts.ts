// Prompts of the client, and the user messages by which the agent echoes them: both are the same
// message and stand in the conversation once.
import { arr } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { contentParts, withPart } from '../facts/content-parts.ts';
import { apart, echoedBy, pieceOf, prompted, settled } from '../facts/echo.ts';
import type { ContentPart } from '../sessions/conversation-view.ts';
import { add, append, change, find, freshKey, put, type FoundItem } from './items.ts';
import type { Draft, Echo, MessageBody, FoldedFrame } from './state.ts';

/** The key of the message it makes. */
export function addPrompt(draft: Draft, params: Json | undefined, place: FoldedFrame): string {
  const parts = contentParts(arr(params, 'prompt'));
  const key = freshKey(draft, place.seq);
  const prompt = place.seq;
  add(draft, key, { type: 'message', role: 'user', messageId: undefined, parts, prompt }, place);
  draft.echoes = prompted(draft.echoes, key, parts);
  return key;
}

/**
 * v2: the waiting prompt that a new user message is. It is taken off the list. `stays`: only prompts
 * that still wait stand behind it, so it need not move.
 */
export function claim(
  draft: Draft,
  parts: readonly ContentPart[],
  whole: boolean,
): (FoundItem<MessageBody> & { readonly stays: boolean }) | undefined {
  const key = echoedBy(draft.echoes, parts, whole);
  const found = key === undefined ? undefined : find(draft, key, 'message');
  if (key === undefined || !found) return undefined;
  const { waiting } = draft.echoes;
  const behind = waiting.length - 1 - waiting.findIndex((one) => one.key === key);
  draft.echoes = settled(draft.echoes, key);
  return { ...found, stays: draft.items.length - 1 - found.index === behind };
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
  place: FoldedFrame,
): boolean {
  if (draft.echo?.made !== draft.made) draft.echo = undefined;
  const [echoes, piece] = pieceOf(draft.echo ? draft.echoes : apart(draft.echoes), part, id);
  draft.echoes = echoes;
  const found = piece && find(draft, piece.of, 'message');
  if (!found) return false;
  if (piece.is === 'departure') {
    if (draft.echo) giveBack(draft, draft.echo, found);
    return false;
  }
  const { seq, at, replay } = place;
  const begun = { first: { seq, at, replay }, lastBefore: found.item.last, made: draft.made };
  const { parts, frames, ...since } =
    piece.is === 'more' && draft.echo ? draft.echo : { ...begun, parts: [], frames: 0 };
  draft.echo = { ...since, parts: withPart(parts, part), frames: frames + 1 };
  const { body } = found.item;
  change(draft, found, { ...body, messageId: id ?? body.messageId, isEchoed: true }, place);
  return true;
}

function giveBack(draft: Draft, echo: Echo, { index, item }: FoundItem<MessageBody>): void {
  const { first, parts, frames, lastBefore } = echo;
  const { messageId } = item.body;
  draft.echo = undefined;
  put(draft, index, {
    ...item,
    last: lastBefore,
    frames: item.frames - frames,
    body: { ...item.body, messageId: undefined, isEchoed: false },
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
