// Probes that cannot be asked in lines: they need a second connection to one process, or streams that
// are dropped by hand. Probes speak through whatever transport the agent has, so they stand in the catalogue with the
// reason.
import { onPage, inRfd } from '../pages.ts';
import { skip } from '../probe.ts';
import { family, type Probe } from '../world.ts';

/** Probes that are skipped for this reason. */
function elsewhere(why: string, versions: Probe['versions'], source: Probe['source']) {
  const run = () => Promise.resolve(skip(why));
  return family({ versions, source, connections: 2, elsewhere: why, run });
}

const attach = elsewhere(
  'It needs a second connection to one process; over stdio an agent has one client, and ends with it.',
  [2],
  onPage(2, 'session-setup', 'resuming-sessions'),
);
const http = elsewhere(
  'It drops and opens event streams of a session that works; a probe says lines, and the transport carries them.',
  [1, 2],
  inRfd('streamable-http-websocket-transport'),
);

export const TRANSPORT: readonly Probe[] = [
  ...attach({
    'resume2/running': {
      prompts: 1,
      sentence:
        'resume from start while the session runs elsewhere: the state says running, and idle comes.',
    },
    'resume2/detach': {
      prompts: 1,
      sentence:
        'A connection lost in the middle of work: it goes on, or ends with a stop reason, and its output is replayed.',
    },
  }),
  ...http({
    'http/reattach': {
      prompts: 1,
      sentence: 'A dropped event stream, opened again, repeats nothing.',
    },
    'http/last-event-id': {
      sentence:
        'An event stream opened again with the last id it gave goes on behind that: noted where it is advertised.',
    },
    'http/reconnect': {
      prompts: 1,
      sentence: 'A new connection restores what the last one had.',
    },
  }),
];
