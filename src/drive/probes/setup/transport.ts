// Probes that cannot be asked at all: they need a second connection to one process, so they stand in the
// catalogue with the reason.
import { onPage, skip } from '../probe.ts';
import { family, type Probe } from '../world.ts';

const WHY =
  'It needs a second connection to one process; over stdio an agent has one client, and ends with it.';

export const TRANSPORT: readonly Probe[] = family({
  versions: [2],
  source: onPage(2, 'session-setup', 'resuming-sessions'),
  ...{ connections: 2, elsewhere: WHY, run: () => Promise.resolve(skip(WHY)) },
})({
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
});
