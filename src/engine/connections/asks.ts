// What somebody here said to an agent, until the record has it. A request is resolved by the frame that
// answers it, or by the end of the agent; of a line that was lost with the link a person is told.
import type { Message } from '../../acp/message.ts';
import type { ConnectionId, Frame, TraceEvent } from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';
import type { RequestAnswer } from '../messages.ts';

interface Ask {
  readonly resolve: (answer: RequestAnswer) => void;
  /** Its frame came back: it was sent. */
  seen: boolean;
  /** The link was lost before its frame came back. */
  doubtful: boolean;
}

/** A line that a person wrote. */
interface Said {
  readonly text: string;
  doubtful: boolean;
}

function lostWords(what: string): string {
  return `The link was lost before ${what} was sent. Send it again.`;
}

export class Asks {
  readonly #waiting = new Map<ConnectionId, Map<string, Ask>>();
  readonly #said = new Map<ConnectionId, Said[]>();
  readonly #lost: (sentence: string) => void;

  /** `lost`: hears of lines that were not sent, in a sentence. */
  constructor(lost: (sentence: string) => void) {
    this.#lost = lost;
  }

  /** A person wrote this line, and it is on its way. */
  say(connection: ConnectionId, text: string): void {
    const said = this.#said.get(connection) ?? [];
    said.push({ text, doubtful: false });
    this.#said.set(connection, said);
  }

  /** Resolves when the answer to the request of this id came. */
  wait(connection: ConnectionId, id: number): Promise<RequestAnswer> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(connection) ?? new Map<string, Ask>();
      waiting.set(String(id), { resolve, seen: false, doubtful: false });
      this.#waiting.set(connection, waiting);
    });
  }

  /** Every event of the connection, in order. */
  hear(connection: ConnectionId, event: TraceEvent, message: Message | undefined): void {
    if (event.type === 'exit') return this.end(connection, 'The agent ended before it answered.');
    if (event.type === 'frame' && event.origin === 'composer') this.#arrived(connection, event);
    if (event.type !== 'frame' || message === undefined || !('id' in message)) return;
    const { token } = message.id;
    const waiting = this.#waiting.get(connection);
    const ask = waiting?.get(token);
    if (!ask || (message.kind === 'request') !== (event.from === 'client')) return;
    if (message.kind === 'request') {
      ask.seen = true;
      return;
    }
    waiting?.delete(token);
    const { seq } = event;
    if (message.kind === 'success') ask.resolve({ kind: 'result', seq, result: message.result });
    else {
      const { code, message: said } = message.error;
      ask.resolve({ kind: 'error', seq, code, message: said });
    }
  }

  /** The link is lost: what was sent just now may not have arrived. */
  doubt(): void {
    for (const waiting of this.#waiting.values())
      for (const ask of waiting.values()) ask.doubtful = !ask.seen;
    for (const lines of this.#said.values()) for (const line of lines) line.doubtful = true;
  }

  /** All frames are known again: what was in doubt and did not come back was never sent. */
  settle(connection: ConnectionId): void {
    const message = lostWords('this');
    for (const [token, ask] of this.#waiting.get(connection) ?? []) {
      if (!ask.doubtful || ask.seen) continue;
      this.#waiting.get(connection)?.delete(token);
      ask.resolve({ kind: 'ended', message });
    }
    const said = this.#said.get(connection) ?? [];
    const left = said.filter(({ doubtful }) => !doubtful);
    this.#said.set(connection, left);
    if (left.length < said.length) this.#lost(lostWords('what you wrote'));
  }

  /** No answer will come. */
  end(connection: ConnectionId, message: string): void {
    this.#said.delete(connection);
    const waiting = this.#waiting.get(connection);
    this.#waiting.delete(connection);
    for (const { resolve } of waiting?.values() ?? []) resolve({ kind: 'ended', message });
  }

  #arrived(connection: ConnectionId, { line }: Frame): void {
    const lines = this.#said.get(connection);
    const at = lines?.findIndex(({ text }) => text === lineText(line)) ?? -1;
    if (at >= 0) lines?.splice(at, 1);
  }
}
