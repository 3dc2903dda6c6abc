// The page's calls about what the frames of a session amount to.
import type { StateAsk } from '../../model/fold/look.ts';
import type { PlayheadMove } from '../../model/fold/moments.ts';
import { longDiff, type DiffPart } from '../../model/sessions/line-diff.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';
import type { Parts } from '../parts.ts';
import { tellingsOf } from '../restore/tool-calls.ts';
import { timelineLook } from './api-timeline.ts';
import { othersTurn } from '../traces/intake.ts';

export function sessionsApi(parts: Parts) {
  return {
    /** A session as a correct client believes it at a frame, or at the live end. */
    async conversation(connection: ConnectionId, sessionId: string, ask: StateAsk) {
      return (await timelineLook(parts, connection)).folds.conversation(sessionId, ask);
    },

    /** Returns the content of a frame in this session. */
    async frameContent(connection: ConnectionId, sessionId: string, seq: Seq) {
      return (await timelineLook(parts, connection)).folds.frameContent(sessionId, seq);
    },

    /** The tool call of a frame in each run of its session. */
    async sameCall(connection: ConnectionId, seq: Seq) {
      return tellingsOf(parts, connection, seq);
    },

    /** Who waits for whom, after this event or at the live end. */
    async waiting(connection: ConnectionId, at: Seq | undefined) {
      return (await timelineLook(parts, connection)).folds.waiting(at);
    },

    /** A frame of the session to stop at; undefined: it has none. */
    async moment(connection: ConnectionId, sessionId: string, walk: PlayheadMove) {
      return (await timelineLook(parts, connection)).folds.moment(sessionId, walk);
    },

    /** Which frame brought which part of the text of an item, told by its first and last frame. */
    async provenance(
      connection: ConnectionId,
      sessionId: string,
      key: string,
      first: Seq,
      last: Seq,
    ) {
      return (await timelineLook(parts, connection)).folds.provenance(sessionId, key, first, last);
    },

    async terminals(connection: ConnectionId) {
      return (await timelineLook(parts, connection)).folds.terminals();
    },

    /** The lines of a diff that would hold up the page. */
    longDiff: (part: DiffPart) => longDiff(part, othersTurn),

    /** The replay window of the restore request at `request`. */
    async replayWindow(connection: ConnectionId, request: Seq) {
      const { windowDetail } = await import('../restore/window-detail.ts');
      return windowDetail(parts, (await timelineLook(parts, connection)).trace, request);
    },

    /** Which capabilities were made use of, and how often that was refused. */
    async capabilityUse(connection: ConnectionId) {
      const { capabilityUse } = await import('../../model/facts/capability-use.ts');
      return capabilityUse((await timelineLook(parts, connection)).trace.index);
    },

    /** What happened to a session on every connection in memory, in the order of time. */
    async history(sessionId: string) {
      return (await import('./session-events.ts')).sessionHistory(parts, sessionId);
    },

    /** All of it: what it lived on each connection, what happened to it, and every restore. */
    async hub(sessionId: string) {
      return (await import('./session-hub.ts')).sessionHub(parts, sessionId);
    },
  };
}
