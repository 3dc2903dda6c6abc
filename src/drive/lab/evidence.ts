// What the two traces of a cell prove: the verdict on the restore, live against replayed, what became
// of what was open, and the frames that a person wants to see for it.
import { fidelitySteps } from '../../model/fidelity/fidelity.ts';
import type { FidelityWindow } from '../../model/fidelity/report/report.ts';
import type { Axes } from './axes.ts';
import { tracePart } from './part.ts';
import type { PreparedSession } from './prepare.ts';
import { reconnectTruth, type ReconnectTruth } from '../../model/restore/reconnect.ts';
import type { Excerpt, LabRestored } from './report.ts';
import type { RestoredSession } from './restored.ts';
import type { Heard } from '../heard.ts';
import type { IndexedTrace } from '../../model/indexed-trace.ts';
import type { ClauseSeen } from '../../model/restore/clauses.ts';
import { restoreResult } from '../../model/restore/restore-results.ts';
import { elsewhereIn } from '../../model/restore/restore-seen.ts';
import type { WindowRecord } from '../../model/timeline/replay-windows.ts';
import type { Seq } from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';

interface Proof {
  readonly restored: LabRestored;
  readonly fidelity: FidelityWindow | undefined;
  readonly reconnect: ReconnectTruth;
  readonly excerpts: readonly Excerpt[];
}

/** `breathe` is waited for now and then: a long replay takes its time. */
export async function proofOf(
  axes: Axes,
  prepared: PreparedSession,
  after: RestoredSession,
  breathe: () => Promise<void>,
): Promise<Proof> {
  const { sessionId } = prepared;
  const [one, two] = [tracePart(prepared.part, 'before'), tracePart(after.part, 'after')];
  const window = two.index.windowRecords.find(({ session }) => session.sessionId === sessionId);
  // What the next prompt brings may be late, and slow agents tell their commands only then: up to it,
  // what has not come is open, and behind it nothing is missed.
  const replay = tracePart(after.part, 'after', isPrompt);
  const fidelity = window && (await compared([one, replay], replay, window, breathe));
  return {
    restored: restoredOf(axes, [one, two], window, sessionId, after, fidelity),
    fidelity,
    reconnect: reconnectTruth(one, two, sessionId),
    excerpts: excerptsOf(prepared, after, fidelity),
  };
}

function isPrompt({ frame, message }: Heard): boolean {
  return (
    frame.from === 'client' && message.kind === 'request' && message.method === 'session/prompt'
  );
}

async function compared(
  sources: readonly IndexedTrace[],
  { connection }: IndexedTrace,
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
  [before, source]: readonly [IndexedTrace, IndexedTrace],
  window: WindowRecord | undefined,
  sessionId: string,
  { answered, named }: RestoredSession,
  fidelity: FidelityWindow | undefined,
): LabRestored {
  const { requestSeq, answerSeq } = answered;
  const base = { requestSeq, answerSeq, code: answered.error?.code };
  if (window === undefined)
    return { ...base, verdict: 'incomplete', seen: [UNSENT], due: undefined };
  const gone = axes.id === 'unknown' || axes.id === 'deleted';
  // A made-up id was never spoken of; what lived was said on the other connection.
  const elsewhere = { ...elsewhereIn([before], sessionId), history: !gone, gone };
  const faults = fidelity?.faults ?? [];
  const told = restoreResult(source, window, faults, elsewhere);
  const { verdict, seen, due } = told;
  const renamed =
    named !== undefined &&
    fidelity?.differences.find(({ kind, before }) => kind === 'lost id' && before === named);
  const there: ClauseSeen[] = renamed
    ? [
        {
          clause: 'cursor-inclusive',
          code: renamed.after === undefined ? 'without-id' : 'under-other-id',
        },
      ]
    : [];
  return { ...base, verdict, seen: [...seen, ...there], due };
}

const UNSENT: ClauseSeen = {
  clause: 'answer',
  code: 'ended',
  facts: { problem: 'it could not be sent' },
};

function excerptsOf(
  { part, sessionId }: PreparedSession,
  { answered, memory, part: later }: RestoredSession,
  fidelity: FidelityWindow | undefined,
): Excerpt[] {
  const { heard: before } = part.connection;
  const { heard: after } = later.connection;
  const until = answered.answerSeq ?? after.at(-1)?.frame.seq;
  const first = answered.requestSeq;
  const names = differing(fidelity);
  const excerpts = [
    heardExcerpt('before', 'The last frames before the stop', before.slice(-LAST)),
    ...(first === undefined || until === undefined
      ? []
      : [heardExcerpt('after', 'The restore, to its answer', between(after, first, until))]),
    ...named(names, before, after),
    ...(memory && memory.seqs.length > 0
      ? [
          heardExcerpt(
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
    heardExcerpt('before', 'Said live, and not the same in the replay', live),
    heardExcerpt('after', 'Replayed, and not the same live', replayed),
  ];
}

// Frames of a trace as lines that a person reads beside a verdict: few, and none too long.

const HEAD = 16;
const TAIL = 8;
const LONGEST = 700;

export function heardExcerpt(
  trace: Excerpt['trace'],
  title: string,
  heard: readonly Heard[],
): Excerpt {
  const isLong = heard.length > HEAD + TAIL;
  const shown = isLong ? [...heard.slice(0, HEAD), ...heard.slice(-TAIL)] : heard;
  return {
    trace,
    title,
    frames: shown.map(({ frame }) => ({ seq: frame.seq, from: frame.from, text: textOf(frame) })),
    left: isLong ? { after: HEAD, count: heard.length - shown.length } : undefined,
  };
}

function textOf({ line }: Heard['frame']): string {
  const text = lineText(line);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
