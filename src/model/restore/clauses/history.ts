// Which history is due of a restore, and what must stand between it and the answer.
import { get } from '../../../acp/json.ts';
import { count } from '../../../lib/format.ts';
import type { Seq } from '../../../trace/event.ts';
import { isAtWork } from '../../facts/activity.ts';
import {
  WITHOUT_GAP,
  asDue,
  breaks,
  fault,
  holds,
  legally,
  leftOpen,
  type Clause,
  type ClauseFacts,
  type FindingParts,
} from './clause.ts';

export function updates({ updates: many = 0 }: ClauseFacts): string {
  return count(many, 'update');
}

/** Frames that one finding names. */
const MAX_FRAMES = 10_000;

function framesOf(all: readonly { readonly seq: Seq }[]): FindingParts {
  const seqs = all.slice(0, MAX_FRAMES).map(({ seq }) => seq);
  return { seqs, method: 'session/update' };
}

/** What was lost on the way and what the agent left out look alike. */
export const LOST = 'frames are missing before the answer';

export const WHOLE: Clause = {
  rule: 'replay/missing-history',
  versions: [1],
  wishes: ['whole'],
  due: holds(
    'The agent must replay all history before the response.',
    'As session/update. v1 requires no messageId.',
  ),
  onResult: ({ history, isSurelyLate, isLost, isNotWhole, begins }) => {
    if (history === 0 && isSurelyLate) return fault('replayed-late');
    if (isLost) return leftOpen('undecidable', 'lost');
    if (history > 0 && begins !== 'later') return asDue('replayed-from-start', 'whole');
    const verdict = history > 0 ? 'replayed-elsewhere' : 'replayed-nothing';
    if (isNotWhole) return fault(verdict, history > 0 ? 'later' : 'nothing');
    return leftOpen(verdict, history > 0 ? 'lesser' : 'unknown');
  },
  said: {
    lesser: 'begins after the first item the trace knows, and no history is known to be missing',
    later: 'begins after the first item the trace knows; expected all history',
    whole: 'history, then the answer',
    nothing: 'nothing replayed, though the trace knows history; expected all history',
    unknown: 'nothing replayed; the trace does not say whether there was history',
    lost: LOST,
  },
};

export const RESULT: Clause = {
  versions: [1],
  wishes: ['whole'],
  source: 'LoadSessionResponse',
  due: holds('The result is an object, with modes and config options if the session has them.'),
};

/** An agent need not retain everything, so gaps are reported and not judged. */
export const RETAINED: Clause = {
  rule: 'replay/missing-history-v2',
  versions: [2],
  wishes: ['retained'],
  due: legally(
    'Before the response, the agent must replay all history that it retained.',
    'An agent need not retain everything.',
  ),
  onResult: ({ history, isSurelyLate, isLost, known, begins }) => {
    if (history === 0 && isSurelyLate) return fault('replayed-late');
    if (isLost) return leftOpen('undecidable', 'lost');
    if (history === 0) return leftOpen('replayed-nothing', known ? 'nothing' : 'unknown');
    return begins === 'later'
      ? leftOpen('replayed-elsewhere', 'later')
      : asDue('replayed-from-start', 'whole');
  },
  said: {
    ...WHOLE.said,
    later: 'begins after the first item the trace knows; an agent need not keep it',
    nothing: 'nothing replayed, though the trace knows history; an agent need not keep it',
  },
};

export const PROMPT_ID: Clause = {
  rule: 'replay/message-id-unstable',
  versions: [2],
  wishes: ['retained'],
  due: holds('A retained prompt has the messageId from its response.', 'Also after a restart.'),
};

export const NONE: Clause = {
  decides: 'resume/no-replay-without-cursor',
  versions: [1, 2],
  wishes: ['none'],
  due: ({ version, cursor }) =>
    version === 1
      ? holds('The agent must not replay history before the response.')
      : legally(
          'The agent must not replay history.',
          cursor === null ? 'null means the same as no replayFrom.' : undefined,
        ),
  onResult: ({ conversation, state, isSurelyLate }) => {
    const all = conversation();
    const sure = isAtWork(state) ? [] : all.filter(({ isReplay }) => isReplay);
    if (sure.length > 0) {
      // The agent may need tool calls, plans and terminals to set the session up.
      const severity = sure.some(({ isMessage }) => isMessage) ? 'error' : 'warning';
      const facts = { updates: sure.length };
      return fault('replayed-unasked', 'unasked', facts, { ...framesOf(sure), severity });
    }
    if (isSurelyLate) return fault('replayed-unasked');
    const atRest = { ...framesOf(all), due: 'a restore of a session in which nothing runs' };
    return all.length > 0
      ? leftOpen('undecidable', 'live', { updates: all.length }, atRest)
      : asDue('restored-without-replay', 'none');
  },
  said: {
    unasked: (facts) => `${updates(facts)} of history, none is allowed`,
    live: (facts) => `${updates(facts)} while a turn was running, perhaps live`,
    none: 'nothing replayed',
  },
};

/** Nothing says that a fork must replay. */
export const FORK: Clause = {
  versions: [1, 2],
  wishes: ['fork'],
  source: 'ForkSessionRequest',
  onResult: ({ history }) =>
    history > 0
      ? leftOpen('replayed-from-start', 'with')
      : leftOpen('restored-without-replay', 'without'),
  said: { with: 'forked, with history', without: 'forked, without history' },
};

export const REPLAY_FROM: Clause = {
  rule: 'resume/replay-on-v1',
  versions: [1],
  due: ({ params }) =>
    get(params, 'replayFrom') === undefined
      ? undefined
      : breaks('v1 has no replayFrom.', 'An agent should ignore the field.'),
};

export const IN_TIME: Clause = {
  rule: 'replay/after-response',
  versions: [1, 2],
  fault: ({ late, isSurelyLate, isMarked }) => {
    if (late === 0) return undefined;
    const facts = { updates: late };
    if (!isSurelyLate) return { due: undefined, code: 'perhaps', facts };
    return { due: false, code: isMarked ? 'marked' : 'late', facts };
  },
  said: {
    perhaps: (facts) =>
      `${updates(facts)} after the answer: history that came late, or work that goes on`,
    late: (facts) => `${updates(facts)} of history after the answer`,
    marked: (facts) => `${updates(facts)} of history after it was said to be complete`,
  },
};

export const STATE_SNAPSHOT: Clause = {
  decides: 'resume/state-snapshot',
  versions: [2],
  wishes: ['none', 'retained', 'custom', 'unknown', 'malformed'],
  // What is no cursor must be rejected, and then nothing comes before the answer.
  due: ({ wish }) =>
    wish === 'malformed'
      ? undefined
      : holds(
          'A state_update comes after the replay and before the response.',
          'No history may follow the state_update.',
        ),
  fault: ({ hasState, conversation, isLost, requestSeq, answerSeq }) => {
    if (!hasState && isLost) return { due: undefined, code: 'lost', finding: WITHOUT_GAP };
    if (!hasState)
      return { due: false, code: 'missing', finding: { seqs: [requestSeq, answerSeq] } };
    const after = conversation().filter(({ isReplay, isAfterState }) => isReplay && isAfterState);
    if (after.length === 0) return undefined;
    return { due: false, code: 'not-last', finding: { ...framesOf(after), severity: 'warning' } };
  },
  said: {
    missing: 'no state_update before the response; expected one',
    lost: LOST,
    'not-last': 'history after the state_update, which must come last',
  },
};
