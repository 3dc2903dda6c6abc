import type { Edition } from './edition.ts';

export const V2_SDK_2_4_0: Edition = {
  id: 'v2-2.4.0',
  version: 2,
  words: 'v2 as of SDK 2.4.0',
  date: '2026-11-02',
  source: 'https://github.com/agentclientprotocol/typescript-sdk/tree/v2.4.0',
  counts: {
    'init/early-accept': 'error',
    'replay/complete-missing#unspoken': 'off',
    'replay/empty': 'hint',
    'rpc/unknown-method-code': 'error',
    'setup/cwd-mismatch': 'error',
    'setup/null-arrays': 'error',
  },
};
