// The frames that made one item of a replay, read again from its trace. Only faults need them.
import type { JsonObject } from '../../acp/message.ts';
import { updateOf } from '../../acp/update.ts';
import { updateText } from '../facts/content-parts.ts';
import { saidAt } from '../indexed-trace.ts';
import type { Seq } from '../../trace/event.ts';
import type { Numbered } from './normalize.ts';
import { historyAt, type Numbering } from './numbering.ts';

export interface ItemFrame {
  readonly seq: Seq;
  /** True if the frame came after the end of the history. */
  readonly late: boolean;
  readonly update: JsonObject;
}

/** Returns the updates of an item, in order. */
export function itemFrames(item: Numbered, numbering: Numbering): readonly ItemFrame[] {
  const { source, place: first } = numbering.at(item.from);
  const { columns } = source.index;
  const number = columns.item.get(first);
  const session = columns.session.get(first);
  const last = numbering.at(item.to).place;
  const frames: ItemFrame[] = [];
  for (let place = first; place <= last; place++) {
    if (place !== first && place !== last && columns.item.get(place) !== number) continue;
    if (columns.session.get(place) !== session) continue;
    const message = saidAt(source, place);
    const update = message?.kind === 'notification' ? updateOf(message.params)?.update : undefined;
    if (update === undefined) continue;
    const late = historyAt(source, place)?.late === true;
    frames.push({ seq: columns.seqOf(place), late, update });
  }
  return frames;
}

/** Returns the frame that gave a message its first text, or the first frame of any other item. */
export function spokeAt(item: Numbered, numbering: Numbering): Seq {
  if (item.kind === 'tool') return item.first.seq;
  const spoke = itemFrames(item, numbering).find(({ update }) => updateText(update) !== '');
  return spoke?.seq ?? item.first.seq;
}
