// What has other names live than in the recording: sessions, folders, and ids that the agent makes.
// Names that stand in a value are found by their keys; folders wherever their paths stand.
import { withoutEnd } from '../../lib/sentence.ts';
import { isArray, isObject } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { withStrings } from '../adapt/line-edit.ts';
import type { Recorded, RecordedFrame } from './recorded.ts';

// Folders of the recording and folders of now, wherever their paths stand in a text.

const NAME = /[\p{L}\p{N}_-]/u;

export class Folders {
  readonly #bound = new Bijection();
  #pairs: readonly (readonly [recorded: string, live: string])[] = [];

  /** False: one of the two stands for another folder already. */
  bind(recorded: string, live: string): boolean {
    if (!this.#bound.bind(trimmed(recorded), trimmed(live))) return false;
    // The longest first: a folder in a folder is its own.
    this.#pairs = [...this.#bound.renamed].sort(([a], [b]) => b.length - a.length);
    return true;
  }

  mayBind(recorded: string, live: string): boolean {
    return this.#bound.mayBind(trimmed(recorded), trimmed(live));
  }

  get renamed(): readonly (readonly [recorded: string, live: string])[] {
    return this.#pairs;
  }

  /** The text as it is said now. */
  toLive(text: string): string {
    return replaceAll(text, this.#pairs);
  }

  /** The text as it would have been said in the recording. */
  toRecorded(text: string): string {
    const pairs = this.#pairs.map(([recorded, live]) => [live, recorded] as const);
    return replaceAll(
      text,
      pairs.sort(([a], [b]) => b.length - a.length),
    );
  }
}

/** The root is no folder to look for in texts. */
function trimmed(path: string): string {
  return path.length > 1 ? withoutEnd(path, '/\\') || path : path;
}

/** In one pass, so that what was put in is not replaced again. */
function replaceAll(text: string, pairs: readonly (readonly [from: string, to: string])[]): string {
  let out = '';
  let at = 0;
  for (;;) {
    let found: { readonly at: number; readonly from: string; readonly to: string } | undefined;
    for (const [from, to] of pairs) {
      const next = placeOf(text, from, at);
      if (next >= 0 && (!found || next < found.at)) found = { at: next, from, to };
    }
    if (!found) return out + text.slice(at);
    out += text.slice(at, found.at) + found.to;
    at = found.at + found.from.length;
  }
}

/** Where the path stands as a path of its own, or as the beginning of one. */
function placeOf(text: string, path: string, from: number): number {
  if (path.length < 2) return text === path && from === 0 ? 0 : -1;
  for (let at = text.indexOf(path, from); at >= 0; at = text.indexOf(path, at + 1)) {
    const before = text[at - 1];
    const after = text.slice(at + path.length, at + path.length + 2);
    const begins = before === undefined || !(NAME.test(before) || before === '.');
    const ends = after === '' || !(NAME.test(after[0] ?? '') || /^\.[\p{L}\p{N}_-]/u.test(after));
    if (begins && ends) return at;
  }
  return -1;
}

// Recorded names and live ones, each standing for one of the other side and no two for the same.

export class Bijection {
  readonly #live = new Map<string, string>();
  readonly #recorded = new Map<string, string>();
  /** Recorded names: each stands for itself until it is bound. */
  readonly #own: ReadonlySet<string>;

  constructor(own: Iterable<string> = []) {
    this.#own = new Set(own);
  }

  /** False: one of the two stands for another already. */
  bind(recorded: string, live: string): boolean {
    if (this.liveOf(recorded) === live && this.recordedOf(live) === recorded) {
      this.#set(recorded, live);
      return true;
    }
    if (!this.mayBind(recorded, live)) return false;
    this.#set(recorded, live);
    return true;
  }

  mayBind(recorded: string, live: string): boolean {
    if (this.#live.has(recorded)) return this.#live.get(recorded) === live;
    if (this.#recorded.has(live)) return false;
    // A recorded name that is used live stands for itself, unless it was bound to something else.
    return live === recorded || !this.#own.has(live) || this.#live.has(live);
  }

  /** A name that is not bound is the same on both sides. */
  liveOf(recorded: string): string {
    return this.#live.get(recorded) ?? recorded;
  }

  /** Undefined: it is the recorded name of something that has another name live. */
  recordedOf(live: string): string | undefined {
    const bound = this.#recorded.get(live);
    if (bound !== undefined) return bound;
    return this.#live.has(live) ? undefined : live;
  }

  /** Pairs whose names differ. */
  get renamed(): readonly (readonly [recorded: string, live: string])[] {
    return [...this.#live].filter(([recorded, live]) => recorded !== live);
  }

  #set(recorded: string, live: string): void {
    this.#live.set(recorded, live);
    this.#recorded.set(live, recorded);
  }
}

/** Keys under which ACP names things that the agent made. */
const MADE_KEYS = [
  'toolCallId',
  'messageId',
  'terminalId',
  'planId',
  'elicitationId',
  'compactionId',
  'cursor',
] as const;

export class Bindings {
  readonly folders = new Folders();
  readonly #named: ReadonlyMap<string, Bijection>;

  /** `sessions`: those of the recording. */
  constructor(sessions: Iterable<string>) {
    this.#named = new Map<string, Bijection>([
      ['sessionId', new Bijection(sessions)],
      ...MADE_KEYS.map((key): [string, Bijection] => [key, new Bijection()]),
    ]);
  }

  get sessions(): Bijection {
    return this.of('sessionId') ?? new Bijection();
  }

  /** The names under this key; undefined: it names nothing that could be named otherwise. */
  of(key: string): Bijection | undefined {
    return this.#named.get(KIND_OF[key] ?? key);
  }

  /** Whether the value under this key is a name that the agent made. */
  isMade(key: string): boolean {
    return key !== 'sessionId' && this.of(key) !== undefined;
  }

  /** A recorded line with the live names. The same line where nothing has another name. */
  toLive(line: string): string {
    const isRenamed =
      this.folders.renamed.length > 0 ||
      [...this.#named.values()].some(({ renamed }) => renamed.length > 0);
    if (!isRenamed) return line;
    return withStrings(line, (key, said) => this.liveWords(key, said));
  }

  liveWords(key: string, said: string): string {
    const named = this.of(key);
    return named ? named.liveOf(said) : this.folders.toLive(said);
  }

  /** Undefined: the value names something that the recording does not have. */
  recordedWords(key: string, said: string): string | undefined {
    const named = this.of(key);
    return named ? named.recordedOf(said) : this.folders.toRecorded(said);
  }
}

const KIND_OF: Readonly<Record<string, string>> = {
  nextCursor: 'cursor',
  recipientSessionId: 'sessionId',
  senderSessionId: 'sessionId',
  parentSessionId: 'sessionId',
  parentToolCallId: 'toolCallId',
};

// Ids that the agent makes, then and now: the nth tool call of a session then is the nth now, and
// so with messages, terminals and plans. A client that names one of them names the one of now.

export class MadeIds {
  readonly #bindings: Bindings;
  /** By session and key, in the order of their first appearance. */
  readonly #recorded = new Map<string, Set<string>>();
  readonly #live = new Map<string, Set<string>>();

  constructor({ frames }: Recorded, bindings: Bindings) {
    this.#bindings = bindings;
    for (const frame of frames) if (frame.from === 'agent') this.#note(frame, this.#recorded);
  }

  /** A live frame of the agent; `session` in the recording's words. */
  take(frame: Pick<RecordedFrame, 'message' | 'session'>): void {
    this.#note(frame, this.#live, (key, place, id) => {
      const was = [...(this.#recorded.get(place) ?? [])][(this.#live.get(place)?.size ?? 0) - 1];
      if (was !== undefined) this.#bindings.of(key)?.bind(was, id);
    });
  }

  #note(
    { message, session }: Pick<RecordedFrame, 'message' | 'session'>,
    into: Map<string, Set<string>>,
    made?: (key: string, place: string, id: string) => void,
  ): void {
    for (const [key, id] of madeIn(bodyOf(message), this.#bindings)) {
      const place = `${key} ${session ?? ''}`;
      const ids = into.get(place) ?? new Set<string>();
      into.set(place, ids);
      if (ids.has(id)) continue;
      ids.add(id);
      made?.(key, place, id);
    }
  }
}

function bodyOf(message: RecordedFrame['message']): Json | undefined {
  if (message.kind === 'success') return message.result;
  return 'params' in message ? message.params : undefined;
}

/** Names made by the agent in a value, in their order. */
function madeIn(body: Json | undefined, bindings: Bindings): [key: string, id: string][] {
  const found: [string, string][] = [];
  const left: [string, Json | undefined][] = [['', body]];
  for (let next = left.pop(); next; next = left.pop()) {
    const [key, value] = next;
    if (typeof value === 'string' && bindings.isMade(key)) found.push([key, value]);
    else if (isArray(value))
      left.push(...value.map((item): [string, Json] => [key, item]).reverse());
    else if (isObject(value)) left.push(...Object.entries(value).reverse());
  }
  return found;
}
