// What may be done to a frame on its way, and to which: the rules of an intercept as they were read.
import type { Json, JsonObject } from '../../acp/message.ts';
import type { Query } from '../../model/query/query.ts';

/** A key after another, from the message down. */
export type KeyPath = readonly [string, ...string[]];

/** A line of our own. What is asked has an id that the intercept gives. */
export type Injected =
  | { readonly kind: 'request' | 'notify'; readonly method: string; readonly params: Json }
  | { readonly kind: 'line'; readonly text: string };

/** Where a frame that is held back goes on by itself: milliseconds from its arrival. */
interface Deadline {
  readonly deadline: number;
}

export type InterceptAction =
  | ({ readonly kind: 'hold' } & Deadline)
  | {
      readonly kind: 'edit';
      /** The JSON of each new value. */
      readonly set: readonly { readonly keys: KeyPath; readonly json: string }[];
      readonly remove: readonly KeyPath[];
      readonly replace: readonly { readonly text: string; readonly by: string }[];
      /** Instead of all that: another line. */
      readonly line: string | undefined;
    }
  | { readonly kind: 'drop' }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'duplicate'; readonly more: number }
  /** Goes out behind the next frame of its side, or behind one that `behind` matches. */
  | ({ readonly kind: 'reorder'; readonly behind: Query | undefined } & Deadline)
  | { readonly kind: 'truncate'; readonly bytes: number }
  | { readonly kind: 'inject'; readonly what: Injected; readonly to: 'agent' | 'client' }
  /** `key` is `result` or `error`. */
  | { readonly kind: 'answer'; readonly key: 'result' | 'error'; readonly value: Json | JsonObject }
  | { readonly kind: 'cut' };

/** A rule, once it is known which frames it meets. */
export interface Acting {
  /** Its own, else its query. */
  readonly name: string;
  readonly action: InterceptAction;
  /** It acts so often at most. */
  readonly times: number;
  /** Of the frames that match, every so many-th; the first ones, as many as `skip`, do not count. */
  readonly every: number;
  readonly skip: number;
}

export interface InterceptRule extends Acting {
  readonly on: Query;
}
