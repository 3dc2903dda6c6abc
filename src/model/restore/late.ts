// Of what came behind the end of a window: whether some of it is history for sure. While nothing runs a
// user's message is, and what was said before; of anything else, and of a tool call that had not ended,
// nobody can tell (`mayGoOn`).
import { str } from '../../acp/json.ts';
import { isFinal, updateOf } from '../../acp/update.ts';
import { FLAG } from '../columns.ts';
import { bare, goesOn, textAfter } from '../facts/message-text.ts';
import type { SessionRecord } from '../facts/sessions.ts';
import { isMessageKind, itemIdOf, itemKindOf, type ItemKind } from '../facts/variants.ts';
import { mayGoOn } from '../replay/judge.ts';
import { isToldAgain, syntheticText } from '../replay/texts.ts';
import { saidBy } from '../timeline/digest.ts';
import type { WindowRecord } from '../timeline/replay-windows.ts';
import type { Looked } from './restore-verdict.ts';

/** `earlier`: traces that began before this one. */
export function isSurelyLate(
  here: Looked,
  window: WindowRecord,
  earlier: readonly Looked[],
): boolean {
  const { index } = here;
  const { columns } = index;
  const { lastLate, end, id } = window;
  const said = new Map<SessionRecord, readonly Said[]>();
  for (let place = end + 1; window.late > 0 && place <= lastLate; place++) {
    if (!columns.has(place, FLAG.late) || columns.window.get(place) !== id + 1) continue;
    const kind = itemKindOf(columns.nameOf(place));
    const session = index.sessionByNumber(columns.session.get(place));
    if (kind === undefined || session === undefined) continue;
    // A child may have been told more meanwhile.
    if (kind === 'user' && session === window.session) return true;
    const told = updateAt(here, place);
    const text = told ? textAfter('', told.variant, told.update) : '';
    // What an agent puts into a history by itself is none of its work.
    if (syntheticText(kind, text) !== undefined) return true;
    const before = said.get(session) ?? saidOf(session, [here, ...earlier], end);
    said.set(session, before);
    const itemId = told && itemIdOf(told.variant, told.update);
    if (before.some((one) => one.knows(kind, itemId, bare(text)))) return true;
  }
  return false;
}

function saidOf(
  { sessionId }: SessionRecord,
  [here, ...earlier]: readonly [Looked, ...Looked[]],
  end: number,
): readonly Said[] {
  return [here, ...earlier].flatMap((looked) => {
    const session = looked.index.sessionNamed(sessionId);
    const until = looked === here ? end : looked.index.length;
    return session ? new Said(looked, session, until) : [];
  });
}

/** Frames that are looked through for a text, from the latest back: older ones are seldom told late alone. */
const MOST_FRAMES = 5000;

/** What was said of a session before an event. */
class Said {
  readonly #in: Looked;
  readonly #session: SessionRecord;
  readonly #until: number;
  #texts: ReadonlyMap<ItemKind, readonly string[]> | undefined;

  constructor(looked: Looked, session: SessionRecord, until: number) {
    this.#in = looked;
    this.#session = session;
    this.#until = until;
  }

  /** It was said, and is over; `text`: bare. */
  knows(kind: ItemKind, id: string | undefined, text: string): boolean {
    const first = id === undefined ? undefined : this.#session.items.get(kind, id);
    if (first !== undefined && first < this.#until)
      return !mayGoOn(kind, kind !== 'tool' || this.#hasEnded(first));
    this.#texts ??= this.#read();
    return this.#texts.get(kind)?.some((said) => isToldAgain(said, text)) === true;
  }

  /** Whether a tool call had its last status. */
  #hasEnded(first: number): boolean {
    const { columns } = this.#in.index;
    for (let place = this.#until - 1; place >= first; place--) {
      if (columns.item.get(place) !== first + 1) continue;
      const status = str(updateAt(this.#in, place)?.update, 'status');
      if (status) return isFinal(status);
    }
    return false;
  }

  /** Bare texts of messages, by kind. */
  #read(): ReadonlyMap<ItemKind, readonly string[]> {
    const { columns, version } = this.#in.index;
    const places: number[] = [];
    for (let place = this.#until - 1; place >= 0 && places.length < MOST_FRAMES; place--) {
      if (columns.session.get(place) !== this.#session.index + 1) continue;
      if (columns.has(place, FLAG.update) && itemKindOf(columns.nameOf(place))) places.push(place);
    }
    const messages: { kind: ItemKind; id: string | undefined; text: string }[] = [];
    for (const place of places.reverse()) {
      const told = updateAt(this.#in, place);
      const kind = itemKindOf(told?.variant ?? '');
      if (told === undefined || kind === undefined) continue;
      const id = itemIdOf(told.variant, told.update);
      const last = messages.at(-1);
      const isMore = last?.kind === kind && isMessageKind(kind) && goesOn(last.id, id, version);
      if (isMore) last.text = textAfter(last.text, told.variant, told.update);
      else messages.push({ kind, id, text: textAfter('', told.variant, told.update) });
    }
    const texts = new Map<ItemKind, string[]>();
    for (const { kind, text } of messages)
      texts.set(kind, [...(texts.get(kind) ?? []), bare(text)]);
    return texts;
  }
}

function updateAt({ eventAt }: Looked, place: number) {
  const message = saidBy(eventAt(place));
  return message?.kind === 'notification' ? updateOf(message.params) : undefined;
}
