// The terminals of a connection, of all its sessions.
import { idKey, type Message, type Request } from '../../acp/message.ts';
import { updateOf } from '../../acp/update.ts';
import type { Frame } from '../../trace/event.ts';
import type { TerminalView } from '../sessions/conversation-view.ts';
import {
  NO_TERMINALS,
  terminalAnswered,
  terminalUpdate,
  type Terminal,
} from '../fold/terminals.ts';

export class TerminalsFold {
  #terminals = NO_TERMINALS;
  /** Requests of the agent about terminals that wait for the client's answer. */
  readonly #open = new Map<string, Request>();

  /** The next frame of the connection; what is not about terminals is passed over. */
  append(frame: Frame, message: Message): void {
    switch (message.kind) {
      case 'notification': {
        const found = message.method === 'session/update' ? updateOf(message.params) : undefined;
        if (!found) return;
        const { sessionId, variant, update } = found;
        this.#terminals = terminalUpdate(this.#terminals, sessionId, variant, update, frame.seq);
        return;
      }
      case 'request':
        if (frame.from === 'agent' && message.method.startsWith('terminal/'))
          this.#open.set(idKey(message.id), message);
        return;
      case 'success':
      case 'failure': {
        const key = idKey(message.id);
        const request = frame.from === 'client' ? this.#open.get(key) : undefined;
        if (!request) return;
        this.#open.delete(key);
        if (message.kind === 'failure') return;
        const { method, params } = request;
        const { result } = message;
        this.#terminals = terminalAnswered(this.#terminals, method, params, result, frame.seq);
        return;
      }
      case 'invalid':
        return;
    }
  }

  /** In the order they first appeared. */
  views(): TerminalView[] {
    const { list } = this.#terminals;
    return list.slice(0, list.length).map((terminal) => terminalView(terminal));
  }
}

/** `most`: bytes of output, the last ones. */
export function terminalView(terminal: Terminal, most?: number): TerminalView {
  const { terminalId, session, command, cwd, exit, output, last } = terminal;
  return {
    terminalId,
    ...(session === undefined ? {} : { session }),
    ...(command === undefined ? {} : { command }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(exit === undefined ? {} : { exit }),
    output: output.bytes(most),
    last,
  };
}
