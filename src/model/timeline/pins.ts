// The replay cursors sent on a connection, each with its letter. A pin stands on the frame its value
// was taken from, and on the windows it produced.
import type { Json } from '../../acp/message.ts';
import { cursorIds } from '../restore/cursor-values.ts';
import { PinBook } from './pin-book.ts';
import type { Pin } from './row-view.ts';
import type { SessionRecord } from '../facts/sessions.ts';

export type Fate = Pin['fate'];

export interface PinRecord {
  readonly letter: string;
  /** The cursor as compact JSON. */
  readonly value: string;
  /** The earliest event before the first use that names an id of the value; -1: none does. */
  readonly source: number;
  /** Of its latest use, and what that brought. */
  fate: Fate;
  brought: Pin['brought'];
}

/** What a trace does not say of its connection. */
export interface PinHome {
  /** When it began, in wall time. */
  began(): number;
  /** The session that a run of ours is about: others on it are its copies. */
  about(): string | undefined;
}

export class Pins {
  readonly #bySession = new Map<number, Map<string, PinRecord>>();
  /** Pins by the event they were taken from. */
  readonly #bySource = new Map<number, PinRecord[]>();
  readonly #book: PinBook;
  readonly #home: PinHome;

  /** `book`: letters the cursors of all connections. */
  constructor(book = new PinBook(), home: PinHome = { began: () => 0, about: () => undefined }) {
    this.#book = book;
    this.#home = home;
  }

  /** `at`: since the connection began. */
  sent(record: SessionRecord, cursor: Json, at: number): PinRecord {
    let pins = this.#bySession.get(record.index);
    if (pins === undefined) this.#bySession.set(record.index, (pins = new Map()));
    const value = jsonText(cursor);
    const book = this.#book;
    const sessionId = this.#home.about() ?? record.sessionId;
    book.sent(sessionId, value, () => this.#home.began(), at);
    const known = pins.get(value);
    if (known !== undefined) {
      known.fate = 'open';
      known.brought = undefined;
      return known;
    }
    const sources = record.items.find(cursorIds(cursor));
    const source = sources.length === 0 ? -1 : Math.min(...sources);
    const pin: PinRecord = {
      get letter() {
        return book.letters(sessionId).get(value) ?? '';
      },
      value,
      source,
      fate: 'open',
      brought: undefined,
    };
    pins.set(value, pin);
    if (source >= 0) this.#bySource.set(source, [...(this.#bySource.get(source) ?? []), pin]);
    return pin;
  }

  /** Pins whose value was taken from this event. */
  from(index: number): readonly PinRecord[] {
    return this.#bySource.get(index) ?? [];
  }
}

export function pinView({ letter, value }: PinRecord, fate: Fate, brought: Pin['brought']): Pin {
  return { letter, fate, value, ...(brought === undefined ? {} : { brought }) };
}

/** Compact JSON; JSON nested too deep to write has a word instead. */
export function jsonText(value: Json): string {
  try {
    return JSON.stringify(value);
  } catch {
    return 'nested too deep to show';
  }
}
