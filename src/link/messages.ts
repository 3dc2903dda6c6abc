// The contract between relay and page. Control messages are JSON text; recorded events travel as
// binary messages (see events.ts) whose bytes are the spool's own lines, untouched.
import type { ConnectionId, LeftProgram, Line, Origin, Seq } from '../trace/event.ts';
import type { Trouble } from '../trace/trouble.ts';

export const LINK_VERSION = 4;
export const SUBPROTOCOL = 'acp-scope.v1';

/**
 * A program to start, without a shell; `env` is added to the relay's own environment. Or an agent to
 * reach: its URL is the one word of `argv`, and `env` says nothing to it.
 */
export interface Launch {
  readonly name: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Folders that v1 `fs/*` may touch. Empty: none. */
  readonly roots: readonly string[];
  /** v1 `terminal/*` may run commands. */
  readonly terminals?: true;
  /** Of a URL: they go with every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the relay knows of one recording, live or left in the spool. */
export interface ConnectionInfo {
  readonly id: ConnectionId;
  readonly name: string;
  readonly mode: 'drive' | 'tap';
  /** Without what looks like a secret. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly pid?: number;
  /** ISO 8601 wall clock. */
  readonly startedAt: string;
  readonly state: 'running' | 'ended';
  /** Oldest and newest event still in the spool; `last` 0: none yet. */
  readonly first: Seq;
  readonly last: Seq;
  readonly bytes: number;
  /** Why nothing more is recorded now. */
  readonly trouble?: Trouble;
}

/** A well known agent, and whether it is on this machine. `bundled` is our own. */
export interface AgentPreset {
  readonly id: string;
  readonly name: string;
  readonly argv: readonly string[];
  /** Absolute path of argv[0] where it was found. */
  readonly found?: string;
  readonly bundled?: true;
  /** Named faults of the bundled agent: add `--misbehave NAME` to its argv. */
  readonly misbehaviours?: readonly Misbehaviour[];
}

export interface Misbehaviour {
  readonly name: string;
  /** What it does wrong, for a person. */
  readonly sentence: string;
  readonly versions: readonly (1 | 2)[];
}

/** A sentence that names cause and fix, and a code for programs. */
export interface Problem {
  readonly code:
    | 'not_found'
    | 'not_executable'
    | 'bad_cwd'
    | 'refused'
    | 'no_terminal'
    | 'ended'
    | 'bad_message'
    /** A fault of the relay's own. */
    | 'internal'
    | 'io';
  readonly message: string;
}

/** What stands at a path on the relay's machine. `unknown`: nobody looked, or nothing answered in time. */
export type Looked = 'folder' | 'file' | 'missing' | 'unknown';

/** What the relay does on this machine for the page's v1 client: `fs/*` and `terminal/*`. */
export type HostCall =
  | {
      readonly op: 'fs/read_text_file';
      readonly path: string;
      readonly line?: number;
      readonly limit?: number;
    }
  | { readonly op: 'fs/write_text_file'; readonly path: string; readonly content: string }
  | {
      readonly op: 'terminal/create';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string;
      readonly outputByteLimit?: number;
    }
  | { readonly op: 'terminal/output'; readonly terminalId: string }
  | { readonly op: 'terminal/wait_for_exit'; readonly terminalId: string }
  | { readonly op: 'terminal/kill'; readonly terminalId: string }
  | { readonly op: 'terminal/release'; readonly terminalId: string };

/** The ACP result object for the call, or the JSON-RPC error due. */
export type HostResult =
  | { readonly ok: true; readonly result: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly error: { readonly code: number; readonly message: string } };

/** What the relay does on this machine for a run of the page's: folders of its own, and MCP servers. */
export type RunFolderCall =
  /** An empty folder in the temporary folder; `from`: where the agent is started. */
  | { readonly op: 'folder'; readonly name: string; readonly from: string }
  /** Takes away a folder that was made so. */
  | { readonly op: 'remove'; readonly path: string }
  /** A small MCP server that notes who connects. */
  | { readonly op: 'canary'; readonly name: string }
  /** What the one with this tool has noted. */
  | { readonly op: 'seen'; readonly tool: string }
  /** The run is over: all of it goes. It goes by itself when the page does. */
  | { readonly op: 'clear' };

export type RunFolderAnswer =
  | {
      readonly op: 'folder';
      /** Absolute, without links in it. */
      readonly path: string;
      /** The same, seen from `from`. */
      readonly relative: string;
      readonly separator: string;
    }
  | {
      readonly op: 'canary';
      readonly name: string;
      readonly command: string;
      readonly args: readonly string[];
      readonly tool: string;
    }
  | {
      readonly op: 'seen';
      readonly started: number;
      readonly listed: number;
      readonly called: number;
    }
  | { readonly op: 'done' };

/** A trace of the page's, handed to the relay as a file that a replayed agent reads. */
export type LendCall =
  /** `trace`: its id; the relay makes the file's name from both. */
  | { readonly op: 'begin'; readonly trace: ConnectionId; readonly name: string }
  /** Bytes of the trace file, in their order. */
  | { readonly op: 'part'; readonly base64: string }
  /** It is whole: the answer has its path. */
  | { readonly op: 'end' };

/** The intercept of a connection. What it does, and whether it is on, stands in the record. */
export type InterceptCall =
  /** `rules`: the text of a file of rules. From the next frame on they are in force. */
  | { readonly op: 'on'; readonly rules: string }
  /** All that is held goes on. */
  | { readonly op: 'off' }
  /** The frame that the event `of` holds goes on; as another line, if one is given. */
  | { readonly op: 'release'; readonly of: Seq; readonly line?: Line }
  /** It does not go on. */
  | { readonly op: 'drop'; readonly of: Seq };

export type StopHow = 'end' | 'kill' | 'SIGTERM' | 'SIGKILL' | 'cut';

export type PageCommand =
  /** First message; the relay closes 4408 without it in 5 s. */
  | { readonly type: 'hello'; readonly protocol: number }
  /** Send events of this connection after `after`, then follow it live. */
  | { readonly type: 'follow'; readonly connection: ConnectionId; readonly after: Seq }
  /** Everything up to `seq` is in the page's database, its transaction complete. */
  | { readonly type: 'ack'; readonly connection: ConnectionId; readonly seq: Seq }
  | {
      readonly type: 'start';
      readonly request: number;
      readonly launch: Launch;
      /** A run of this page drives it: without the page, nobody can, and it is ended. */
      readonly withPage?: true;
      /** The text of a file of rules, by which it is intercepted before anything is sent to it. */
      readonly rules?: string;
    }
  | {
      readonly type: 'send';
      readonly connection: ConnectionId;
      readonly line: Line;
      readonly origin: Origin;
      /** In two writes: so many bytes, and the rest so many ms later. What is sent meanwhile waits. */
      readonly split?: { readonly bytes: number; readonly ms: number };
    }
  /**
   * `end` closes the agent's stdin; `kill` ends its process group (TERM, 3 s, KILL). A signal goes to
   * the group, and nothing follows it; where there are no signals, both end it at once. `cut` drops
   * its stdin and stdout, and leaves it to notice.
   */
  | {
      readonly type: 'stop';
      readonly connection: ConnectionId;
      readonly how: StopHow;
    }
  /** If a tap does not accept it from a page, the relay's terminal is asked first. */
  | {
      readonly type: 'intercept';
      readonly request: number;
      readonly connection: ConnectionId;
      readonly call: InterceptCall;
    }
  /** The page will never want these events: the spool may drop them once ended. */
  | { readonly type: 'forget'; readonly connection: ConnectionId }
  | { readonly type: 'presets'; readonly request: number }
  /** Whether there is a folder. Nothing is opened, listed or followed into a network. */
  | { readonly type: 'look'; readonly request: number; readonly path: string }
  | {
      readonly type: 'host';
      readonly request: number;
      readonly connection: ConnectionId;
      readonly call: HostCall;
    }
  | { readonly type: 'folder'; readonly request: number; readonly call: RunFolderCall }
  | { readonly type: 'lend'; readonly request: number; readonly call: LendCall }
  /** Which programs an ended agent left running still do. `end`: ends them first, as far as they let it. */
  | {
      readonly type: 'left';
      readonly request: number;
      readonly connection: ConnectionId;
      readonly end?: true;
    }
  | { readonly type: 'ping' };

export type RelayEvent =
  | {
      readonly type: 'welcome';
      readonly protocol: number;
      /** The product's version, for "reload to update". */
      readonly version: string;
      readonly home: string;
      readonly cwd: string;
      /** How a person runs `acp-scope` here, for snippets: argv. */
      readonly command: readonly string[];
      readonly connections: readonly ConnectionInfo[];
      /** Start this at once: named on the command line, and not yet started by a page. */
      readonly startNow?: Launch;
    }
  /** A connection is new or has changed. */
  | { readonly type: 'connection'; readonly info: ConnectionInfo }
  | { readonly type: 'gone'; readonly connection: ConnectionId }
  | { readonly type: 'started'; readonly request: number; readonly connection: ConnectionId }
  /** The command line is new: the relay's own terminal was asked. */
  | {
      readonly type: 'confirming';
      readonly request: number;
      readonly argv: readonly string[];
      readonly cwd: string;
    }
  /** The same, before a page may change the traffic of the tap of this name. */
  | { readonly type: 'confirming'; readonly request: number; readonly tap: string }
  /** Done, or handed to the tap. */
  | { readonly type: 'intercepted'; readonly request: number }
  | {
      readonly type: 'problem';
      readonly request?: number;
      readonly connection?: ConnectionId;
      readonly problem: Problem;
    }
  | { readonly type: 'presets'; readonly request: number; readonly presets: readonly AgentPreset[] }
  | { readonly type: 'looked'; readonly request: number; readonly is: Looked }
  /** `programs` absent: this relay did not start the agent. */
  | { readonly type: 'left'; readonly request: number; readonly programs?: readonly LeftProgram[] }
  | { readonly type: 'host'; readonly request: number; readonly result: HostResult }
  | { readonly type: 'folder'; readonly request: number; readonly answer: RunFolderAnswer }
  /** `path`: of the whole file. */
  | { readonly type: 'lent'; readonly request: number; readonly path?: string }
  | { readonly type: 'pong' };

/** WebSocket close codes: ours, and those of RFC 6455 that the relay gives a reason with. */
export const CLOSE_CODES = {
  /** What the page said, and the relay cannot attribute to anything: the reason says why. */
  badMessage: 4400,
  helloTimeout: 4408,
  internal: 1011,
  /** Its unfinished message made room for those of other pages. */
  unfinished: 4429,
} as const;

/** Bytes of one command. The relay closes the socket (1009) at a longer one, unread. */
export const MOST_COMMAND_BYTES = 64 * 1024 * 1024;

/** Unacknowledged bytes the relay lets fly to one page before it stops reading the spool. */
export const WINDOW_BYTES = 4 * 1024 * 1024;
