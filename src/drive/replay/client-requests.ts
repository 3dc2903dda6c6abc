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
