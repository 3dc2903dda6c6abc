// The marker `replay_complete` of v2: it ends the history of a restore, for each session of the tree.
// Family `replay` of the catalogue.
import { isHistory, isMessageKind } from '../../model/facts/variants.ts';
import { type Connection, type Session, fact } from '../connection.ts';
import { onAnswer, onUpdate } from '../listen.ts';
import { rulesOf, fail, judged, type Fold, type RuleFault, type Outcome, quote } from '../rule.ts';
import { answeredWindow, isRecordedWhole, toldIn } from './window-facts.ts';
import { USER } from '../turns/turn-facts.ts';

/** True once the agent ended a replay with the marker on this connection. */
const marked = fact<Connection, { before: boolean }>(() => ({ before: false }));

export const markedFold: Fold = [
  onUpdate(['replay_complete'], ({ place }, connection) => {
    if (place?.window.outcome === 'open') marked.of(connection).before = true;
  }),
];

/** Ids of the user messages that a session received before its first restore on this connection. */
const heard = fact<Session, Set<string>>(() => new Set());
const MAX_HEARD = 10_000;

export const heardFold: Fold = [
  onUpdate(USER, ({ session, itemId, window }) => {
    const ids = heard.of(session);
    if (itemId !== undefined && window === undefined && ids.size < MAX_HEARD) ids.add(itemId);
  }),
];

export const REPLAY_COMPLETE = rulesOf({
  versions: [2],
  side: 'agent',
  feature: 'replay-complete',
})({
  'replay/complete-order': {
    severity: 'error',
    clause:
      'the marker comes once, after all replayed history and before the answer, where history was asked for',
    on: [
      onUpdate(['replay_complete'], ({ session, place }, { windows }): Outcome => {
        const window = place?.window ?? windows.around(session);
        if (window === undefined || window.outcome !== 'open')
          return fail('`replay_complete`, and no restore of the session is open');
        if (window.wish === 'none')
          return fail(`\`replay_complete\`, and #${window.seq} asked for no history`, {
            seqs: [window.seq],
          });
        const before = window.branches.get(session)?.complete;
        return before === undefined
          ? 'pass'
          : fail(`a second \`replay_complete\`, after #${before}`);
      }),
      onUpdate('all', ({ item, place, variant, seq }) => {
        const marker = place?.branch.complete;
        if (marker === undefined || !isHistory(item) || place?.window.outcome !== 'open')
          return undefined;
        // Work that goes on may say what it does.
        if (place.as !== 'late') return undefined;
        return fail(`\`${variant}\` after the marker #${marker}`, {
          seqs: [place.window.seq, seq],
        });
      }),
    ],
  },
  'replay/live-early': {
    severity: 'error',
    clause: 'live updates of a session wait until the marker has ended its replay',
    // Only more of a message that the replay has not told is surely live: a replay tells a message from its beginning.
    on: onUpdate('all', ({ session, place, variant, item, itemId, seq }, connection): Outcome => {
      if (place === undefined || place.as === 'late' || place.as === 'setup') return undefined;
      const { window, branch } = place;
      if (window.outcome !== 'open' || window.wish === 'none' || !branch.busy) return undefined;
      if (window.method === 'session/fork') return undefined;
      if (!isMessageKind(item) || itemId === undefined || !variant.endsWith('_chunk'))
        return undefined;
      if (!isRecordedWhole(window, connection)) return undefined;
      const told = toldIn(window, session);
      // Before the replay has begun, an update may have been sent before the request came.
      const replayed = told.items.find(
        ({ kind, id }) => kind === 'user' && id !== undefined && heard.of(session).has(id),
      );
      if (replayed === undefined) return undefined;
      if (told.items.some(({ kind, id }) => kind === item && id === itemId)) return 'pass';
      return fail(`\`${variant}\` of ${quote(itemId)} amid the replay, before its marker`, {
        seqs: [window.seq, replayed.first, seq],
      });
    }),
  },
  'replay/complete-missing': {
    severity: 'error',
    clause:
      'a replay that is answered ends with its marker, and that of each child with one of its own',
    on: onAnswer(['session/resume'], ({ session, asked, result, seq }, connection): Outcome => {
      const window = answeredWindow(session, asked.seq);
      if (!window || result === undefined || window.wish === 'none') return undefined;
      if (!isRecordedWhole(window, connection)) return undefined;
      const owing = [...window.branches.values()].filter(
        (branch) => branch === window.root || branch.announced !== undefined,
      );
      // An agent that never sends it follows an older edition.
      const isSpoken =
        owing.some(({ complete }) => complete !== undefined) || marked.of(connection).before;
      return judged(
        owing.flatMap(({ session: of, complete }): RuleFault[] =>
          complete !== undefined
            ? []
            : [
                fail(`no \`replay_complete\` of ${quote(of.id)} before the answer`, {
                  seqs: [window.seq, seq],
                  ...(of === session ? {} : { sentence: 'child' }),
                  ...(isSpoken ? {} : { point: 'unspoken' }),
                }),
              ],
        ),
      );
    }),
  },
});
