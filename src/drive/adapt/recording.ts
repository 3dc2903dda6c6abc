// Which of what passes goes into the history of its session: prompts, their answers and the updates
// of sessions that are active on this connection.
import { get, str } from '../../acp/json.ts';
import { idKey, type Failure, type Request, type Success } from '../../acp/message.ts';
import type { Version } from '../../acp/methods.ts';
import type { SessionUpdate } from '../../acp/update.ts';
import type { StoreEntry } from './entry.ts';

// The store as the adapter asks for it. Synchronous: what is asked next on the wire finds it done.

/** Whether this process may write a session's history. */
export type HistoryClaim =
  /** `stored`: there is one already. */
  | { readonly kind: 'ours'; readonly stored: boolean }
  /** It cannot be had, and why, as a sentence that names the fix. */
  | { readonly kind: 'refused'; readonly why: string };

export interface HistoryPort {
  /** Takes the session for this process, without writing anything. */
  claim(session: string): HistoryClaim;
  /** Takes it up: makes the history where there is none, as known from its begin or not. */
  begin(session: string, begin: 'new' | 'middle', acp: Version): void;
  /** Makes the new session's history from the other's, as far as that position. */
  copy(from: string, to: string, until: number, acp: Version): void;
  add(session: string, entry: StoreEntry): void;
  /** Notes in a history that is another's what it does not have. */
  missed(session: string, why: string): void;
  /** Where its end is now. */
  position(session: string): number;
  /** Gives the session free for other processes. */
  release(session: string): void;
  remove(session: string): void;
}

/** Settings, which the answer to a restore says anew, and remarks of the moment. */
const PASSING: ReadonlySet<string> = new Set([
  'notice',
  'current_mode_update',
  'config_option_update',
]);

const MADE_ELSEWHERE = 'Turns that were made in another process at this time are missing.';

interface Active {
  /** Prompts without an answer. */
  open: number;
  /** v2: the last state it said. */
  state: string | undefined;
}

/** v1: the agent asks what a terminal of the client shows. */
interface TerminalAsked {
  readonly session: string;
  readonly terminalId: string;
}

export class AdaptRecording {
  readonly #history: HistoryPort;
  readonly #uuid: () => string;
  readonly #active = new Map<string, Active>();
  /** Another process records them. Told once of each that this one was there too. */
  readonly #others = new Set<string>();
  readonly #terminals = new Map<string, TerminalAsked>();

  constructor(history: HistoryPort, uuid: () => string) {
    this.#history = history;
    this.#uuid = uuid;
  }

  /** Whether the session is active here, and recorded. */
  has(session: string): boolean {
    return this.#active.has(session);
  }

  isBusy(session: string): boolean {
    const active = this.#active.get(session);
    if (!active) return false;
    return active.open > 0 || (active.state !== undefined && active.state !== 'idle');
  }

  begin(session: string, begin: 'new' | 'middle', acp: Version): void {
    this.#history.begin(session, begin, acp);
    this.#active.set(session, { open: 0, state: undefined });
  }

  fork(from: string, to: string, until: number, acp: Version): void {
    this.#history.copy(from, to, until, acp);
    this.#active.set(to, { open: 0, state: undefined });
  }

  /** Active here, and recorded by another process. */
  leave(session: string): void {
    this.#others.add(session);
  }

  /** The id under which its answer is to be told; undefined: the session is not recorded. */
  prompted(session: string, blocks: string | undefined): string | undefined {
    if (this.#others.delete(session)) this.#history.missed(session, MADE_ELSEWHERE);
    const active = this.#active.get(session);
    if (!active || blocks?.startsWith('[') !== true) return undefined;
    active.open++;
    const id = this.#uuid();
    this.#history.add(session, { type: 'prompt', id, blocks });
    return id;
  }

  answered(session: string, prompt: string, answer: Success | Failure): void {
    const active = this.#active.get(session);
    if (!active) return;
    active.open--;
    const failed = answer.kind === 'failure';
    const messageId = failed ? undefined : str(answer.result, 'messageId');
    const rest = messageId === undefined ? {} : { messageId };
    this.#history.add(session, { type: 'end', prompt, failed, ...rest });
  }

  updated({ sessionId, variant, update }: SessionUpdate, line: string): void {
    const active = sessionId === undefined ? undefined : this.#active.get(sessionId);
    if (!active || sessionId === undefined || PASSING.has(variant)) return;
    if (variant === 'state_update') active.state = str(update, 'state') ?? active.state;
    this.#history.add(sessionId, { type: 'update', line });
  }

  agentAsked({ id, method, params }: Request): void {
    const session = str(params, 'sessionId');
    const terminalId = str(params, 'terminalId');
    if (method !== 'terminal/output' || session === undefined || terminalId === undefined) return;
    if (this.has(session)) this.#terminals.set(idKey(id), { session, terminalId });
  }

  editorAnswered({ id, result }: Success): void {
    const asked = this.#terminals.get(idKey(id));
    if (!asked) return;
    this.#terminals.delete(idKey(id));
    const output = get(result, 'output');
    if (typeof output !== 'string' || !this.has(asked.session)) return;
    const { session, terminalId } = asked;
    this.#history.add(session, { type: 'terminal', terminalId, output });
  }

  close(session: string): void {
    if (this.#active.delete(session)) this.#history.release(session);
  }

  delete(session: string): void {
    this.#active.delete(session);
    this.#history.remove(session);
  }

  end(): void {
    for (const session of this.#active.keys()) this.#history.release(session);
    this.#active.clear();
  }
}
