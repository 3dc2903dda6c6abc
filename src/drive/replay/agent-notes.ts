// What an agent made from a recording notes of its client, as grave as its manner takes it.
import type { Difference } from './differences.ts';
import type { Manner } from './manner.ts';
import type { NoteKind, ReplayNote } from './mismatch.ts';
import type { RecordedFrame } from './recorded.ts';

export class AgentNotes {
  readonly #manner: Manner;
  readonly #tell: (note: ReplayNote) => void;
  readonly #all: ReplayNote[] = [];

  constructor(manner: Manner, tell: (note: ReplayNote) => void) {
    this.#manner = manner;
    this.#tell = tell;
  }

  get all(): readonly ReplayNote[] {
    return this.#all;
  }

  /** A mismatch that `loose` lets pass. */
  get mild(): NoteKind {
    return this.#manner === 'loose' ? 'tolerated' : 'mismatch';
  }

  /** What is a mismatch in `strict` alone. */
  strictly(kind: 'tolerated' | 'rebuilt'): NoteKind {
    return this.#manner === 'strict' ? 'mismatch' : kind;
  }

  /** `frame`: the recorded one that it was held against. */
  add(
    kind: NoteKind,
    method: string | undefined,
    sentence: string,
    frame: RecordedFrame | undefined,
    differences: readonly Difference[] = [],
  ): void {
    const note: ReplayNote = {
      kind,
      ...(method !== undefined && { method }),
      ...(frame && { recorded: frame.seq }),
      sentence,
      differences,
    };
    this.#all.push(note);
    this.#tell(note);
  }
}
