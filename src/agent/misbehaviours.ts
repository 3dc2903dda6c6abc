// The named faults of the bundled agent, for help texts and menus. Free of node: imports.

export const MISBEHAVIOURS = {
  'replay-without-cursor': {
    sentence: 'Replays the whole history on a resume that did not ask for it.',
    versions: [1, 2],
  },
  'replay-after-answer': {
    sentence: 'Answers a restore first, and replays the history afterwards.',
    versions: [1, 2],
  },
  'lossy-replay': {
    sentence: 'Leaves out every tool call and the second half of each agent message in a replay.',
    versions: [1, 2],
  },
  'unstable-message-ids': {
    sentence: 'Gives every message a new messageId in each replay.',
    versions: [1, 2],
  },
  'missing-state-snapshot': {
    sentence: 'Answers a resume without the state_update that must come before.',
    versions: [2],
  },
  'accepts-unknown-cursor': {
    sentence: 'Takes a replay cursor it does not know, or cannot read, for "start".',
    versions: [2],
  },
  'exclusive-cursor': {
    sentence: 'Replays what follows the message a cursor names, and not that message.',
    versions: [2],
  },
  'missing-baseline': {
    sentence:
      'Rebuilds messages from chunks in a replay, without the empty upsert that must come first.',
    versions: [2],
  },
  'forgets-context': {
    sentence: 'Restores a session, but remembers nothing that was said before.',
    versions: [1, 2],
  },
  'duplicate-answer': {
    sentence: 'Answers every prompt twice.',
    versions: [1, 2],
  },
  'never-answers': {
    sentence: 'Never answers a prompt, though it does the work.',
    versions: [1, 2],
  },
  'stdout-noise': {
    sentence: 'Prints lines that are no messages on stdout.',
    versions: [1, 2],
  },
  'split-utf8': {
    sentence: 'Writes its lines in pieces, cut in the middle of a character where there is one.',
    versions: [1, 2],
  },
  'unannounced-child': {
    sentence: 'Speaks in a child session that it did not announce.',
    versions: [1, 2],
  },
  'ungated-children': {
    sentence: 'Tells of child sessions, and links to them, though the client did not ask for them.',
    versions: [1],
  },
  'child-of-itself': {
    sentence: 'Announces a child once more, as its own parent.',
    versions: [1, 2],
  },
  'listed-children': {
    sentence: 'Lists child sessions beside those of the client.',
    versions: [1, 2],
  },
  'hidden-child-cancel': {
    sentence: 'Ends a child that was cancelled as though its work were done.',
    versions: [1, 2],
  },
  'unrenewed-children': {
    sentence: 'Goes on in child sessions after a restore without announcing them again.',
    versions: [1, 2],
  },
  'child-asks-in-replay': {
    sentence: 'Asks a permission for a child in the middle of a history replay.',
    versions: [1, 2],
  },
  'unknown-link': {
    sentence: 'Links a tool call to a session that nobody knows.',
    versions: [1, 2],
  },
  'early-replay-marker': {
    sentence: 'Sends replay_complete before the history that it is to end.',
    versions: [2],
  },
  'missing-child-marker': {
    sentence:
      'Ends the replay of a session with replay_complete, and that of its children without.',
    versions: [2],
  },
  'crash-mid-turn': {
    sentence: 'Exits with code 139 in the middle of a turn.',
    versions: [1, 2],
  },
} as const satisfies Record<string, Misbehaviour>;

interface Misbehaviour {
  /** One sentence for a person: what the agent does wrong. */
  readonly sentence: string;
  /** The protocol versions in which it shows. */
  readonly versions: readonly (1 | 2)[];
}

export type MisbehaviourName = keyof typeof MISBEHAVIOURS;

export function isMisbehaviour(name: string): name is MisbehaviourName {
  return Object.hasOwn(MISBEHAVIOURS, name);
}

// What the bundled agent is started with.

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

export interface BundledAgentOptions {
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
