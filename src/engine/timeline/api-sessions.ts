// The page's calls about what the frames of a session amount to.
import type { SessionsApi } from '../api.ts';
import type { Parts } from '../parts.ts';
import { timelineLook } from './api-timeline.ts';
import { longDiff } from '../../model/sessions/line-diff.ts';
import { othersTurn } from '../traces/intake.ts';

export function sessionsApi(parts: Parts): SessionsApi {
  return {
    async conversation(connection, sessionId, ask) {
      return (await timelineLook(parts, connection)).folds.conversation(sessionId, ask);
    },

    async waiting(connection, at) {
      return (await timelineLook(parts, connection)).folds.waiting(at);
    },

    async moment(connection, sessionId, walk) {
      return (await timelineLook(parts, connection)).folds.moment(sessionId, walk);
    },

    async provenance(connection, sessionId, key, first, last) {
      return (await timelineLook(parts, connection)).folds.provenance(sessionId, key, first, last);
    },

    async terminals(connection) {
      return (await timelineLook(parts, connection)).folds.terminals();
    },

    longDiff: (part) => longDiff(part, othersTurn),

    async replayWindow(connection, request) {
      const { windowDetail } = await import('../restore/restores.ts');
      return windowDetail(parts, (await timelineLook(parts, connection)).trace, request);
    },

    async capabilityUse(connection) {
      const { capabilityUse } = await import('../../model/facts/capability-use.ts');
      return capabilityUse((await timelineLook(parts, connection)).trace.index);
    },

    async history(sessionId) {
      return (await import('./session-events.ts')).sessionHistory(parts, sessionId);
    },

    async hub(sessionId) {
      return (await import('./session-hub.ts')).sessionHub(parts, sessionId);
    },
  };
}
