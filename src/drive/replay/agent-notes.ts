// What an agent made from a recording notes of its client, as grave as its manner takes it.
import type { Failure, Json, Success } from '../../acp/message.ts';
import { ASKS, isMethodOf } from '../../acp/method-groups.ts';
import type { Bindings } from './bindings.ts';
import { type Difference, compareValues } from './differences.ts';
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

// An answer of the client held against the recorded one.

/** Of two errors only the codes count, but in `strict`. */
export function compareAnswer(
  { message: was }: RecordedFrame,
  is: Success | Failure,
  bindings: Bindings,
  manner: Manner,
): readonly Difference[] {
  const strict = manner === 'strict';
  const { differences } = compareValues(bodyOf(was, strict), bodyOf(is, strict), {
    bindings,
    tieSessions: false,
  });
  return strict ? differences : differences.filter(({ path }) => !/\/_meta(?:\/|$)/.test(path));
}

function bodyOf(message: RecordedFrame['message'], strict: boolean): Json {
  if (message.kind === 'success') return { result: message.result };
  if (message.kind !== 'failure') return {};
  const { code, message: words, data } = message.error;
  return { error: strict ? { code, message: words, data: data ?? null } : { code } };
}

/** What a person decided, or that it failed: what the agent said next hangs on it. */
export function isChoice(method: string, differences: readonly Difference[]): boolean {
  return (
    isMethodOf(ASKS, method) ||
    differences.some(({ path }) => path === '/error' || path === '/result')
  );
}
