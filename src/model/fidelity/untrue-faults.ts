// What a replay says that never occurred in the live session: rule `replay/unfaithful`.
import type { Seq } from '../../trace/event.ts';
import { IN_GAP, type ComparedSession, type Difference, type FaultBook } from './fault-book.ts';
import { isChildOf } from './fault-book.ts';
import { itemPhrase, itemWords, quotedShort, valueName } from './fault-words.ts';
import { itemFrames, spokeAt } from './item-frames.ts';
import { itemText, saysSame } from '../replay/pair-items.ts';
import type { Numbered } from './normalize.ts';
import type { ItemMark } from './report/report.ts';
import { APART } from './turns-apart.ts';

const RULE = 'replay/unfaithful';
const METHOD = 'session/update';

/** What would decide whether something was said before. */
const LIVE = 'a recording of all that was said before the restore, checked together with this one';

/** Differences of a whole item that another rule judges, or that no rule forbids. */
const OTHERS: ReadonlySet<ItemMark> = new Set([
  ...(['lost id', 'late', 'moved', 'missing', 'split', 'merged', 'orphan'] as const),
  ...(['no baseline', 'unasked', 'cannot say'] as const),
]);

/** Fields whose wrong value is an error in v1, if the item has an id. */
const GRAVE: ReadonlySet<string> = new Set(['status', 'title', 'text']);

export function untrueFaults(of: ComparedSession, book: FaultBook): void {
  const { live, window, isLost, numbering } = of;
  if (isLost) {
    const seqs = [window.answerSeq as Seq];
    if (!isChildOf(of)) book.add(RULE, { ...IN_GAP, seqs, method: window.method });
    return;
  }
  if (live.length > 0) book.judged.add(RULE);
  const isStrict = window.wish === 'whole';
  for (const one of of.differences) {
    const { kind, verdict, mine, theirs, field, why } = one;
    if (live.length === 0 || !theirs || theirs.late || OTHERS.has(kind)) continue;
    const isOpen = verdict === 'undecidable';
    if (!isOpen && verdict !== 'corrupt') continue;
    const seen = mine ? `${itemPhrase(mine, of)}: ${fieldWords(one)}` : extraWords(one, theirs);
    if (isOpen) {
      const place = { seqs: [spokeAt(theirs, numbering)], method: METHOD };
      book.add(RULE, {
        verdict: 'undecidable',
        seen: mine ? seen : `${itemWords(theirs)}: ${why}`,
        due: why === APART.why ? APART.due : LIVE,
        ...place,
      });
      continue;
    }
    const isGrave = isStrict && field !== undefined && GRAVE.has(field);
    const isError = isGrave && (mine === undefined || mine.id !== undefined);
    book.add(RULE, {
      verdict: 'fail',
      seen,
      ...(isError ? { severity: 'error' as const } : {}),
      ...placeOf(theirs, field, of),
      method: METHOD,
    });
  }
  renamedTools(of, book);
  untrueToEarlier(of, book);
}

/** Tool calls that came under another id: a client that holds the live ones shows each twice. */
function renamedTools(of: ComparedSession, book: FaultBook): void {
  const renamed = of.differences.flatMap(({ kind, verdict, mine, theirs }) => {
    if (kind !== 'lost id' || verdict !== 'lossy' || mine?.kind !== 'tool') return [];
    if (theirs?.id === undefined || theirs.late || itemText(mine) === '') return [];
    return saysSame(mine, theirs) ? [{ mine, theirs }] : [];
  });
  const [first] = renamed;
  if (!first) return;
  const { mine, theirs } = first;
  const rest = renamed.length > 1 ? `; and ${renamed.length - 1} more` : '';
  book.add(RULE, {
    verdict: 'fail',
    severity: 'warning',
    seen: `${quotedShort(theirs.id ?? '')} for ${itemPhrase(mine, of)}, which was ${quotedShort(mine.id ?? '')}${rest}`,
    due: 'a replay names tool calls by the ids they had',
    seqs: renamed.map((one) => one.theirs.first.seq),
    pointer: '/params/update/toolCallId',
    method: METHOD,
  });
}

/** Two replays that give one message id different words: one of them is untrue. */
function untrueToEarlier(of: ComparedSession, book: FaultBook): void {
  if (!of.earlier) return;
  for (const { mine, theirs, field, verdict } of of.earlier.differences) {
    if (!mine || !theirs || theirs.late || verdict !== 'corrupt' || field === undefined) continue;
    if (mine.id === undefined || mine.id !== theirs.id) continue;
    book.add(RULE, {
      verdict: 'fail',
      seen: `${itemPhrase(mine, of)}: the ${field} differs from the earlier replay`,
      ...placeOf(theirs, field, of),
      method: METHOD,
    });
  }
}

function extraWords({ field, why }: Difference, theirs: Numbered): string {
  const words = itemWords(theirs);
  return field === undefined ? `${words}: ${why}` : `${words} is completed, though it ${why}`;
}

/** Returns `the status, failed live and now completed, was never so live`. */
function fieldWords({ field = '', values, why }: Difference): string {
  const [was, is] = (values ?? []).map(valueName);
  const isNamed = was !== undefined && is !== undefined && !field.startsWith('text');
  return `the ${field}${isNamed ? `, ${was} live and now ${is},` : ''} ${why}`;
}

/** Fields of a tool call that have their own member; all others are in its content. */
const NAMED: ReadonlySet<string> = new Set([
  ...['status', 'title', 'kind', 'rawInput', 'rawOutput', 'locations'],
]);

/** Returns the last update that gave a tool call the field; for a message the frame with its first text. */
function placeOf(
  item: Numbered,
  field: string | undefined,
  { numbering }: ComparedSession,
): { seqs: Seq[]; pointer?: string } {
  const spoke = spokeAt(item, numbering);
  if (field === undefined || item.kind !== 'tool') return { seqs: [spoke] };
  const [name = ''] = field.split('.');
  const key = NAMED.has(name) ? name : 'content';
  const last = itemFrames(item, numbering).findLast(({ update }) => update[key] !== undefined);
  return last ? { seqs: [last.seq], pointer: `/params/update/${key}` } : { seqs: [spoke] };
}
