// The terminals of a connection, of all its sessions.
import type { Message } from '../../acp/message.ts';
import { updateOf } from '../../acp/update.ts';
import { defined } from '../../lib/defined.ts';
import type { Frame } from '../../trace/event.ts';
import type { TerminalView } from '../sessions/conversation-view.ts';
import { NO_TERMINALS, terminalAnswered, terminalUpdate } from '../fold/terminals.ts';
import { Exchanges, type Question } from './exchanges.ts';

export class TerminalsFold {
  #terminals = NO_TERMINALS;
  /** Requests of the agent that wait for the client's answer. */
  readonly #exchanges = new Exchanges<Question>();

  /** The next frame of the connection; what is not about terminals is passed over. */
  append({ from, seq }: Frame, message: Message): void {
    switch (message.kind) {
      case 'notification': {
        const found = message.method === 'session/update' ? updateOf(message.params) : undefined;
        if (!found) return;
        const { sessionId, variant, update } = found;
        this.#terminals = terminalUpdate(this.#terminals, sessionId, variant, update, seq);
        return;
      }
      case 'request':
        if (from === 'agent') this.#exchanges.ask({ from, request: message });
        return;
      case 'success':
      case 'failure': {
        const asked = from === 'client' ? this.#exchanges.answer(from, message.id) : undefined;
        if (!asked?.request.method.startsWith('terminal/') || message.kind === 'failure') return;
        const { method, params } = asked.request;
        const { result } = message;
        this.#terminals = terminalAnswered(this.#terminals, method, params, result, seq);
        return;
      }
      case 'invalid':
        return;
    }
  }

  /** In the order they first appeared. */
  views(): TerminalView[] {
    const { list } = this.#terminals;
    return list
      .slice(0, list.length)
      .map(({ terminalId, session, command, cwd, exit, output, last }) =>
        defined({ terminalId, session, command, cwd, exit, output: output.bytes(), last }),
      );
  }
}
