// What a correct client believes of one session at one frame. A value: each frame gives another one,
// which shares with the one before whatever the frame did not change. Keeping a state is free.
import { nearestVersion } from '../../acp/handshake.ts';
import type { Json, JsonObject, Request } from '../../acp/message.ts';
import { PersistentList } from '../../lib/persistent-list.ts';
import { PersistentMap } from '../../lib/persistent-map.ts';
import type { Millis } from '../../lib/time.ts';
import type { Seq, Side } from '../../trace/event.ts';
import type {
  AskItem,
  ContentPart,
  ItemBase,
  MessageItem,
  NoteItem,
  PlanItem,
  ToolItem,
  ToolPart,
} from '../sessions/conversation-view.ts';
import type { BackgroundWork } from '../facts/activity.ts';
import { NO_ECHOES, type Echoes } from '../facts/echo.ts';
import type { ConfigOption, ModeState, SessionFacts } from '../facts/facts-view.ts';
import type { Usage } from '../facts/usage.ts';
import { NO_TERMINALS, type Terminals } from './terminals.ts';

/** Something the session is, and the frame that said so. */
export interface Said<T> {
  readonly value: T;
  readonly seq: Seq;
}

export interface MessageBody {
  readonly type: 'message';
  readonly role: MessageItem['role'];
  readonly messageId: string | undefined;
  readonly parts: readonly ContentPart[];
  /** The client's `session/prompt` that said it; nothing of the agent's is added to such a message. */
  readonly prompt: Seq | undefined;
  /** Of a prompt: the agent has told it too. */
  readonly isEchoed?: boolean | undefined;
  /** Of a message between sessions: whose it is, and what it is called there. */
  readonly peer?: PeerIds | undefined;
  readonly meta?: JsonObject | undefined;
}
export interface PeerIds {
  readonly senderSessionId?: string | undefined;
  readonly recipientSessionId?: string | undefined;
  readonly senderMessageId?: string | undefined;
  readonly recipientMessageId?: string | undefined;
}
export interface ToolBody {
  readonly type: 'tool';
  readonly toolCallId: string;
  readonly name: string | undefined;
  readonly title: string | undefined;
  readonly kind: string;
  readonly status: string;
  readonly content: readonly ToolPart[];
  readonly rawInput: Json | undefined;
  readonly rawOutput: Json | undefined;
  readonly locations: ToolItem['locations'];
  /** v2: what the client may ask of it. */
  readonly capabilities: Json | undefined;
  readonly meta: JsonObject | undefined;
}
type BodyOf<I extends ItemBase> = Omit<I, keyof ItemBase>;

export interface PlanBody extends BodyOf<PlanItem> {
  /** v2; a plan of v1 is the only one of its turn. */
  readonly planId: string | undefined;
}
interface AskBody extends Omit<BodyOf<AskItem>, 'answer' | 'later'> {
  readonly answer: AskItem['answer'] | undefined;
}
export interface NoteBody extends BodyOf<NoteItem> {
  /** What a compaction was told piece by piece. */
  readonly compaction?: {
    readonly status: string;
    readonly summary: string;
    readonly error: string | undefined;
    readonly meta: JsonObject | undefined;
  };
}
export type ItemBody = MessageBody | ToolBody | PlanBody | AskBody | NoteBody;

export interface Item<B extends ItemBody = ItemBody> extends ItemBase {
  /** A second name to find it by. */
  readonly alias: string | undefined;
  readonly body: B;
}

/** A v1 echo on its way: what to take back if it turns out to be none. */
export interface Echo {
  readonly parts: readonly ContentPart[];
  readonly first: { readonly seq: Seq; readonly at: Millis; readonly replay: boolean };
  readonly lastBefore: Seq;
  /** `made` when it began: an item made since ends it. */
  readonly made: number;
  readonly frames: number;
}

export interface WaitingRequest {
  readonly seq: Seq;
  readonly at: Millis;
  readonly from: Side;
  readonly request: Request;
  /** It names this session; others only may turn out to be about it. */
  readonly isOurs: boolean;
  /** The item it made. */
  readonly item: string | undefined;
}

/** A restore that is not answered yet, and whether history of it has come. */
export interface Restoring {
  readonly seq: Seq;
  readonly method: string;
  readonly replayed: boolean;
}

