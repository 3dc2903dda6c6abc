// Everything that was said live of one item, read again from the frames, and only where fields differ.
import { get, str } from '../../acp/json.ts';
import { updateOf } from '../../acp/update.ts';
import { saidBy } from '../../model/timeline/digest.ts';
import type { IndexedTrace } from '../../model/indexed-trace.ts';
import { Said } from '../../model/replay/said.ts';
import type { NormalItem } from '../../model/replay/normal-form.ts';

/** Whether the permission that a frame asks for was given. */
function isAllowed({ index, eventAt }: IndexedTrace, place: number): boolean {
  const answered = index.columns.partnerOf(place);
  const answer = answered === undefined ? undefined : saidBy(eventAt(answered));
  return answer?.kind === 'success' && str(get(answer.result, 'outcome'), 'outcome') === 'selected';
}

/** Finds what was said of tool calls, in the live frames of all traces. */
export class SaidOf {
  readonly #sources: readonly IndexedTrace[];
  /** By trace: the places of each item, by its id. */
  readonly #places = new Map<IndexedTrace, ReadonlyMap<number, readonly number[]>>();

  constructor(sources: readonly IndexedTrace[]) {
    this.#sources = sources;
  }

  tool({ first, last, id }: NormalItem): Said {
    const said = new Said();
    const connections = new Set([first.connection, last.connection]);
    for (const source of this.#sources) {
      if (!connections.has(source.connection)) continue;
      const { index, eventAt } = source;
      const ref = source.connection === first.connection ? first : last;
      const item = index.columns.item.get(index.indexOf(ref.seq));
      for (const place of this.#of(source).get(item) ?? []) {
        if (index.window(place)) continue;
        const event = eventAt(place);
        const message = saidBy(event);
        if (message?.kind !== 'notification' && message?.kind !== 'request') continue;
        const { params } = message;
        const tool = get(params, 'toolCall') ?? get(get(params, 'subject'), 'toolCall');
        const value = updateOf(params)?.update ?? tool;
        if (str(value, 'toolCallId') !== id) continue;
        said.take(value);
        if (message.kind === 'request') said.isRefused = !isAllowed(source, place);
      }
    }
    return said;
  }

  #of(source: IndexedTrace): ReadonlyMap<number, readonly number[]> {
    const known = this.#places.get(source);
    if (known) return known;
    const places = new Map<number, number[]>();
    const { columns, length } = source.index;
    for (let place = 0; place < length; place++) {
      const item = columns.item.get(place);
      if (item === 0) continue;
      const list = places.get(item);
      if (list) list.push(place);
      else places.set(item, [place]);
    }
    this.#places.set(source, places);
    return places;
  }
}
