// Which recorded request a live one is: by method and params, in the recording's names, and not by
// its place among others. Each recorded one is taken once; of equal ones the first.
import type { Json } from '../../acp/message.ts';
import type { Bindings } from './bindings.ts';
import { compareValues, type ValueDifference, type Tie } from './differences.ts';
import { matters, mayRepeat, type Strictness } from './strictness.ts';
import type { Recorded, RecordedFrame } from './recorded.ts';

export interface FoundMatch {
  readonly kind: 'found';
  readonly frame: RecordedFrame;
  readonly ties: readonly Tie[];
  /** Those that do not matter, and in `loose` those that were let pass. */
  readonly differences: readonly ValueDifference[];
  /** `first`: as recorded. `again`: it was taken before. `next`: nothing fits, and this is next. */
  readonly how: 'first' | 'again' | 'next';
}

type Match =
  | FoundMatch
  /** `nearest`: what it might have been, and what speaks against it. */
  | { readonly kind: 'none'; readonly nearest: Nearest | undefined };

export interface Nearest {
  readonly frame: RecordedFrame;
  readonly differences: readonly ValueDifference[];
  /** It was taken before. */
  readonly isTaken: boolean;
}

interface Candidate {
  readonly frame: RecordedFrame;
  readonly ties: readonly Tie[];
  readonly differences: readonly ValueDifference[];
  readonly counted: number;
}

interface MatcherOptions {
  readonly recorded: Recorded;
  readonly bindings: Bindings;
  readonly strictness: Strictness;
}

export class Matcher {
  readonly #options: MatcherOptions;
  readonly #taken = new Set<number>();
  /** The client's, by kind and method. */
  readonly #byName = new Map<string, RecordedFrame[]>();
  /** Of the request taken last that changed who is signed in, how many there were with it. */
  #epoch = 0;

  constructor(options: MatcherOptions) {
    this.#options = options;
    for (const frame of options.recorded.frames) {
      const { from, message } = frame;
      if (from !== 'client') continue;
      if (message.kind === 'request' || message.kind === 'notification')
        this.#named(message.kind, message.method).push(frame);
      if (message.kind === 'invalid') this.#named('invalid', '').push(frame);
    }
  }

  request(method: string, params: Json | undefined): Match {
    const { strictness } = this.#options;
    const all = this.#named('request', method);
    const free = all.filter(({ place }) => !this.#taken.has(place));
    const candidates = this.#compare(method, params, free, strictness === 'loose');
    const best = this.#best(candidates.filter(({ counted }) => counted === 0));
    if (best) return this.#take(best, 'first');
    const taken = all.filter(({ place }) => this.#taken.has(place)).reverse();
    const used = this.#compare(method, params, taken, false);
    if (strictness !== 'strict' && mayRepeat(method)) {
      const again = used.find(({ counted, ties }) => counted === 0 && ties.length === 0);
      if (again) return { kind: 'found', how: 'again', ...again };
    }
    const [next] = candidates;
    if (strictness === 'loose' && next) return this.#take(nextOf(candidates) ?? next, 'next');
    const nearest = [...candidates, ...used].sort((a, b) => a.counted - b.counted)[0];
    return {
      kind: 'none',
      nearest: nearest && { ...nearest, isTaken: this.#taken.has(nearest.frame.place) },
    };
  }

  /** `mayCome`: whether what was under way in the recording is under way now. */
  notification(
    method: string,
    params: Json | undefined,
    mayCome: (frame: RecordedFrame) => boolean,
  ): Match {
    const free = this.#named('notification', method).filter(
      (frame) => !this.#taken.has(frame.place) && mayCome(frame),
    );
    const candidates = this.#compare(method, params, free, false);
    const best = this.#best(candidates.filter(({ counted }) => counted === 0));
    if (best) return this.#take(best, 'first');
    const nearest = [...candidates].sort((a, b) => a.counted - b.counted)[0];
    return { kind: 'none', nearest: nearest && { ...nearest, isTaken: false } };
  }

  /** A line that is no message: the recorded one that says the same. */
  line(text: string): RecordedFrame | undefined {
    const frame = this.#named('invalid', '').find(
      ({ place, text: said }) => said === text && !this.#taken.has(place),
    );
    if (frame) this.#taken.add(frame.place);
    return frame;
  }

  #compare(
    method: string,
    params: Json | undefined,
    frames: readonly RecordedFrame[],
    tieSessions: boolean,
  ): Candidate[] {
    const { bindings, strictness, recorded } = this.#options;
    return frames.map((frame) => {
      const { message } = frame;
      const said = 'params' in message ? message.params : undefined;
      const compared = compareValues(said, params, { bindings, tieSessions });
      const counted = compared.differences.filter((one) =>
        matters(method, one, strictness, recorded.version),
      ).length;
      return { frame, counted, ...compared };
    });
  }

  /** What needs no new names; then what was asked by the same user; then the first. */
  #best(equal: readonly Candidate[]): Candidate | undefined {
    const far = ({ frame }: Candidate) => Math.abs(frame.epoch - this.#epoch);
    return [...equal].sort(
      (a, b) => a.ties.length - b.ties.length || far(a) - far(b) || a.frame.place - b.frame.place,
    )[0];
  }

  #take(candidate: Candidate, how: FoundMatch['how']): FoundMatch {
    const { frame, ties, differences } = candidate;
    this.#taken.add(frame.place);
    const after = this.#options.recorded.frames[frame.place + 1]?.epoch;
    if (after !== undefined && after > frame.epoch) this.#epoch = after;
    return { kind: 'found', frame, ties, differences, how };
  }

  #named(kind: string, method: string): RecordedFrame[] {
    const key = `${kind} ${method}`;
    const known = this.#byName.get(key);
    if (known) return known;
    const made: RecordedFrame[] = [];
    this.#byName.set(key, made);
    return made;
  }
}

/** In loose: one of the same session rather than of another, and the first of them. */
function nextOf(candidates: readonly Candidate[]): Candidate | undefined {
  const isOther = ({ differences }: Candidate) =>
    differences.some(({ path }) => path === '/sessionId');
  return candidates.find((one) => !isOther(one));
}
