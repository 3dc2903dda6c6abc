// The page's calls about restores of a session, on whichever connection.
import type { RestoreApi } from '../api.ts';
import { chosenFor, UNKNOWN_COMMAND } from '../connections/api-connections.ts';
import type { Parts } from '../parts.ts';
import { lookOf } from '../timeline/api-timeline.ts';
import { tryInPage } from './restore-tries.ts';
import { restoresOf, windowDetail } from './restores.ts';
import { backgroundOf } from './session-background.ts';

export function restoreApi(parts: Parts): RestoreApi {
  const { traces, driving } = parts;
  return {
    async candidates(connection, sessionId) {
      return (await lookOf(parts, connection)).folds.candidates(
        sessionId,
        traces.pins.letters(sessionId),
      );
    },

    async replayWindow(connection, request) {
      return windowDetail(parts, (await lookOf(parts, connection)).trace, request);
    },

    async background(sessionId, asking) {
      return backgroundOf(parts, sessionId, asking);
    },

    async restores(sessionId) {
      return restoresOf(parts, sessionId);
    },

    async tryRestore(ask) {
      const chosen = await chosenFor(parts, ask.like);
      if (!chosen) return { kind: 'failed', message: UNKNOWN_COMMAND };
      return tryInPage(parts, chosen, driving.version, ask);
    },
  };
}
