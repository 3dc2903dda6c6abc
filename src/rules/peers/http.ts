// Streamable HTTP and WebSocket: what their rules ask for is not in a trace. Families `http` and `ws`
// of the catalogue.
import type { Unjudged } from '../rule.ts';

const HEADERS = 'needs the HTTP headers, which a trace of this version does not hold';

function unjudged(id: Unjudged['id'], clause: string, why = HEADERS): Unjudged {
  return { id, versions: [1, 2], clause, why };
}

export const HTTP_UNJUDGED: readonly Unjudged[] = [
  unjudged('http/init', '`initialize` is answered with 200, JSON and `Acp-Connection-Id`'),
  unjudged('http/accepted', 'every other POST is answered with 202 and no body'),
  unjudged(
    'http/headers',
    'what follows `initialize` carries the id of the connection, and what is about a session that of the session',
  ),
  unjudged(
    'http/stream-open',
    'a stream is open before what will be answered on it is sent',
    'needs to know when which stream was opened, which a trace of this version does not hold',
  ),
  unjudged(
    'http/wrong-stream',
    'what is about a session comes on its stream, and the rest on that of the connection',
    'needs to know on which stream a message came, which a trace of this version does not hold',
  ),
  unjudged('http/status', 'what is refused is refused with the status that fits'),
  unjudged('http/cookies', 'cookies that the server sets are sent back'),
  unjudged(
    'ws/first-frame',
    'the first frame is `initialize` with an id, and every frame is text with one object',
    'needs to know the transport and the kind of each WebSocket frame, which a trace of this version does not hold; `init/first` says whether `initialize` came first',
  ),
];
