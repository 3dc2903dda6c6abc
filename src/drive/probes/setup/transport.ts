// Probes that stdio cannot ask: they need a second connection to one process, or HTTP. The relay and
// the command line start agents and reach none by URL, so they stand in the catalogue with the reason.
import { page, rfd } from '../pages.ts';
import { skip } from '../probe.ts';
import type { Probe } from '../world.ts';

const ATTACH =
  'It needs a second connection to one process; over stdio an agent has one client, and ends with it.';
const HTTP =
  'It is about agents reached by URL, over HTTP or WebSocket; ACP Scope reaches none yet, only those it starts, over stdio.';
const transport = rfd('streamable-http-websocket-transport');
const resuming = page(2, 'session-setup', 'resuming-sessions');

function elsewhere(
  id: string,
  why: string,
  sentence: string,
  prompts: number,
  versions: readonly (1 | 2)[],
): Probe {
  const source = why === HTTP ? transport : resuming;
  const run = () => Promise.resolve(skip(why));
  return { id, versions, sentence, source, prompts, connections: 2, elsewhere: why, run };
}

export const TRANSPORT: readonly Probe[] = [
  elsewhere(
    'resume2/running',
    ATTACH,
    'resume from start while the session runs elsewhere: the state says running, and idle comes.',
    1,
    [2],
  ),
  elsewhere(
    'resume2/detach',
    ATTACH,
    'A connection lost in the middle of work: it goes on, or ends with a stop reason, and its output is replayed.',
    1,
    [2],
  ),
  elsewhere(
    'http/headers',
    HTTP,
    'Missing or wrong headers are refused with the status each has.',
    0,
    [1, 2],
  ),
  elsewhere(
    'http/reattach',
    HTTP,
    'A dropped event stream, opened again, repeats nothing.',
    1,
    [1, 2],
  ),
  elsewhere(
    'http/last-event-id',
    HTTP,
    'An event stream opened again with the last id it gave goes on behind that: told, where it is advertised.',
    0,
    [1, 2],
  ),
  elsewhere('http/reconnect', HTTP, 'A new connection restores what the last one had.', 1, [1, 2]),
  elsewhere(
    'ws/first',
    HTTP,
    'A first frame that is no initialize closes the WebSocket with 1002.',
    0,
    [1, 2],
  ),
];
