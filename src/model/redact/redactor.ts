// A trace without what should not leave. It is read twice: once to learn its secrets, also those that are
// split over frames or told only later, and once to give each line without them. Memory grows with the
// secrets, not with the trace.
import type { TraceEvent } from '../../trace/event.ts';
import { eventLine, parseEvent, isUnreadable, type Redacted } from '../../trace/format.ts';
import { Book, type SecretRule } from './book.ts';
import { SecretFinder } from './finder.ts';
import { applied, type Hit } from './hits.ts';
import { Leftovers, type LeftoverCount } from './leftovers.ts';
import type { RedactionLevel } from './levels.ts';
import { Streams, type Split } from './streams.ts';

export interface RedactionOptions {
  readonly level: RedactionLevel;
  /** Values that are secrets, from outside the trace: of the agent's own environment. */
  readonly known?: readonly string[];
  /** By which equal texts get equal placeholders; made anew for each file. */
  readonly salt?: number;
}

/** What was put otherwise in the lines that were given. */
export interface Redaction {
  readonly level: RedactionLevel;
  /** Places, by what told of each. */
  readonly hits: Readonly<Partial<Record<SecretRule, number>>>;
  /** Different secrets. */
  readonly secrets: number;
  readonly leftovers: readonly LeftoverCount[];
}

export class Redactor {
  readonly #level: RedactionLevel;
  readonly #book: Book;
  readonly #finder: SecretFinder;
  readonly #streams: Streams;
  readonly #hits = new Map<SecretRule, number>();
  readonly #leftovers = new Leftovers();

  constructor({ level, known, salt = newSalt() }: RedactionOptions) {
    this.#level = level;
    this.#book = new Book(known);
    this.#finder = new SecretFinder(level, this.#book, salt);
    this.#streams = new Streams((text) => this.#finder.find(text));
  }

  /** The first reading: each line of the file, the header too. */
  learn(line: string, event?: TraceEvent): void {
    if (this.#level === 'all') return;
    this.#book.note(line);
    this.#find(line, event);
    if (event?.type === 'frame') this.#streams.take(event);
  }

  learnEvent(event: TraceEvent): void {
    this.learn(eventLine(event), event);
  }

  /** The first reading is over. */
  learned(): void {
    this.#streams.end();
  }

  /** The second: a line of the file, as it may leave. */
  line(line: string, event?: TraceEvent): string {
    if (this.#level === 'all') return line;
    const given = event?.type === 'frame' ? this.#streams.of(event.seq) : undefined;
    const hits = this.#find(line, event, given);
    this.#count(hits);
    return applied(line, hits);
  }

  /** The same of an event. */
  event(event: TraceEvent): TraceEvent {
    const line = eventLine(event);
    const out = this.eventText(line, event);
    return out === line ? event : (JSON.parse(out) as TraceEvent);
  }

  /** The line of an event as it stands in its file; what is not left out stays byte for byte. */
  eventText(line: string, event: TraceEvent): string {
    const out = this.line(line, event);
    const read = out === line ? event : parseEvent(out);
    if (!isUnreadable(read)) this.#leftovers.take(read);
    return out;
  }

  /**
   * A text that is copied: a frame's line, a value, a report. `part`: only [from, to) of it is, and the rest
   * tells what it is.
   */
  text(text: string, [from, to]: readonly [number, number] = [0, text.length]): string {
    if (this.#level === 'all') return text.slice(from, to);
    const hits = this.#finder
      .find(text, 'inner')
      .filter((hit) => hit.end > from && hit.start < to)
      .map((hit) => ({
        ...hit,
        start: Math.max(hit.start - from, 0),
        end: Math.min(hit.end, to) - from,
      }));
    this.#count(hits);
    return applied(text.slice(from, to), hits);
  }

  /** What a header says of it; undefined: nothing was left out. */
  mark(before: Redacted | undefined): Redacted | undefined {
    if (this.#level === 'all') return before;
    const secrets = { ...before?.secrets };
    for (const [rule, count] of Object.entries(this.#book.values))
      secrets[rule] = (secrets[rule] ?? 0) + count;
    return { level: this.#level, secrets };
  }

  get redaction(): Redaction {
    return {
      level: this.#level,
      hits: Object.fromEntries(this.#hits),
      secrets: Object.values(this.#book.values).reduce((sum, count) => sum + count, 0),
      leftovers: this.#leftovers.counts,
    };
  }

  #find(line: string, event?: TraceEvent, given?: ReadonlyMap<string, Split>): readonly Hit[] {
    return event ? this.#finder.line(line, given) : this.#finder.find(line, 'event');
  }

  #count(hits: readonly Hit[]): void {
    for (const { rule } of hits) this.#hits.set(rule, (this.#hits.get(rule) ?? 0) + 1);
  }
}

function newSalt(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}
