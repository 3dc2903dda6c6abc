// Numbers for frames of several traces in the order they count as live, so that one fold can take
// them all, and every number leads back to its frame.
import { seq, type Seq } from '../../trace/event.ts';
import type { IndexedTrace } from '../../model/indexed-trace.ts';
import type { FrameRef } from './normal-form.ts';

interface Numbered {
  readonly source: IndexedTrace;
  readonly place: number;
}

export class Numbering {
  readonly #frames: Numbered[] = [];

  /** The number of the event at a place of a trace: higher than all before. */
  next(source: IndexedTrace, place: number): Seq {
    this.#frames.push({ source, place });
    return seq(this.#frames.length);
  }

  frame(number: number): FrameRef {
    const { source, place } = this.at(number);
    return { connection: source.connection, seq: source.index.columns.seqOf(place) };
  }

  /** What the connection of a frame speaks; undefined: its trace does not tell. */
  version(number: number): 1 | 2 | undefined {
    const { version } = this.at(number).source.index;
    return version === undefined ? undefined : version >= 2 ? 2 : 1;
  }

  at(number: number): Numbered {
    const numbered = this.#frames[number - 1];
    if (!numbered) throw new Error(`no frame was numbered ${number}`);
    return numbered;
  }
}
