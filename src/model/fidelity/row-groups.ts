// Rows of a report in turns; what the session is left with stands at the end.
import type { Aside } from '../replay/normal-form.ts';
import { oneLine } from '../words.ts';
import type { LedgerRow } from './ledger.ts';
import type { LivePart } from './live-fold.ts';
import type { Numbered } from './normalize.ts';
import type { Numbering } from './numbering.ts';
import type { Row, RowGroup } from './report/report.ts';

export function asidesOf(
  part: LivePart | undefined,
  live: readonly Numbered[],
  numbering: Numbering,
) {
  return (part?.asks ?? []).map(({ words, number }) => {
    const after = live.filter(({ from }) => from < number).length;
    return {
      words: `asked: ${words}`,
      frame: numbering.frame(number),
      after,
      turn: live[after - 1]?.turn ?? 0,
    };
  });
}

export function rowGroups(
  rows: readonly LedgerRow[],
  asides: readonly (Aside & { readonly turn: number })[],
): RowGroup[] {
  const groups: (Omit<RowGroup, 'rows'> & { readonly rows: RowGroup['rows'][number][] })[] = [];
  const waiting = [...asides];
  let lives = 0;
  for (const row of rows) {
    if (row.turn === undefined) continue;
    const starts = row.of === 'user' && (row.live !== undefined || row.mark === 'unknown');
    const last = groups.at(-1);
    if (starts) {
      const title = oneLine((row.live ?? row.replayed)?.words ?? '', 120);
      groups.push({ at: 'turn', turn: (last?.turn ?? 0) + 1, title, rows: [] });
    } else if (!last) groups.push({ at: 'before', turn: 0, title: '', rows: [] });
    const group = groups.at(-1);
    group?.rows.push(bare(row));
    lives += row.lives;
    while (waiting[0] && waiting[0].after <= lives && row.lives > 0) {
      const { words, frame } = waiting[0];
      group?.rows.push({ of: 'aside', live: { frame, last: frame, frames: 1, words } });
      waiting.shift();
    }
  }
  const facts = rows.filter(({ turn }) => turn === undefined).map(bare);
  if (facts.length > 0)
    groups.push({ at: 'end', turn: 0, title: 'what the session is left with', rows: facts });
  return groups;
}

function bare({ of, mark, verdict, live, replayed, differences }: LedgerRow): Row {
  return { of, mark, verdict, live, replayed, differences };
}
