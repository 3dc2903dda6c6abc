// A proposal, not yet in any schema: an update that ends the history of a restore. Its fields are not
// settled, so that any are taken.
import type { Edition } from './edition.ts';
import { V2_NOVEMBER_2026 } from './v2-2026-11.ts';

export const V2_REPLAY_COMPLETE: Edition = {
  id: 'v2-replay-complete',
  version: 2,
  words: 'v2 with the RFD `replay_complete`',
  date: '2026-11-22',
  source: 'https://agentclientprotocol.com/rfds/v2/session-replay-complete',
  on: V2_NOVEMBER_2026,
  adds: [{ feature: 'replay-complete', values: { SessionUpdate: { replay_complete: 'any' } } }],
  counts: { 'replay/complete-missing#unspoken': 'error' },
};
