// What an agent made from a recording notes of its client, as grave as its strictness makes it.
import { get, isObject } from '../../acp/json.ts';
import { type Failure, type Json, type Success, idKey, type RequestId } from '../../acp/message.ts';
import { ASKS, isMethodOf } from '../../acp/methods.ts';
import type { Bindings } from './bindings.ts';
import {
  type ValueDifference,
  compareValues,
  type NoteKind,
  type ReplayNote,
} from './differences.ts';
import type { Strictness } from './strictness.ts';
import { type RecordedFrame, requestOf, type Recorded } from './recorded.ts';

export class AgentNotes {
  readonly #strictness: Strictness;
  readonly #tell: (note: ReplayNote) => void;
  readonly #all: ReplayNote[] = [];

  constructor(strictness: Strictness, tell: (note: ReplayNote) => void) {
    this.#strictness = strictness;
    this.#tell = tell;
  }

  get all(): readonly ReplayNote[] {
    return this.#all;
  }

  /** A mismatch that `loose` lets pass. */
  get mild(): NoteKind {
    return this.#strictness === 'loose' ? 'tolerated' : 'mismatch';
  }

  /** What is a mismatch in `strict` alone. */
  strictly(kind: 'tolerated' | 'rebuilt'): NoteKind {
    return this.#strictness === 'strict' ? 'mismatch' : kind;
  }

  /** `frame`: the recorded one that it was held against. */
  add(
    kind: NoteKind,
    method: string | undefined,
    sentence: string,
    frame: RecordedFrame | undefined,
    differences: readonly ValueDifference[] = [],
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
  strictness: Strictness,
): readonly ValueDifference[] {
  const strict = strictness === 'strict';
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
export function isChoice(method: string, differences: readonly ValueDifference[]): boolean {
  return (
    isMethodOf(ASKS, method) ||
    differences.some(({ path }) => path === '/error' || path === '/result')
  );
}

// Requests of the live client that were found in the recording: under which id each came now, and under
// which it had come then.

export class ClientRequests {
  readonly #recorded: Recorded;
  /** The live id's token by the recorded place, and the place by the live id. */
  readonly #tokens = new Map<number, string>();
  readonly #places = new Map<string, number>();

  constructor(recorded: Recorded) {
    this.#recorded = recorded;
  }

  /** The live request of this id is the recorded frame. */
  take({ place }: RecordedFrame, id: RequestId): void {
    this.#tokens.set(place, id.token);
    this.#places.set(idKey(id), place);
  }

  /** Undefined: it has not come. */
  tokenAt(place: number): string | undefined {
    return this.#tokens.get(place);
  }

  /** Of a recorded message that names a request of the client: the token of its id now. */
  namedIn(params: Json | undefined): string | undefined {
    const key = requestIdIn(params);
    if (key === undefined) return undefined;
    for (const [place, token] of this.#tokens) {
      const id = requestOf(this.#recorded.frames[place])?.id;
      if (id && idKey(id) === key) return token;
    }
    return undefined;
  }

  /** `$/cancel_request` in the recording's words: the id that the request had there. */
  recordedParams(params: Json | undefined): Json | undefined {
    const key = requestIdIn(params);
    const place = key === undefined ? undefined : this.#places.get(key);
    const asked = place === undefined ? undefined : requestOf(this.#recorded.frames[place]);
    if (!asked || !isObject(params)) return params;
    return { ...params, requestId: JSON.parse(asked.id.token) as Json };
  }
}

function requestIdIn(params: Json | undefined): string | undefined {
  const id = get(params, 'requestId');
  return typeof id === 'string' || typeof id === 'number' ? JSON.stringify(id) : undefined;
}

// Requests that were said to the live peer again and wait for its answer. They keep their recorded
// ids, as long as no other of that id waits.

export class OurRequests {
  readonly #open = new Map<string, RecordedFrame>();
  #fresh = 0;

  /** The id token under which it is to be said. */
  ask(frame: RecordedFrame, id: RequestId): string {
    const token = this.#open.has(idKey(id)) ? JSON.stringify(`again-${++this.#fresh}`) : id.token;
    this.#open.set(token === id.token ? idKey(id) : token, frame);
    return token;
  }

  /** What an answer ends; undefined: nothing waits under its id. */
  answered(id: RequestId): RecordedFrame | undefined {
    const frame = this.#open.get(idKey(id));
    if (frame) this.#open.delete(idKey(id));
    return frame;
  }

  /** In the order in which they were said. */
  get open(): readonly RecordedFrame[] {
    return [...this.#open.values()];
  }
}
