// Requests of the live client that were found in the recording: under which id each came now, and under
// which it had come then.
import { get, isObject } from '../../acp/json.ts';
import { idKey, type Json, type RequestId } from '../../acp/message.ts';
import { requestOf, type Recorded, type RecordedFrame } from './recorded.ts';

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
