// Ids that the agent makes, then and now: the nth tool call of a session then is the nth now, and
// so with messages, terminals and plans. A client that names one of them names the one of now.
import { isArray, isObject } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import type { Bindings } from './bindings.ts';
import type { Recorded, RecordedFrame } from './recorded.ts';

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
