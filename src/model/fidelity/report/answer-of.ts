// Returns the answer for a judged restore, and counts the rows of its comparison.
import { count, formatCount } from '../../../lib/format.ts';
import { asSentence } from '../../../lib/sentence.ts';
import type { RestoreResult } from '../../restore/restore-results.ts';
import { resultWords, wholeDue } from '../../restore/restore-words.ts';
import { KIND_WORDS } from '../../sessions/compare-terms.ts';
import type { FidelityKind, FidelityWindow, ItemDifference, Row, RowGroup } from './report.ts';
import { isStrange, wordList } from './sentence.ts';
import {
  isViolationAlone,
  ITEM_WORDS,
  type Answer,
  type HistoryAnswer,
  type HistoryWord,
  type ItemWord,
} from './answer.ts';

type Compared = Pick<FidelityWindow, 'verdict' | 'differences' | 'unjudged' | 'notes'> & {
  readonly groups: readonly RowGroup[];
  readonly refused: boolean;
  readonly unasked: boolean;
};

/** The word of one row. */
export function itemWord({ mark, verdict }: Pick<Row, 'mark' | 'verdict'>): ItemWord {
  switch (verdict) {
    case 'corrupt':
      return 'wrong';
    case 'lossy':
      return mark === 'missing' || mark === 'late' ? mark : 'changed';
    case 'undecidable':
      return 'inconclusive';
    case 'cosmetic':
      return 'equivalent';
    case 'equal':
      return mark === 'unknown' ? 'not compared' : 'identical';
  }
}

/** Returns how many rows have each word, worst first; words without a row are absent. */
export function itemCounts(
  groups: readonly RowGroup[],
): readonly (readonly [word: ItemWord, rows: number])[] {
  const words = rowsOf(groups).map(itemWord);
  return ITEM_WORDS.flatMap((word) => {
    const many = words.filter((one) => one === word).length;
    return many > 0 ? [[word, many] as const] : [];
  });
}

/** Returns the answer for a restore and the comparison of its replay. */
export function restoreAnswer(
  result: RestoreResult,
  compared: Compared & Pick<FidelityWindow, 'shortfall'>,
): Answer {
  const due = wholeDue(result.due, compared.shortfall);
  const protocol = due === undefined ? 'inconclusive' : due ? 'followed' : 'violated';
  const { plain } = resultWords(result);
  const answer = historyAnswer(compared);
  const isShort = result.due === true && protocol !== 'followed';
  const short = isShort ? compared.shortfall?.words : undefined;
  const why = short === undefined ? plain : `${plain}, but ${short}`;
  const { outcome } = result.window;
  const isOpen = outcome === 'open' || outcome === 'incomplete';
  const isAlone = isViolationAlone({ protocol, history: answer.history });
  const isPlain = answer.history === 'no replay' || isOpen || isAlone;
  const news = isAlone && short !== undefined ? short : plain;
  return { ...answer, protocol, why, ...(isPlain && { headline: headlined(news) }) };
}

/** Returns the answer for the history of one session, also of a child session, which has no request of its own. */
export function historyAnswer(compared: Compared): HistoryAnswer {
  const { groups, notes } = compared;
  const history = historyWord(compared);
  const counts = history === 'no replay' ? [] : itemCounts(groups);
  const figures = counts.map(([word, many]) => `${formatCount(many)} ${word}`).join(', ');
  const more = history === 'no replay' ? '' : notes;
  return { history, headline: headlineOf(compared, history), figures, more };
}

/** Returns the answer for a child session of which the agent replayed nothing. */
export function absentAnswer(answer: HistoryAnswer, isRequested: boolean): HistoryAnswer {
  if (!isRequested)
    return { history: 'no replay', headline: 'No history was requested', figures: '', more: '' };
  return { ...answer, headline: 'Nothing of this child session was replayed' };
}

function historyWord({ verdict, differences, refused, unasked }: Compared): HistoryWord {
  switch (verdict) {
    case 'equal':
      return unasked ? 'no replay' : 'identical';
    case 'cosmetic':
      return 'equivalent';
    case 'lossy': {
      const losses = differences.filter((one) => one.verdict === 'lossy');
      return losses.every(({ kind }) => kind === 'late') ? 'late' : 'incomplete';
    }
    case 'corrupt':
      return 'wrong';
    case 'undecidable':
      return refused ? 'no replay' : 'inconclusive';
    case 'nothing due':
      return 'no replay';
  }
}

