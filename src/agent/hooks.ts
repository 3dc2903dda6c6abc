// Where a misbehaviour gets in. The well-behaved agent runs with none of these.
import type { AnyMessage } from '@agentclientprotocol/sdk/unstable';
import type { SessionUpdate } from '@agentclientprotocol/sdk/experimental/v2/unstable';
import type { AgentItem } from './history.ts';

export interface Hooks {
  /** What a history replay sends, instead of all it should. */
  readonly replayed?: (items: readonly AgentItem[]) => readonly AgentItem[];
  /** Replays also where no history was asked for. */
  readonly replayUnasked?: true;
  /** v2: what is sent in a replay instead of an update. */
  readonly replayedV2?: (update: SessionUpdate) => SessionUpdate[];
  /** v2: sends no state_update before the answer to a resume. */
  readonly noSnapshot?: true;
  /** v2: reads a cursor that it cannot follow as "start". */
  readonly anyCursor?: true;
  /** v2: a cursor's own message is left out. */
  readonly afterCursor?: true;
  /** Knows only what was said since the restore. */
  readonly forgets?: true;
  /** v1: exposes children to a client that did not ask for them. */
  readonly childrenUnasked?: true;
  /** Does not announce children at work again after a restore. */
  readonly announcesOnce?: true;
  /** Ends a child that was cancelled as though it were done. */
  readonly hidesCancel?: true;
  /** Links to a session that there is not. */
  readonly linksNowhere?: true;
  /** v2: marks the end of a replay, before it has ended or without its children. */
  readonly marks?: 'early' | 'root';
  /** Sees what the client sent, before it is handled. */
  readonly received?: (message: AnyMessage) => void;
  /** Stands between the agent and its output. */
  readonly sent?: (message: AnyMessage, send: Send) => Promise<void>;
  /** Writes a line's bytes, with its line end. */
  readonly write?: (line: Uint8Array, write: Write) => Promise<void>;
}

type Send = (message: AnyMessage) => Promise<void>;
/** Resolves once the bytes went out on their own. */
export type Write = (bytes: Uint8Array) => Promise<void>;
