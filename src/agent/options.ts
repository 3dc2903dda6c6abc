// What the bundled agent is started with.
import type { MisbehaviourName } from './misbehaviours.ts';

export type McpServer = { readonly name: string } & (
  | {
      readonly type: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | {
      readonly type: 'http';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    }
);

export interface AgentOptions {
  readonly protocol: 1 | 2 | 'both';
  /** The folder of the session files; made when missing. */
  readonly store: string;
  /** This program's version, told in the handshake. */
  readonly version: string;
  /** Which MCP servers it may start or reach, of those that its client gives it. */
  readonly mayUse: (server: McpServer) => boolean;
  /** Makes session ids repeat; all else follows from the session's id. */
  readonly seed?: number;
  readonly misbehave?: MisbehaviourName;
  /** Sessions need a sign-in first (-32000 until then). */
  readonly requireSignIn?: boolean;
  /** Sessions can be resumed and not replayed: no `session/load`, and no cursor brings anything. */
  readonly noReplay?: boolean;
  /** v2: a replay ends with the update `replay_complete`, for each child too. */
  readonly replayComplete?: boolean;
  /** Speak no ACP: write the sign-in marker into the store, and end. */
  readonly login?: boolean;
  /** Multiplies every delay: 1 is made for reading along, 0 waits for nothing. */
  readonly pace?: number;
  /** Takes the lines meant for stderr, without line ends. */
  readonly log?: (line: string) => void;
  /** Ends the process; the fault `crash-mid-turn` calls it. */
  readonly exit?: (code: number) => void;
}