/** What the session does. v1: a turn is as long as its prompt waits; v2 tells it. */
export interface Activity {
  readonly state: string;
  readonly stopReason?: string;
  readonly error?: string;
  /** Tokens of the work that ended, where they were told. */
  readonly tokens?: number;
}

/** A session that this one has made and owns. */
export interface Subagent {
  readonly sessionId: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** What the client may ask of it: `cancel`; none: nothing. */
  readonly allows: readonly string[] | undefined;
  /** `idle · end_turn`; undefined: not confirmed. */
  readonly state: string | undefined;
  readonly cwd: string | undefined;
  readonly directories: readonly string[] | undefined;
  readonly meta: JsonObject | undefined;
  readonly first: Seq;
  readonly last: Seq;
}

export type Life = 'active' | 'closed' | 'deleted' | 'ended';

export interface SessionState {
  readonly sessionId: string;
  /** What the connection speaks; v1 until something of v2 is seen. */
  readonly version: 1 | 2;
  /** The last frame that changed anything; 0: none. */
  readonly last: number;
  readonly items: PersistentList<Item>;
  /** The place in `items` of every key and alias. */
  readonly places: PersistentMap<number>;
  /** How many items were ever made: tells whether something came between. */
  readonly made: number;
  /** Of prompts, by the keys of their items. */
  readonly echoes: Echoes<string>;
  readonly echo: Echo | undefined;
  /** By asking side and id; several under one id are a fault of the asker, the oldest first. */
  readonly open: PersistentMap<readonly WaitingRequest[]>;
  readonly restoring: readonly Restoring[];
  /** Open `session/prompt` requests. */
  readonly prompts: number;
  /** v2: a prompt was sent, and no turn has ended since. */
  readonly prompted: boolean;
  readonly life: Said<Life> | undefined;
  readonly activity: Said<Activity> | undefined;
  readonly background: Said<readonly BackgroundWork[]> | undefined;
  readonly modes: Said<ModeState> | undefined;
  readonly config: readonly Said<ConfigOption>[];
  readonly commands: Said<SessionFacts['commands']> | undefined;
  readonly title: Said<string> | undefined;
  readonly cwd: Said<string> | undefined;
  readonly updatedAt: Said<string> | undefined;
  readonly usage: Said<Usage> | undefined;
  /** By the id of their session. */
  readonly subagents: PersistentMap<Subagent>;
  readonly meta: Said<JsonObject> | undefined;
  /** Keys of the plans that hold: v1 the last one, v2 those not removed. */
  readonly plans: readonly string[];
  /** v1: the plan of this turn. */
  readonly turnPlan: string | undefined;
  readonly terminals: Terminals;
  /** How many tool calls have each status, in the order the statuses first appeared. */
  readonly toolCounts: readonly (readonly [status: string, count: number])[];
}

/** A state while one frame is applied to it. */
export type Draft = { -readonly [K in keyof SessionState]: SessionState[K] };

/** How a frame belongs to a history replay: inside a replay window, or after its answer. */
export interface ReplayFlags {
  readonly replay: boolean;
  readonly late: boolean;
}

/** A frame as the reducer sees it. */
export interface FoldedFrame extends ReplayFlags {
  readonly seq: Seq;
  readonly at: Millis;
  /** A restore of the session is not answered yet: what comes is no echo and no end of a turn. */
  readonly restoring: boolean;
}

/** Before the first frame. `version`: what the connection speaks, where that is known. */
export function freshState(sessionId: string, version?: number): SessionState {
  return {
    sessionId,
    version: nearestVersion(version),
    last: 0,
    items: PersistentList.empty(),
    places: PersistentMap.empty(),
    made: 0,
    echoes: NO_ECHOES,
    echo: undefined,
    open: PersistentMap.empty(),
    restoring: [],
    prompts: 0,
    prompted: false,
    life: undefined,
    activity: undefined,
    background: undefined,
    modes: undefined,
    config: [],
    commands: undefined,
    title: undefined,
    cwd: undefined,
    updatedAt: undefined,
    usage: undefined,
    subagents: PersistentMap.empty(),
    meta: undefined,
    plans: [],
    turnPlan: undefined,
    terminals: NO_TERMINALS,
    toolCounts: [],
  };
}
