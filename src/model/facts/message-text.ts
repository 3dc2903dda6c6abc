// The text of messages: joined from chunks or blocks, and as it is compared, without white space,
// which agents change when they store a message.
import { get, isArray, objects, str } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { chunkText, isChunk } from '../../acp/update.ts';

/** Where texts are compared, the begin of a longer message stands for it. */
export const LONGEST = 20_000;

export function blocksText(holder: Json | undefined, key: string): string {
  return objects(holder, key)
    .map((block) => (str(block, 'type') === 'text' ? (str(block, 'text') ?? '') : ''))
    .join('');
}

/**
 * A message's text after an update of it: chunks add, a list of blocks replaces, null clears.
 * `longest`: no more of it is kept.
 */
export function textAfter(
  text: string,
  variant: string,
  update: JsonObject,
  longest = LONGEST,
): string {
  if (isChunk(variant)) {
    if (text.length >= longest) return text;
    const joined = text + (chunkText(update) ?? '');
    return joined.length <= longest ? joined : joined.slice(0, longest);
  }
  const content = get(update, 'content');
  if (content === null) return '';
  return isArray(content) ? blocksText(update, 'content').slice(0, longest) : text;
}

/**
 * Whether a chunk with this id, or without one, is more of the message of its kind that stands last,
 * whose id is `last`, if it has one: in v1 only another id begins a message; in v2 each has its id.
 */
export function goesOn(
  last: string | undefined,
  id: string | undefined,
  version: number | undefined,
): boolean {
  return id === last || (id === undefined && version === 1);
}

/** The text of a prompt, or its begin. */
export function promptText(params: Json | undefined): string {
  return blocksText(params, 'prompt').slice(0, LONGEST);
}

/** Without white space: chunks are cut anywhere, and agents trim. */
export function bare(text: string): string {
  return text.replace(/\s+/gu, '');
}
