// Who plays a script: a session of the client's, or a child of one.
import type { Activity, Block, Change, EndReason, Item } from './history.ts';
import type { Hooks } from './hooks.ts';
import type { Random } from './ids.ts';
import type { McpReport } from './mcp.ts';
import type { Port, Subject } from './port.ts';

/** What every session of a connection shares. */
export interface Surroundings {
  readonly port: Port;
  /** Multiplies every delay. */
  readonly pace: number;
  readonly hooks: Hooks;
  readonly log: (line: string) => void;
  /** Does what a prompt asks for, until it is done or the turn is cancelled. */
  readonly play: (
    session: Root,
    content: readonly Block[],
    random: Random,
    signal: AbortSignal,
  ) => Promise<void>;
}

export interface Actor extends Subject {
  readonly around: Surroundings;
  /** What the person said about edits for good; it holds as long as the session is active. */
  edits: 'ask' | 'always' | 'never';
  /** What the client may end by itself while it runs: tool calls and terminals, by id. */
  readonly stoppable: Map<string, AbortController>;
  /** Children at work. */
  readonly children: Map<string, Worker>;
  /** An id no item of this session has, and the same again when all is done again. */
  newId(prefix: string): string;
  /** Writes a change down, then tells the client. */
  change(change: Change): Promise<void>;
  act(activity: Activity): Promise<void>;
}

/** A session of the client's. */
export interface Root extends Actor {
  /** The MCP servers of which it has not spoken. */
  takeMcpNews(): Promise<readonly McpReport[]>;
  mcpReports(): Promise<readonly McpReport[]>;
  /** What it knows of its history. */
  remembered(): readonly Item[];
}

/** A child at work. */
export interface Worker {
  readonly id: string;
  readonly children: Actor['children'];
  /** Its work ends with its parent's turn. */
  readonly ofTurn: boolean;
  /** How its work ended; it never fails. */
  readonly ended: Promise<EndReason>;
  cancel(): void;
  /** Says again what it is and does, after a restore; those it owns too. */
  announceAgain(): Promise<void>;
}
