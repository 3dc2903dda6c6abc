// The replay cursors sent on a connection, each with its letter. A pin stands on the frame its value
// was taken from, and on the windows it produced.
import { jsonText } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import type { SessionRecord } from '../facts/sessions.ts';
import { cursorIds } from '../restore/cursor-values.ts';
import type { Pin } from './row-view.ts';

export type PinFate = Pin['fate'];

export class PinRecord {
  /** Letters the cursors of all connections: it is the page's, and no part of what is known of the trace. */
  book: PinBook;
  /** The session under which it has its letter. */
  readonly session: string;
  /** The cursor as compact JSON. */
  readonly value: string;
  /** First sent, since the connection began. */
  readonly at: number;
  /** The earliest event before the first use that names an id of the value; -1: none does. */
  readonly source: number;
  /** Of its latest use, and what that brought. */
  fate: PinFate = 'open';
  brought: Pin['brought'];

  constructor(book: PinBook, session: string, value: string, at: number, source: number) {
    this.book = book;
    this.session = session;
    this.value = value;
    this.at = at;
    this.source = source;
  }

  get letter(): string {
    return this.book.letters(this.session).get(this.value) ?? '';
  }
}

/** What a trace does not say of its connection. */
interface PinHome {
  /** When it began, in wall time. */
  began(): number;
  /** The session that a run of ours is about: others on it are its copies. */
  about(): string | undefined;
}

export class Pins {
  private readonly bySession = new Map<number, Map<string, PinRecord>>();
  /** Pins by the event they were taken from. */
  private readonly bySource = new Map<number, PinRecord[]>();
  private readonly book: PinBook;
  private readonly home: PinHome;

  /** `book`: letters the cursors of all connections. */
  constructor(book = new PinBook(), home: PinHome = { began: () => 0, about: () => undefined }) {
    this.book = book;
    this.home = home;
  }

  /** `at`: since the connection began. */
  sent(record: SessionRecord, cursor: Json, at: number): PinRecord {
    let pins = this.bySession.get(record.index);
    if (pins === undefined) this.bySession.set(record.index, (pins = new Map()));
    const value = jsonText(cursor);
    const book = this.book;
    const sessionId = this.home.about() ?? record.sessionId;
    book.sent(sessionId, value, () => this.home.began(), at);
    const known = pins.get(value);
    if (known !== undefined) {
      known.fate = 'open';
      known.brought = undefined;
      return known;
    }
    const sources = record.items.find(cursorIds(cursor));
    const source = sources.length === 0 ? -1 : Math.min(...sources);
    const pin = new PinRecord(book, sessionId, value, at, source);
    pins.set(value, pin);
    if (source >= 0) this.bySource.set(source, [...(this.bySource.get(source) ?? []), pin]);
    return pin;
  }

  /** Tells the book of all pins, which were brought back from where they were kept. */
  retell(): void {
    for (const pins of this.bySession.values())
      for (const pin of pins.values()) {
        pin.book = this.book;
        this.book.sent(pin.session, pin.value, () => this.home.began(), pin.at);
      }
  }

  /** Pins whose value was taken from this event. */
  from(index: number): readonly PinRecord[] {
    return this.bySource.get(index) ?? [];
  }
}

export function pinView({ letter, value }: PinRecord, fate: PinFate, brought: Pin['brought']): Pin {
  return { letter, fate, value, ...(brought === undefined ? {} : { brought }) };
}

// Letters of replay cursors: A, B, … in the order the cursors of a session were first sent, on
// whichever of its connections, one a distinct value. A later send never changes them.

interface Sent {
  /** When its connection began, in wall time: it may be known only later. */
  readonly began: () => number;
  readonly at: number;
  wall?: number;
}

/** One a page. */
export class PinBook {
  /** By session and value. */
  readonly #sent = new Map<string, Map<string, Sent>>();
  /** As last asked for, by session. */
  readonly #letters = new Map<string, ReadonlyMap<string, string>>();

  /** `at`: since `began`, in milliseconds. */
  sent(sessionId: string, value: string, began: () => number, at: number): void {
    const values = this.#sent.get(sessionId) ?? new Map<string, Sent>();
    this.#sent.set(sessionId, values);
    const sent: Sent = { began, at };
    const before = values.get(value);
    // Without times the first that was read is the first.
    if (before && !(wallOf(before) > wallOf(sent))) return;
    values.set(value, sent);
    this.#letters.delete(sessionId);
  }

  /** By value. */
  letters(sessionId: string): ReadonlyMap<string, string> {
    const known = this.#letters.get(sessionId);
    if (known) return known;
    const sent = [...(this.#sent.get(sessionId) ?? [])];
    const values = sent.map(([value, one]) => ({ value, wall: wallOf(one) }));
    values.sort((a, b) => a.wall - b.wall);
    const letters = new Map(values.map(({ value }, i) => [value, letterOf(i)]));
    this.#letters.set(sessionId, letters);
    return letters;
  }
}

function wallOf(sent: Sent): number {
  return (sent.wall ??= sent.began() + sent.at);
}

/** A … Z, AA, AB, … */
export function letterOf(number: number): string {
  const letter = String.fromCharCode(65 + (number % 26));
  return number < 26 ? letter : letterOf(Math.floor(number / 26) - 1) + letter;
}