const UNJUDGED = {
  'nothing known': 'No trace holds the live session',
  'other children': 'Only one of the two clients supports child sessions',
  'frames missing': 'Frames are missing before the response',
} as const;

function headlineOf(compared: Compared, history: HistoryWord): string {
  const { groups, differences, unjudged } = compared;
  if (history === 'no replay') return 'No history was expected';
  if (history === 'inconclusive' && unjudged) return UNJUDGED[unjudged];
  const rows = rowsOf(groups);
  const of = (word: ItemWord) => rows.filter((row) => itemWord(row) === word);
  const words = itemCounts(groups).map(([word]) => word);
  const [worst = 'identical'] = words;
  const late = worst === 'late' && words.includes('changed') ? [changedWords(of('changed'))] : [];
  return [worstWords(worst, of(worst), differences), ...late].join('; ');
}

function worstWords(
  word: ItemWord,
  rows: readonly Row[],
  differences: readonly ItemDifference[],
): string {
  const isOne = rows.length === 1;
  switch (word) {
    case 'wrong':
      return wrongWords(rows, differences);
    case 'missing':
      return `${things(rows)} ${isOne ? 'is' : 'are'} missing`;
    case 'late':
      return `${things(rows, 'old ')} would be shown as new`;
    case 'changed':
      return changedWords(rows);
    case 'inconclusive':
      return `The traces do not show whether ${things(rows)} ${isOne ? 'was' : 'were'} replayed correctly`;
    case 'equivalent':
      return rows.some(({ mark, replayed }) => mark === 'cannot say' && !replayed)
        ? 'Everything that this protocol version can express was replayed'
        : 'Nothing is missing or wrong; only the form differs';
    case 'identical':
    case 'not compared':
      return isOne
        ? '1 item was replayed as it was live'
        : `${count(rows.length, 'item')} were replayed as they were live`;
  }
}

function changedWords(rows: readonly Row[]): string {
  return `${things(rows)} ${rows.length === 1 ? 'is' : 'are'} not as complete as live`;
}

/** Names the first that applies: another status, invented, repeated, another value. */
function wrongWords(rows: readonly Row[], differences: readonly ItemDifference[]): string {
  const wrong = rows.map((row) => ({
    row,
    found: row.differences.flatMap((at) => differences[at] ?? []).filter(isWrong),
  }));
  const having = (fits: (one: ItemDifference) => boolean) =>
    wrong.filter(({ found }) => found.some(fits)).map(({ row }) => row);
  const status = wrong.flatMap(({ found }) => found.filter(({ field }) => field === 'status'));
  const [first] = status;
  if (first) {
    const { before = 'other', after = 'other' } = first;
    const same = status.filter((one) => one.before === before && one.after === after).length;
    return `${count(same, `${before} tool call`)} ${same === 1 ? 'was' : 'were'} replayed as ${after}`;
  }
  const strange = having(isStrange);
  if (strange.length > 0) return `${things(strange)} never occurred in the live session`;
  const twice = having(({ kind }) => kind === 'unasked' || kind === 'no baseline');
  if (twice.length > 0) return `${things(twice)} would be shown twice`;
  const has = rows.length === 1 ? 'has a value' : 'have values';
  return `${things(rows)} ${has} that never occurred live`;
}

const isWrong = ({ verdict }: ItemDifference) => verdict === 'corrupt';

const MESSAGES: ReadonlySet<FidelityKind> = new Set(['user', 'agent', 'thought', 'peer']);
const SINGLE: ReadonlySet<FidelityKind> = new Set(['mode', 'commands', 'title', 'state']);

/** `2 messages and 1 tool call`; `the mode`. */
function things(rows: readonly Row[], which = ''): string {
  const kinds = new Map<string, readonly Row[]>();
  for (const row of rows) {
    const kind = MESSAGES.has(row.of) ? 'message' : row.of;
    kinds.set(kind, [...(kinds.get(kind) ?? []), row]);
  }
  return wordList(
    [...kinds].map(([kind, { length, 0: first }]) => {
      if (!first || kind === 'message') return count(length, `${which}message`);
      const [one, many] = KIND_WORDS[first.of];
      return SINGLE.has(first.of)
        ? `the ${one}`
        : count(length, `${which}${one}`, `${which}${many}`);
    }),
  );
}

function rowsOf(groups: readonly RowGroup[]): readonly Row[] {
  return groups.flatMap(({ rows }) => rows.flatMap((row) => (row.of === 'aside' ? [] : [row])));
}

function headlined(clause: string): string {
  return asSentence(clause).replace(/\.$/, '');
}
