// What is known of one connection from its trace so far: the handshake, its sessions, who waits.
// Derived from frames alone, so that a stored trace says the same as a live one.
import type { Json, JsonObject } from '../../acp/message.ts';
import type { Millis } from '../../lib/time.ts';
import type { ConnectionId, Exit, Seq, Side, Start } from '../../trace/event.ts';

export interface AuthMethod {
  readonly id: string;
  readonly type: 'agent' | 'terminal' | 'other';
  readonly name: string;
  readonly description?: string;
  /** Terminal methods: run the agent's own command with these added. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface HandshakeView {
  readonly request: Seq;
  readonly answer?: Seq;
  readonly asked?: number;
  /** What the agent answered: the version the connection speaks. */
  readonly version?: number;
  readonly client?: { readonly name: string; readonly version?: string };
  readonly agent?: { readonly name: string; readonly version?: string; readonly title?: string };
  /** v1 `clientCapabilities`, v2 `capabilities` of the client. */
  readonly clientCapabilities: JsonObject;
  readonly agentCapabilities: JsonObject;
  readonly authMethods: readonly AuthMethod[];
  readonly error?: string;
}

export interface ModeState {
  readonly current: string;
  readonly available: readonly {
    readonly id: string;
    readonly name: string;
    readonly description?: string;
  }[];
}

export interface ConfigOption {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  /** What it sets, in the protocol's words: `mode`, `model`. */
  readonly category?: string;
  readonly type: 'select' | 'boolean' | 'other';
  readonly value: Json;
  readonly options: readonly {
    readonly value: string;
    readonly name: string;
    readonly description?: string;
  }[];
}

export interface SessionFacts {
  readonly sessionId: string;
  /** `S1`: the same session everywhere in the page. Empty while it is only listed. */
  readonly chip: string;
  /** The session whose agent announced this one as its child (a subagent). */
  readonly parent?: string;
  /** Of a child: the client may cancel its work now. */
  readonly cancels?: true;
  readonly title?: string;
  readonly cwd?: string;
  /** The cwd is only one that a restore asked for: no frame says what the session was made with. */
  readonly cwdTried?: true;
  readonly frames: number;
  readonly first: Seq;
  readonly last: Seq;
  /** Created, loaded, resumed or forked on this connection and not closed. */
  readonly active: boolean;
  /** Known only from `session/list`. */
  readonly listedOnly: boolean;
  /** Only the client names it: the agent refused it, or has not answered. */
  readonly askedOnly?: true;
  readonly updatedAt?: string;
  readonly turn: 'idle' | 'running' | 'requires_action' | 'unknown';
  /** Open `session/prompt` requests. */
  readonly prompts: readonly Seq[];
  readonly modes?: ModeState;
  readonly config: readonly ConfigOption[];
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly usage?: { readonly used: number; readonly size: number };
}

export interface PermissionOption {
  readonly optionId: string;
  readonly name: string;
  /** `allow_once` … as sent; open in v2. */
  readonly kind: string;
}

/** A request of one side that the other has not answered. */
export interface OpenRequest {
  readonly seq: Seq;
  readonly from: Side;
  /** `→2`, as in the row. */
  readonly id: string;
  readonly method: string;
  readonly session?: string;
  readonly sessionId?: string;
  readonly since: Millis;
  readonly summary: string;
  /** `session/request_permission`. */
  readonly options?: readonly PermissionOption[];
  /** `elicitation/create`. */
  readonly elicitation?:
    | { readonly mode: 'form'; readonly message: string; readonly schema: JsonObject }
    | { readonly mode: 'url'; readonly message: string; readonly url: string }
    | { readonly mode: 'other'; readonly message: string };
}

/** A frame that an intercept holds. */
export interface HeldFrame {
  /** Of the event that holds it. */
  readonly seq: Seq;
  readonly at: Millis;
  readonly from: Side;
  readonly rule: string;
  /** Its method, where it has one. */
  readonly method?: string;
  readonly summary: string;
  /** It goes on by itself so many milliseconds after `at`. */
  readonly deadline: number;
}

export interface InterceptFacts {
  /** The names of the rules in force; absent: it is off. */
  readonly rules?: readonly string[];
  /** In the order they came. */
  readonly held: readonly HeldFrame[];
  /** The rule that ended the stream. */
  readonly cut?: string;
}

/** Everything the page shows of one connection beside its frames. */
export interface ConnectionFacts {
  readonly connection: ConnectionId;
  readonly handshake?: HandshakeView;
  /** Where it is on, or holds a frame. */
  readonly intercept?: InterceptFacts;
  /** The last answer that asked for sign-in (-32000), until a sign-in or a session succeeded. */
  readonly signIn?: { readonly seq: Seq; readonly message: string };
  readonly sessions: readonly SessionFacts[];
  /** `nextCursor` of the last `session/list` answer: more to list. */
  readonly listCursor?: string;
  /** The oldest hundred of each side. */
  readonly open: readonly OpenRequest[];
  /** So many more requests of the agent wait. */
  readonly unlisted?: number;
  readonly exit?: Omit<Exit, 'type' | 'at'>;
  /** Last lines of stderr, newest last, at most 20. */
  readonly lastWords: readonly string[];
  readonly started?: Omit<Start, 'type' | 'seq' | 'at'> & {
    /** `argv` without its secrets, for a screen; absent: it has none. */
    readonly shown?: readonly string[];
  };
  readonly frames: number;
  /** Events that are not in the trace, by the holes in its numbers and what its recorder says. */
  readonly missing: number;
  readonly firstFrameAt?: Millis;
  readonly lastEventAt: Millis;
}
