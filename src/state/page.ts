// The page as its parts see it: what they show, whom they ask, and how they tell a person. App is it.
import type { EngineApi } from '../engine/api.ts';
import type { LinkState, TraceSummary } from '../engine/messages.ts';
import type { ConnectionFacts, SessionFacts } from '../model/facts/facts-view.ts';
import type { ConnectionId } from '../trace/event.ts';
import type { Timeline } from './timeline/timeline.svelte.ts';
import type { Panes } from './panes.svelte.ts';
import type { View } from './views.ts';

export interface News {
  readonly id: number;
  readonly tone: 'info' | 'warn' | 'error';
  readonly text: string;
  /** A way back or on: `Undo`. `until`: epoch ms after which the way is shut. */
  readonly action?: { readonly label: string; readonly until?: number; run(): void };
}

export interface Page {
  readonly engine: EngineApi;
  readonly timeline: Timeline;
  readonly link: LinkState;
  readonly current: TraceSummary | undefined;
  readonly facts: ConnectionFacts | undefined;
  /** The session that the views show. */
  readonly session: SessionFacts | undefined;
  /** What crosses there can be held and changed. */
  readonly canIntercept: boolean;
  readonly panes: Panes;
  view: View;
  /** The selected suite of Checks; undefined: the findings. */
  test: string | undefined;
  /** `query`: absent, the one it was left with. */
  show(connection: ConnectionId, view?: View, query?: string): Promise<void>;
  /** It is there no longer. */
  leave(connection: ConnectionId): void;
  /** One line that goes away by itself after ten seconds. */
  tell(tone: News['tone'], text: string, action?: News['action']): void;
}
