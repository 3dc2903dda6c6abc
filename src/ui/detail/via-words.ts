// Where a frame crossed, in a word for its chip and a line for who points at it.
import { facts } from '../../model/words.ts';
import type { Via } from '../../trace/event.ts';

const STREAMS: Readonly<Record<string, string>> = {
  socket: 'WebSocket',
  post: 'POST',
  connection: 'connection stream',
  session: 'session stream',
};

/** `title`: whose stream, the id there, and which read brought it. */
export function viaWords({ stream, session, id, event, read, binary }: Via): {
  readonly word: string;
  readonly title: string;
} {
  const word = STREAMS[stream] ?? stream;
  return {
    word: binary ? `${word}, binary` : word,
    title: facts(
      session === undefined ? `crossed by ${word}` : `crossed by ${word} of ${session}`,
      id !== undefined && `event id ${id}`,
      event !== undefined && `event ${event}`,
      read !== undefined && `read ${read} of the stream`,
    ),
  };
}
