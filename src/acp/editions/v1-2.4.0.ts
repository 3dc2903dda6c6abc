import type { Edition } from './edition.ts';

export const V1_SDK_2_4_0: Edition = {
  id: 'v1-2.4.0',
  version: 1,
  words: 'v1 as of SDK 2.4.0',
  date: '2026-11-02',
  source: 'https://github.com/agentclientprotocol/typescript-sdk/tree/v2.4.0',
  counts: {
    'close/update-after': 'hint',
    'commands/name': 'hint',
    'config/unknown-reply': 'warning',
    'frame/batch': 'warning',
    'init/repeat': 'warning',
    'perm/options': 'warning',
    'perm/proceed-anyway': 'warning',
    'prompt/empty': 'hint',
    'replay/message-id-missing': 'warning',
    'rpc/id-reuse': 'warning',
    'setup/unknown-session-reply': 'warning',
  },
};
