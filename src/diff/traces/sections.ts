// Stretches of a trace as a person tells it: the start, each turn, each restore.
import { get } from '../../acp/json.ts';
import { CLIENT, REQ } from '../../model/columns.ts';
import { contentParts, textOf } from '../../model/facts/content-parts.ts';
import { saidBy } from '../../model/timeline/digest.ts';
import { quoted } from '../../model/words.ts';
import type { IndexedTrace } from '../../model/indexed-trace.ts';
import type { DiffSection } from './report/report.ts';

export class Sections {
  readonly list: DiffSection[] = [{ name: 'Start', words: '' }];
  readonly #source: IndexedTrace;
  /** By number of the session, as its frames may lie between those of another. */
  readonly #current = new Map<number, number>();
  #last = 0;
  #turns = 0;
  #restores = 0;

  constructor(source: IndexedTrace) {
    this.#source = source;
  }

  /** By place: the section of each event. */
  all(): Uint32Array {
    return Uint32Array.from({ length: this.#source.index.length }, (_, place) => this.#at(place));
  }

  #at(place: number): number {
    const { columns } = this.#source.index;
    const session = columns.session.get(place);
    if (columns.kind.get(place) === REQ && columns.side.get(place) === CLIENT) {
      const method = columns.nameOf(place);
      if (method === 'session/prompt')
        this.#begin(session, `Turn ${++this.#turns}`, this.#prompt(place));
      else if (columns.window.get(place) > 0)
        this.#begin(session, `Restore ${++this.#restores}`, method);
    }
    const own = session === 0 ? undefined : this.#current.get(session);
    return own ?? this.#last;
  }

  #begin(session: number, name: string, words: string): void {
    this.#last = this.list.length;
    this.#current.set(session, this.#last);
    this.list.push({ name, words });
  }

  #prompt(place: number): string {
    const event = this.#source.eventAt(place);
    const message = saidBy(event);
    if (message?.kind !== 'request') return '';
    return quoted(textOf(contentParts(get(message.params, 'prompt'))));
  }
}
