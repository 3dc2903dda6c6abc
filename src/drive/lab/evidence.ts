// What the two traces of a cell prove: the verdict on the restore, live against replayed, what became
// of what was open, and the frames that a person wants to see for it.
import { fidelitySteps } from '../../diff/fidelity.ts';
import type { FidelityWindow } from '../../diff/report.ts';
import { itemIdOf, isHistory, itemKindOf } from '../../model/variants.ts';
import { updateOf } from '../../acp/update.ts';
import { restoreResult } from '../../model/restore-results.ts';
import type { WindowRecord } from '../../model/replay-windows.ts';
import type { Seq } from '../../trace/event.ts';
import { errorOf } from '../answered.ts';
import type { Heard } from '../scripted.ts';
import type { Axes } from './axes.ts';
import { excerptOf } from './excerpt.ts';
import { sourceOf, type Source } from './part.ts';
import type { Prepared } from './prepare.ts';
import { reconnectTruth, type ReconnectTruth } from './reconnect.ts';
import type { Excerpt, LabRestored } from './report.ts';
import type { Restored } from './restored.ts';

export interface Proof {
  readonly restored: LabRestored;
  readonly fidelity: FidelityWindow | undefined;
  readonly reconnect: ReconnectTruth;
  readonly excerpts: readonly Excerpt[];
}

/** `breathe` is waited for now and then: a long replay takes its time. */
export async function proofOf(
  axes: Axes,
  prepared: Prepared,
  after: Restored,
  breathe: () => Promise<void>,
): Promise<Proof> {
  const { sessionId } = prepared;
  const [one, two] = [sourceOf(prepared.part, 'before'), sourceOf(after.part, 'after')];
  const window = two.index.windowRecords.find(({ session }) => session.sessionId === sessionId);
  // What the next prompt brings may be late, and slow agents tell their commands only then: up to it,
  // what has not come is open, and behind it nothing is missed.
  const replay = sourceOf(after.part, 'after', isPrompt);
  const fidelity = window && (await compared([one, replay], replay, window, breathe));
  return {
    restored: restoredOf(axes, two, window, prepared, after),
    fidelity,
    reconnect: reconnectTruth(one, [two], sessionId),
    excerpts: excerptsOf(prepared, after, fidelity),
  };
}

function isPrompt({ frame, message }: Heard): boolean {
  return (
    frame.from === 'client' && message.kind === 'request' && message.method === 'session/prompt'
  );
}

async function compared(
  sources: readonly Source[],
  { connection }: Source,
  { id }: WindowRecord,
  breathe: () => Promise<void>,
): Promise<FidelityWindow | undefined> {
  const steps = fidelitySteps(sources, { window: { connection, id } });
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value.windows[0];
    await breathe();
  }
}

function restoredOf(
  axes: Axes,
  source: Source,
  window: WindowRecord | undefined,
  prepared: Prepared,
  { answered, named, part }: Restored,
): LabRestored {
  const { requestSeq, answerSeq } = answered;
  const base = { requestSeq, answerSeq, code: errorOf(answered)?.code };
  if (window === undefined)
    return { ...base, verdict: 'incomplete', words: 'it could not be sent', due: undefined };
  const gone = axes.id === 'unknown' || axes.id === 'deleted';
  const told = restoreResult(source.index, source.eventAt, window, { history: !gone, gone });
  const { verdict, words, due } = told;
  const custom =
    named === undefined || base.code !== undefined ? undefined : customOf(named, prepared, part);
  return { ...base, verdict, words, due, ...custom };
}

/** Against what was said live on the other connection, which the restore's own trace does not hold. */
function customOf(
  named: string,
  prepared: Prepared,
  part: Restored['part'],
): Pick<LabRestored, 'verdict' | 'words' | 'due'> {
  const live = idsIn(prepared.part.connection.heard, prepared.sessionId);
  const replayed = idsIn(part.connection.heard, prepared.sessionId);
  const [first] = replayed;
  if (first === undefined)
    return {
      verdict: 'replayed-nothing',
      words: 'nothing replayed: the named item, or −32602, is due',
      due: false,
    };
  if (first === named)
    return {
      verdict: 'replayed-from-cursor',
      words: 'as due: from the cursor, inclusive',
      due: true,
    };
  if (first === live[0])
    return {
      verdict: 'ignored-replayed-from-start',
      words: 'ignored: replayed from start, −32602 is due',
      due: false,
    };
  const missing = !replayed.includes(named);
  return {
    verdict: 'replayed-elsewhere',
    words: missing
      ? 'begins after the cursor: the named item is missing'
      : 'begins before the cursor: the named item is due first',
    due: false,
  };
}

/** Ids of messages and tool calls, each once, up to the next prompt of a restored session. */
function idsIn(heard: readonly Heard[], sessionId: string): string[] {
  const ids = new Set<string>();
  for (const { frame, message } of heard) {
    if (frame.from !== 'agent' || message.kind !== 'notification') continue;
    const found = updateOf(message.params);
    if (found?.sessionId !== sessionId || !isHistory(itemKindOf(found.variant))) continue;
    const id = itemIdOf(found.variant, found.update);
    if (id !== undefined) ids.add(id);
  }
  return [...ids];
}

function excerptsOf(
  { part, sessionId }: Prepared,
  { answered, memory, part: later }: Restored,
  fidelity: FidelityWindow | undefined,
): Excerpt[] {
  const { heard: before } = part.connection;
  const { heard: after } = later.connection;
  const until = answered.answerSeq ?? after.at(-1)?.frame.seq;
  const first = answered.requestSeq;
  const names = differing(fidelity);
  const excerpts = [
    excerptOf('before', 'The last frames before the stop', before.slice(-LAST)),
    ...(first === undefined || until === undefined
      ? []
      : [excerptOf('after', 'The restore, to its answer', between(after, first, until))]),
    ...named(names, before, after),
    ...(memory && memory.seqs.length > 0
      ? [
          excerptOf(
            'after',
            'What it was asked, and said',
            between(after, Math.min(...memory.seqs), Math.max(...memory.seqs)),
          ),
        ]
      : []),
  ];
  return excerpts.filter(({ frames }) => frames.length > 0 && sessionId !== '');
}

const LAST = 8;
const MOST_NAMED = 12;

function between(heard: readonly Heard[], from: number, to: number): Heard[] {
  return heard.filter(({ frame }) => frame.seq >= from && frame.seq <= to);
}

interface Named {
  readonly before: ReadonlySet<Seq>;
  readonly after: ReadonlySet<Seq>;
}

function differing(fidelity: FidelityWindow | undefined): Named {
  const before = new Set<Seq>();
  const after = new Set<Seq>();
  const told = fidelity?.differences.filter(({ verdict }) => verdict !== 'cosmetic') ?? [];
  for (const { live, replayed } of told.slice(0, MOST_NAMED)) {
    if (live) (live.connection === 'before' ? before : after).add(live.seq);
    if (replayed) (replayed.connection === 'before' ? before : after).add(replayed.seq);
  }
  return { before, after };
}

/** The frames that differences name. */
function named(names: Named, before: readonly Heard[], after: readonly Heard[]): Excerpt[] {
  const live = before.filter(({ frame }) => names.before.has(frame.seq));
  const replayed = after.filter(({ frame }) => names.after.has(frame.seq));
  return [
    excerptOf('before', 'Said live, and not the same in the replay', live),
    excerptOf('after', 'Replayed, and not the same live', replayed),
  ];
}
