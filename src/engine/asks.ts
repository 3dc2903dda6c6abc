// Requests of ours that somebody waits for: each is resolved by the frame that answers it, or by
// the end of the agent.
import type { Message } from '../acp/message.ts';
import type { ConnectionId, TraceEvent } from '../trace/event.ts';
import type { RequestAnswer } from './messages.ts';

export class Asks {
  readonly #waiting = new Map<ConnectionId, Map<string, (answer: RequestAnswer) => void>>();

  /** Resolves when the answer to the request of this id came. */
  wait(connection: ConnectionId, id: number): Promise<RequestAnswer> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(connection) ?? new Map();
      this.#waiting.set(connection, waiting.set(String(id), resolve));
    });
  }

  /** Every event of the connection, in order. */
  hear(connection: ConnectionId, event: TraceEvent, message: Message | undefined): void {
    if (event.type === 'exit') return this.end(connection, 'The agent ended before it answered.');
    if (event.type !== 'frame' || event.from !== 'agent') return;
    if (message?.kind !== 'success' && message?.kind !== 'failure') return;
    const waiting = this.#waiting.get(connection);
    const resolve = waiting?.get(message.id.token);
    if (!resolve) return;
    waiting?.delete(message.id.token);
    const { seq } = event;
    if (message.kind === 'success') resolve({ kind: 'result', seq, result: message.result });
    else resolve({ kind: 'error', seq, code: message.error.code, message: message.error.message });
  }

  /** No answer will come. */
  end(connection: ConnectionId, message: string): void {
    const waiting = this.#waiting.get(connection);
    this.#waiting.delete(connection);
    for (const resolve of waiting?.values() ?? []) resolve({ kind: 'ended', message });
  }
}
