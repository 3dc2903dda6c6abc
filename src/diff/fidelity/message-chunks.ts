// v1 messages without ids are told apart only by what stands between them, so an agent that sends
// two in a row sends one. Chunks that are each a message of the live part, or one that agents add by
// themselves, are taken apart again to compare them.
import { bare } from '../../model/facts/message-text.ts';
import type { FieldValue, NormalItem } from './normal-form.ts';
import type { Numbered } from './normalize.ts';
import type { Numbering } from './numbering.ts';
import { textOf } from './pair-items.ts';
import { syntheticText } from '../../model/replay/synthetic.ts';

/** A chunk of a message: the number of its frame, and its text. */
export interface Chunk {
  readonly number: number;
  readonly text: string;
  readonly late: boolean;
}

/** `chunks`: by the number of the first frame of their message. */
export function takenApart(
  replayed: readonly Numbered[],
  live: readonly NormalItem[],
  chunks: ReadonlyMap<number, readonly Chunk[]>,
  numbering: Numbering,
): Numbered[] {
  let said: ReadonlySet<string> | undefined;
  const keyOf = (kind: string, text: string) => `${kind} ${bare(text)}`;
  const isSaid = (kind: string, text: string) =>
    (said ??= new Set(live.map((item) => keyOf(item.kind, textOf(item))))).has(keyOf(kind, text));
  return replayed.flatMap((item): Numbered[] => {
    const parts = chunks.get(item.from) ?? [];
    if (item.id !== undefined || parts.length < 2 || item.fields.size !== 1) return [item];
    const isWhole = ({ text }: Chunk) =>
      isSaid(item.kind, text) || syntheticText(item.kind, text) !== undefined;
    if (isSaid(item.kind, textOf(item)) || !parts.some(isWhole)) return [item];
    return runsOf(parts, isWhole).map((run): Numbered => {
      const from = run[0]?.number ?? item.from;
      const to = run.at(-1)?.number ?? item.to;
      const text: FieldValue = { type: 'text', text: run.map((chunk) => chunk.text).join('') };
      const frames = { first: numbering.frame(from), last: numbering.frame(to) };
      const late = run.some((chunk) => chunk.late);
      return {
        ...item,
        ...frames,
        from,
        to,
        late,
        frames: run.length,
        fields: new Map([['text', text]]),
      };
    });
  });
}

/** Each whole message alone, what stands between them together. */
function runsOf(parts: readonly Chunk[], isWhole: (chunk: Chunk) => boolean): Chunk[][] {
  const runs: Chunk[][] = [];
  let isOpen = false;
  for (const part of parts) {
    const last = runs.at(-1);
    const whole = isWhole(part);
    if (!whole && isOpen && last) last.push(part);
    else runs.push([part]);
    isOpen = !whole;
  }
  return runs;
}
