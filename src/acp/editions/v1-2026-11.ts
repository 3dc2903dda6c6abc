// Child sessions are stable. The schemas of that text are not at hand: of the updates, those that SDK
// 2.4.0 has as unstable; the `session` content of tool calls by its page.
import type { Edition } from './edition.ts';
import { V1_SDK_2_4_0 } from './v1-2.4.0.ts';

export const V1_NOVEMBER_2026: Edition = {
  id: 'v1-2026-11',
  version: 1,
  words: 'v1 as of November 2026',
  date: '2026-11-20',
  source: 'https://agentclientprotocol.com/announcements/subagents-stabilized',
  on: V1_SDK_2_4_0,
  adds: [
    {
      feature: 'subagents',
      stable: {
        ClientCapabilities: ['subagents'],
        SessionUpdate: ['subagent_update', 'session_message', 'session_message_chunk'],
      },
      values: { ToolCallContent: { session: { sessionId: 'SessionId' } } },
    },
  ],
};
