// What drives an agent sees of it. The page gives it the link, the command line a process, a test
// an array: whoever drives cannot tell them apart.
import type { Message } from '../acp/message.ts';
import type { Frame, Origin } from '../trace/event.ts';

export interface Peer {
  /** Writes this line, exactly; it comes back as a frame when it was recorded. */
  send(line: string, origin: Origin): void;
  /** Every frame of both sides from now on, in the recorded order. Returns how to stop. */
  receive(listener: (frame: Frame, message: Message) => void): () => void;
  /** No more will be sent: the agent's stdin ends. */
  end(): void;
}
