// v1 messages without ids are told apart only by what stands between them, so an agent that sends two
// in a row sends one. Chunks that are each a message of the live part, or one that agents add by
// themselves, are taken apart again.
import { bare } from '../facts/message-text.ts';
import type { NormalItem } from './normal-form.ts';
import { itemText } from './pair-items.ts';
import { syntheticText } from './texts.ts';

type IsSaid = (kind: string, text: string) => boolean;

/** Whether a message of this kind was said live, word for word. */
export function saidLive(live: readonly Pick<NormalItem, 'kind' | 'fields'>[]): IsSaid {
  let said: ReadonlySet<string> | undefined;
  const keyOf = (kind: string, text: string) => `${kind} ${bare(text)}`;
  return (kind, text) => {
    said ??= new Set(live.map((item) => keyOf(item.kind, itemText(item))));
    return said.has(keyOf(kind, text));
  };
}

/** The messages that these chunks are: each that was said alone, what stands between them together. */
export function messagesIn<C extends { readonly text: string }>(
  kind: string,
  chunks: readonly C[],
  isSaid: IsSaid,
): readonly (readonly C[])[] {
  const isWhole = ({ text }: C) => isSaid(kind, text) || syntheticText(kind, text) !== undefined;
  const all = chunks.map(({ text }) => text).join('');
  if (isSaid(kind, all) || !chunks.some(isWhole)) return [chunks];
  const runs: C[][] = [];
  let isOpen = false;
  for (const chunk of chunks) {
    const last = runs.at(-1);
    const whole = isWhole(chunk);
    if (!whole && isOpen && last) last.push(chunk);
    else runs.push([chunk]);
    isOpen = !whole;
  }
  // Words beside a prompt may be words that were added to the prompt: a client shows one message.
  const isAddedTo = kind === 'user' && runs.some((run) => !run.some(isWhole));
  return isAddedTo ? [chunks] : runs;
}
