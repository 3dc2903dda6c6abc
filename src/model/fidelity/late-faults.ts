// History that came after the response to its restore: rule `replay/after-response`.
import { str } from '../../acp/json.ts';
import { isFinal } from '../../acp/update.ts';
import type { Seq } from '../../trace/event.ts';
import { isHistory } from '../facts/variants.ts';
import { mayGoOn, UNTOLD } from '../replay/judge.ts';
import { itemText } from '../replay/pair-items.ts';
import { syntheticText } from '../replay/texts.ts';
import { repeats } from './extras.ts';
import { isChildOf, type ComparedSession, type Difference, type FaultBook } from './fault-book.ts';
import { itemPhrase, itemWords } from './fault-words.ts';
import { itemFrames, type ItemFrame } from './item-frames.ts';
import type { Numbered } from './normalize.ts';

const RULE = 'replay/after-response';

/** What would decide whether late updates are history. */
const BEFORE = 'a recording of the session from before the restore, checked together with this one';

export function lateFaults(of: ComparedSession, book: FaultBook): void {
  const { replayed, window } = of;
  if (replayed.some(({ kind, late }) => isHistory(kind) && !late)) book.judged.add(RULE);
  const by = new Map<Numbered, Difference[]>();
  for (const one of of.differences)
    if (one.theirs?.late) by.set(one.theirs, [...(by.get(one.theirs) ?? []), one]);
  const answered = window.answerSeq as Seq;
  const found: { readonly seq: Seq; readonly said: Said }[] = [];
  for (const [item, differences] of by) {
    const frames = itemFrames(item, of.numbering);
    const seqs = frames.flatMap(({ seq, late }) => (late && seq > answered ? seq : []));
    // Before the response the item came after the marker: rule replay/complete-order.
    if (seqs.length === 0) continue;
    const said = judge(item, frames, differences, of);
    if (said) found.push(...seqs.map((seq) => ({ seq, said })));
    else if (isUnannounced(item, of)) {
      const seen = `${itemWords(item)} of a child that was not announced since its parent’s restore`;
      const place = { seqs, method: 'session/update', pointer: '/params/sessionId' };
      book.add(
        'child/reannounce',
        isOnOwnStream(item, of)
          ? {
              ...OPEN_STREAM,
              seen: `${seen}, on a stream of its own: the announcement may have been sent before`,
              ...place,
            }
          : { verdict: 'fail', seen, ...place },
      );
    }
  }
  // Items may be interleaved; a finding lists their frames in the order of the trace.
  for (const { seq, said } of found.sort((a, b) => a.seq - b.seq))
    book.add(RULE, { ...said, seqs: [seq], method: 'session/update' });
}

const OPEN_STREAM = { verdict: 'undecidable', due: 'the same over stdio or WebSocket' } as const;

/** True if the child was announced before the restore ended, and not since. */
function isUnannounced(item: Numbered, { numbering, session }: ComparedSession): boolean {
  const { source, place } = numbering.at(item.from);
  const record = source.index.sessionNamed(session);
  const child = record && source.index.children.of(record);
  if (child?.past === undefined) return false;
  const { told } = child.now;
  return told === undefined || told > place;
}

function isOnOwnStream(item: Numbered, { numbering }: ComparedSession): boolean {
  const { source, place } = numbering.at(item.from);
  const event = source.eventAt(place);
  return event.type === 'frame' && event.via?.stream === 'session';
}

type Said = Pick<Parameters<FaultBook['add']>[1], 'verdict' | 'seen' | 'due' | 'severity'>;

function judge(
  item: Numbered,
  frames: readonly ItemFrame[],
  differences: readonly Difference[],
  of: ComparedSession,
): Said | undefined {
  const { window, live, replayed } = of;
  const after = `after #${window.seq} was answered`;
  const mine = differences.find((one) => one.mine)?.mine;
  if (mine) {
    const isLate = differences.some(({ kind }) => kind === 'late');
    if (!isLate) return open(`${itemPhrase(mine, of)} ${after}`);
    const untrue = differences.find(({ field, verdict }) => field && verdict === 'corrupt');
    const seen = `${itemPhrase(mine, of)} ${after}`;
    return { verdict: 'fail', seen: untrue ? `${seen}; its ${untrue.field} ${untrue.why}` : seen };
  }
  const own = differences.find(({ kind }) => kind !== 'late');
  const words = `${itemWords(item)} ${after}`;
  // The agent itself added the text to the history, so the text is no new work.
  if (item.kind !== 'user' && syntheticText(item.kind, itemText(item)) !== undefined)
    return { verdict: 'fail', seen: own?.verdict === 'corrupt' ? `${words}: ${own.why}` : words };
  // More of what itself came late proves nothing of before.
  const inTime = frames.filter(({ late }) => !late);
  const status = inTime.findLast(({ update }) => str(update, 'status'))?.update;
  const isMore = item.isAgain && !mayGoOn(item.kind, isFinal(str(status, 'status') ?? ''));
  if (isMore || repeats(item, [...live, ...replayed.filter(({ late }) => !late)]))
    return { verdict: 'fail', seen: words };
  // What a child has done meanwhile: child/reannounce asks whether it may say so.
  if (isChildOf(of)) return undefined;
  if (item.kind === 'user')
    return { verdict: 'fail', severity: 'warning', seen: userWords(of, after) };
  return open(words);
}

function open(words: string): Said {
  return { verdict: 'undecidable', seen: `${words}: ${UNTOLD.late}`, due: BEFORE };
}

/** That nobody sent the message is said only if the traces hold the live session. */
function userWords({ part }: ComparedSession, after: string): string {
  return part?.whole === true && !part.gap
    ? `a user message that nobody sent, ${after}`
    : `a user message ${after}, and no prompt awaits its response`;
}
