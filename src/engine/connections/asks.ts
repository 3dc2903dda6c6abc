// Requests of ours that somebody waits for: each is resolved by the frame that answers it, or by
// the end of the agent.
import type { Message } from '../../acp/message.ts';
import type { ConnectionId, TraceEvent } from '../../trace/event.ts';
import type { RequestAnswer } from '../messages.ts';

interface Ask {
  readonly resolve: (answer: RequestAnswer) => void;
  /** Its frame came back: it was sent. */
  seen: boolean;
  /** The link was lost before its frame came back. */
  doubtful: boolean;
}

export class Asks {
  readonly #waiting = new Map<ConnectionId, Map<string, Ask>>();

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
  }

  /** All frames are known again: what was in doubt and did not come back was never sent. */
  settle(connection: ConnectionId): void {
    const message = 'The link was lost before this was sent. Send it again.';
    for (const [token, ask] of this.#waiting.get(connection) ?? []) {
      if (!ask.doubtful || ask.seen) continue;
      this.#waiting.get(connection)?.delete(token);
      ask.resolve({ kind: 'ended', message });
    }
  }

  /** No answer will come. */
  end(connection: ConnectionId, message: string): void {
    const waiting = this.#waiting.get(connection);
    this.#waiting.delete(connection);
    for (const { resolve } of waiting?.values() ?? []) resolve({ kind: 'ended', message });
  }
}
