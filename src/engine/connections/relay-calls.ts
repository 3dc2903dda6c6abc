// Commands the relay answers, told apart by number. While the link is down they fail at once, and
// those that wait when it is lost fail then: a start must never happen later by surprise.
import type {
  RunFolderAnswer,
  RunFolderCall,
  HostCall,
  HostResult,
  InterceptCall,
  Looked,
  PageCommand,
  AgentPreset,
  Problem,
  RelayEvent,
} from '../../link/messages.ts';
import { CODE } from '../../acp/message.ts';
import { toBase64 } from '../../lib/utf8.ts';
import type { ConnectionId, LeftProgram } from '../../trace/event.ts';
import type { KnownLaunch, StartAnswer } from '../messages.ts';

type Answer = Extract<
  RelayEvent,
  {
    readonly type:
      | 'started'
      | 'presets'
      | 'looked'
      | 'left'
      | 'host'
      | 'folder'
      | 'lent'
      | 'intercepted'
      | 'problem';
  }
>;
type Numbered = Extract<PageCommand, { readonly request: number }>;
type Unnumbered<C> = C extends Numbered ? Omit<C, 'request'> : never;

/** Bytes of a trace in one message. */
const LENT_PART = 1024 * 1024;
const NO_LINK = 'The page has no link to the relay. Wait until it is back, or run `acp-scope`.';

/** Why what was started before cannot be started as it is known. */
export function unknownValues(names: readonly string[]): Problem {
  const message = `The value of ${names.join(', ')} is not known here: what looks secret is not kept, and another browser's is its own. Start this command from Connect, where it can be typed.`;
  return { code: 'not_found', message };
}

export class RelayCalls {
  readonly #send: (command: PageCommand) => boolean;
  readonly #waiting = new Map<number, (answer: Answer | undefined) => void>();
  readonly #onLost = new Set<() => void>();
  #next = 1;

  /** `send` gives false where there is no link. */
  constructor(send: (command: PageCommand) => boolean) {
    this.#send = send;
  }

  /** `withPage`: it ends when this page does. */
  async start(
    { withheld = [], ...launch }: KnownLaunch,
    more: { readonly withPage?: true; readonly rules?: string } = {},
  ): Promise<StartAnswer> {
    if (withheld.length > 0) return { ok: false, problem: unknownValues(withheld) };
    const answer = await this.#ask({ type: 'start', launch, ...more });
    if (answer?.type === 'started') return { ok: true, connection: answer.connection };
    if (answer?.type === 'problem') return { ok: false, problem: answer.problem };
    return { ok: false, problem: { code: 'io', message: NO_LINK } };
  }

  async presets(): Promise<readonly AgentPreset[]> {
    const answer = await this.#ask({ type: 'presets' });
    return answer?.type === 'presets' ? answer.presets : [];
  }

  /** `unknown` too without a link. */
  async look(path: string): Promise<Looked> {
    const answer = await this.#ask({ type: 'look', path });
    return answer?.type === 'looked' ? answer.is : 'unknown';
  }

  /** What an ended agent left running, and runs now; undefined: it is not known. `end`: ends it first. */
  async left(connection: ConnectionId, end?: true): Promise<readonly LeftProgram[] | undefined> {
    const answer = await this.#ask({ type: 'left', connection, ...(end && { end }) });
    return answer?.type === 'left' ? answer.programs : undefined;
  }

  async host(connection: ConnectionId, call: HostCall): Promise<HostResult> {
    const answer = await this.#ask({ type: 'host', connection, call });
    if (answer?.type === 'host') return answer.result;
    const problem = answer?.type === 'problem' ? answer.problem : undefined;
    const code = problem?.code === 'bad_message' ? CODE.invalidParams : CODE.internalError;
    return { ok: false, error: { code, message: problem?.message ?? NO_LINK } };
  }

  /** Returns why it was not done; undefined: it was. The trace has what a tap makes of it. A person may be asked first. */
  async intercept(connection: ConnectionId, call: InterceptCall): Promise<Problem | undefined> {
    const answer = await this.#ask({ type: 'intercept', connection, call });
    if (answer?.type === 'intercepted') return undefined;
    return answer?.type === 'problem' ? answer.problem : { code: 'io', message: NO_LINK };
  }

  /** A sentence: why it could not be done. */
  async folder(call: RunFolderCall): Promise<RunFolderAnswer | string> {
    const answer = await this.#ask({ type: 'folder', call });
    if (answer?.type === 'folder') return answer.answer;
    return answer?.type === 'problem' ? answer.problem.message : NO_LINK;
  }

  /** The path at which the relay keeps this trace file, or why it does not. */
  async lend(
    trace: ConnectionId,
    name: string,
    file: Blob,
  ): Promise<{ readonly path: string } | { readonly problem: string }> {
    let answer = await this.#ask({ type: 'lend', call: { op: 'begin', trace, name } });
    for (let at = 0; at < file.size && answer?.type === 'lent'; at += LENT_PART) {
      const bytes = new Uint8Array(await file.slice(at, at + LENT_PART).arrayBuffer());
      answer = await this.#ask({ type: 'lend', call: { op: 'part', base64: toBase64(bytes) } });
    }
    if (answer?.type === 'lent') answer = await this.#ask({ type: 'lend', call: { op: 'end' } });
    if (answer?.type === 'lent' && answer.path !== undefined) return { path: answer.path };
    return { problem: answer?.type === 'problem' ? answer.problem.message : NO_LINK };
  }

  /** Calls back when the link is lost, until the returned function is called. */
  onLost(listener: () => void): () => void {
    this.#onLost.add(listener);
    return () => this.#onLost.delete(listener);
  }

  /** An answer of the relay; false: nobody waits for it. */
  hear(answer: Answer): boolean {
    const resolve = answer.request === undefined ? undefined : this.#waiting.get(answer.request);
    if (answer.request !== undefined) this.#waiting.delete(answer.request);
    resolve?.(answer);
    return resolve !== undefined;
  }

  /** The link is lost: nobody will answer. */
  lost(): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const resolve of waiting) resolve(undefined);
    for (const listener of [...this.#onLost]) listener();
  }

  #ask(command: Unnumbered<Numbered>): Promise<Answer | undefined> {
    return new Promise((resolve) => {
      const request = this.#next++;
      this.#waiting.set(request, resolve);
      if (this.#send({ ...command, request })) return;
      this.#waiting.delete(request);
      resolve(undefined);
    });
  }
}
