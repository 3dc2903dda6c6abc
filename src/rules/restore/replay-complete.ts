// The marker `replay_complete` of v2: it ends the history of a restore, for each session of the tree.
// Family `replay` of the catalogue.
import { isHistory } from '../../model/facts/variants.ts';
import { type Connection, fact } from '../connection.ts';
import { onAnswer, onUpdate } from '../listen.ts';
import { rulesOf, fail, judged, type Fold, type RuleFault, type Outcome, quote } from '../rule.ts';
import { answeredWindow, isRecordedWhole } from './window-facts.ts';

/** True once the agent ended a replay with the marker on this connection. */
const marked = fact<Connection, { before: boolean }>(() => ({ before: false }));

export const markedFold: Fold = [
  onUpdate(['replay_complete'], ({ place }, connection) => {
    if (place?.window.outcome === 'open') marked.of(connection).before = true;
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
