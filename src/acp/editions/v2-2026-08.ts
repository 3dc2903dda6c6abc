// The draft of v2 before SDK 2.4.0: laxer, so that who follows it breaks the later text honestly.
import type { Edition } from './edition.ts';
import { V2_SDK_2_4_0 } from './v2-2.4.0.ts';

export const V2_AUGUST_2026: Edition = {
  id: 'v2-2026-08',
  version: 2,
  words: 'v2 as of August 2026',
  date: '2026-08-22',
  source:
    'https://github.com/agentclientprotocol/agent-client-protocol/tree/b7f0005/docs/protocol/v2',
  on: V2_SDK_2_4_0,
  counts: {
    'cancel/held-prompt': 'off',
    'cap/advertised-missing': 'off',
    'close/unknown': 'off',
    'close/update-after': 'hint',
    'commands/name': 'hint',
    'config/unknown-reply': 'warning',
    'frame/batch': 'warning',
    // Without a handshake, a sign-in, a prompt or what opens a session, which had to stand alone.
    'frame/batch#harmless': 'off',
    'frame/batch-reply': 'off',
    'init/early-accept': 'off',
    'init/version-error': 'off',
    'init/version-too-high': 'off',
    'perm/withdraw-missing': 'off',
    'perm/withdrawn-answer': 'off',
    'prompt/empty': 'off',
    'prompt/error-after-insert': 'off',
    'prompt/receipt-id': 'off',
    'replay/chunks-without-reset': 'off',
    'replay/compaction-transient': 'off',
    'resume/cursor-unknown-reply': 'off',
    'resume/state-snapshot': 'off',
    'rpc/id-reuse': 'warning',
    // JSON-RPC's own words on it only discourage such an id.
    'rpc/id-type#discouraged': 'warning',
    'rpc/unknown-method-code': 'off',
    // Its own schemas are not at hand, and those of SDK 2.4.0 are stricter.
    'schema/params': 'warning',
    'schema/result': 'warning',
    // A prompt was answered with `{}`.
    'schema/result#receipt': 'off',
    'schema/update': 'warning',
    'setup/cwd-mismatch': 'warning',
    'setup/null-arrays': 'warning',
    'setup/unknown-session-reply': 'off',
    'state/requires-action-exit': 'warning',
    'state/stop-reason-missing': 'error',
  },
};
