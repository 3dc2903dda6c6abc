// Child sessions are stable. Whether the state `unknown` and children among the background work are
// too is not confirmed; nobody is blamed for them here.
import type { Edition } from './edition.ts';
import { V2_SDK_2_4_0 } from './v2-2.4.0.ts';

export const V2_NOVEMBER_2026: Edition = {
  id: 'v2-2026-11',
  version: 2,
  words: 'v2 as of November 2026',
  date: '2026-11-20',
  source: 'https://agentclientprotocol.com/announcements/subagents-stabilized',
  on: V2_SDK_2_4_0,
  adds: [
    {
      feature: 'subagents',
      stable: {
        BackgroundWork: ['subagent'],
        SessionUpdate: ['subagent_update', 'session_message', 'session_message_chunk'],
        StateUpdate: ['unknown'],
      },
      values: { ToolCallContent: { session: { sessionId: 'SessionId' } } },
    },
  ],
};
