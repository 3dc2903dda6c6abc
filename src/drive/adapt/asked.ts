// The editor's requests on their way, as far as their answers matter to the adapter.
import type { JsonObject } from '../../acp/message.ts';
import type { Window } from './windows.ts';

export interface RestoreAsked {
  readonly kind: 'restore';
  readonly window: Window;
  /** The line, where the adapter may have to ask again in other words. */
  readonly request: string | undefined;
}

export type Asked =
  | { readonly kind: 'initialize'; readonly client: JsonObject }
  | { readonly kind: 'new' }
  /** `until`: how far the history goes that the new session shares; undefined: it has none. */
  | { readonly kind: 'fork'; readonly from: string; readonly until: number | undefined }
  | RestoreAsked
  | { readonly kind: 'prompt'; readonly session: string; readonly prompt: string }
  | { readonly kind: 'close' | 'delete'; readonly session: string };

/** A request of ours to the agent, made in the place of one of the editor's. */
export interface Own {
  /** The editor's id, as it stood in its line. */
  readonly editorId: string;
  readonly window: Window;
}
