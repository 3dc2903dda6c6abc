// Compactions: they begin, stream a summary, and end once. Family `compaction` of the catalogue.
import { arr, get, str } from '../../acp/json.ts';
import { isFinal } from '../../acp/update.ts';
import type { Seq } from '../../trace/event.ts';
import type { Session } from '../connection.ts';
import { fact } from '../facts.ts';
import { onUpdate } from '../listen.ts';
import { fail, judged, undecidable, type Fault } from '../outcome.ts';
import { quote } from '../quote.ts';
import type { Fold, Rule } from '../rule.ts';
import { isReplay } from '../work/tool-facts.ts';
import { knownFromStart } from '../work/tools.ts';

interface Compaction {
  status: string | undefined;
  /** Where it got a final status. */
  ended: Seq | undefined;
}

const compactions = fact<Session, Map<string, Compaction>>(() => new Map());

const compactionFold: Fold = {
  on: [
    onUpdate(['compaction_update'], ({ session, itemId, update, seq }) => {
      if (itemId === undefined) return;
      const status = str(update, 'status');
      const ended = compactions.of(session).get(itemId)?.ended;
      const last = isFinal(status) ? (ended ?? seq) : undefined;
      compactions.of(session).set(itemId, { status, ended: last });
    }),
    onUpdate(['compaction_summary_chunk'], ({ session, itemId }) => {
      const known = compactions.of(session);
      if (itemId !== undefined && !known.has(itemId))
        known.set(itemId, { status: 'in_progress', ended: undefined });
    }),
  ],
};

const AT = '/params/update';

const order: Rule = {
  id: 'compaction/order',
  versions: [1, 2],
  side: 'agent',
  severity: 'error',
  clause:
    'a compaction begins with `compaction_update`, streams its summary and ends once; a summary is of a completed one, an error of a failed one',
  on: [
    onUpdate(['compaction_update'], (step) => {
      const { session, itemId, update, seq } = step;
      if (itemId === undefined) return undefined;
      const faults: Fault[] = [];
      const status = str(update, 'status');
      const known = compactions.of(session).get(itemId);
      if (!isReplay(step) && known?.ended !== undefined && status !== known.status)
        faults.push(
          fail(`${quote(itemId)} from ${known.status} to ${status}`, {
            pointer: `${AT}/status`,
            seqs: [known.ended, seq],
          }),
        );
      if (typeof get(update, 'error') === 'string' && status !== 'failed')
        faults.push(fail(`an error with the status ${status}`, { pointer: `${AT}/error` }));
      if (arr(update, 'summary').length > 0 && status !== 'completed')
        faults.push(fail(`a summary with the status ${status}`, { pointer: `${AT}/summary` }));
      return judged(faults);
    }),
    onUpdate(['compaction_summary_chunk'], (step, connection) => {
      const { session, itemId } = step;
      if (itemId === undefined || isReplay(step)) return undefined;
      const known = compactions.of(session).get(itemId);
      const pointer = `${AT}/compactionId`;
      if (known?.ended !== undefined)
        return fail(`a chunk of ${quote(itemId)}, which ended in #${known.ended}`, { pointer });
      if (known !== undefined) return 'pass';
      const seen = `a chunk of ${quote(itemId)} before its \`compaction_update\``;
      // The schema lets such a chunk begin one.
      return knownFromStart(session, connection)
        ? fail(seen, { pointer, severity: 'warning' })
        : undecidable(`${seen}, which may have come before this trace`, 'the whole session', {
            pointer,
          });
    }),
  ],
};

export const COMPACTION: readonly Rule[] = [order];
export const COMPACTION_FOLDS: readonly Fold[] = [compactionFold];
