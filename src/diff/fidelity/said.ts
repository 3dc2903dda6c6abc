// Everything that was said live of one item, also what a later update replaced: a replay that says
// some of it says nothing that was never so. Read again from the frames, and only where fields differ.
import { get, isArray, isObject, str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { updateOf } from '../../acp/update.ts';
import { saidBy } from '../../model/timeline/digest.ts';
import type { IndexedTrace } from '../../model/indexed-trace.ts';
import type { SaidLive } from '../../model/replay/judge.ts';
import type { NormalItem } from './normal-form.ts';
import { bare } from '../../model/facts/message-text.ts';

/** Words of a tool call's fields that replace each other. */
const WORDS = ['status', 'kind', 'name', 'title'] as const;

export class Said implements SaidLive {
  readonly #words = new Map<string, Set<string>>();
  readonly #texts: string[] = [];
  /** It asked for a permission last, and nobody gave it. */
  isRefused = false;

  /** Whether a field ever had this value. */
  word(field: string, word: string): boolean {
    return this.#words.get(field)?.has(bare(word)) ?? false;
  }

  /** Whether the text stood anywhere, but for white space. */
  text(text: string): boolean {
    const wanted = bare(text);
    return wanted === '' || this.#texts.some((said) => said.includes(wanted));
  }

  take(value: Json | undefined): void {
    for (const field of WORDS) {
      const word = str(value, field);
      if (word === undefined) continue;
      const known = this.#words.get(field) ?? new Set();
      this.#words.set(field, known.add(bare(word)));
    }
    collect(value, this.#texts, DEEPEST);
  }
}

const DEEPEST = 40;

function collect(value: Json | undefined, texts: string[], depth: number): void {
  if (typeof value === 'string') texts.push(bare(value));
  else if (typeof value === 'number' || typeof value === 'boolean') texts.push(String(value));
  else if (depth > 0 && isArray(value)) for (const one of value) collect(one, texts, depth - 1);
  else if (depth > 0 && isObject(value))
    for (const one of Object.values(value)) collect(one, texts, depth - 1);
}

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
