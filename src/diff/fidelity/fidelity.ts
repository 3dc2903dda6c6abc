// How faithful the replays in a set of traces are: each replay window held against what was said
// live before it, on whichever connection.
import { elsewhereIn } from '../../model/restore/restore-elsewhere.ts';
import { restoreResult, type RestoreResult } from '../../model/restore/restore-results.ts';
import { variantOf } from '../../model/restore/restore-variant.ts';
import type { WindowRecord } from '../../model/timeline/replay-windows.ts';
import type { IndexedTrace } from '../../model/indexed-trace.ts';
import { compareFacts } from './compare-facts.ts';
import { compareItems } from './compare-items.ts';
import { dueOf } from './due.ts';
import { groupsOf } from './groups.ts';
import { Ledger, worst } from './ledger.ts';
import { LiveParts, type LivePart } from './live-part.ts';
import { factsOf, itemsOf, type Numbered } from './normalize.ts';
import { takenApart } from './message-chunks.ts';
import { Numbering } from './numbering.ts';
import { pairItems } from './pair-items.ts';
import { replayedPart } from './replayed-part.ts';
import type { FidelityReport, FidelityWindow, FidelityWish } from './report/report.ts';
import { SaidOf } from './said.ts';
import { scoresOf } from './scores.ts';
import { sentenceOf } from './report/sentence.ts';
import { shortfallOf } from './shortfall.ts';
import { historyAt } from './window-frames.ts';

/** Windows in the order of the traces given. */
export function fidelityOf(
  sources: readonly IndexedTrace[],
  wish: FidelityWish = {},
): FidelityReport {
  const steps = fidelitySteps(sources, wish);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same in steps of a few hundred frames, for whoever has other things to do meanwhile. */
export function* fidelitySteps(
  sources: readonly IndexedTrace[],
  { session, window: only }: FidelityWish = {},
): Generator<undefined, FidelityReport> {
  const numbering = new Numbering();
  const lives = new LiveParts(sources, numbering);
  const said = new SaidOf(sources);
  const windows: FidelityWindow[] = [];
  for (const source of sources)
    for (const window of source.index.windowRecords) {
      if (only && (only.connection !== source.connection || only.id !== window.id)) continue;
      if (session !== undefined && session !== window.session.sessionId) continue;
      const part = yield* lives.before(source, window);
      const restored = resultOf(source, window, lives);
      windows.push(yield* compare(source, window, restored, part, numbering, said));
      yield;
    }
  return { windows };
}

/** What came of one restore: all that a report says of it before the replay is compared. */
export type RestoreOutcome = Pick<
  FidelityWindow,
  'connection' | 'session' | 'requestSeq' | 'restored'
>;

/** Every restore, in the order of the traces given. Nothing is compared for it. */
export function restoreOutcomes(sources: readonly IndexedTrace[]): readonly RestoreOutcome[] {
  const lives = new LiveParts(sources, new Numbering());
  return sources.flatMap((source) =>
    source.index.windowRecords.map((window) => {
      const { window: view, verdict } = resultOf(source, window, lives);
      const { connection } = source;
      const session = window.session.sessionId;
      return { connection, session, requestSeq: view.request, restored: verdict };
    }),
  );
}

function resultOf(source: IndexedTrace, window: WindowRecord, lives: LiveParts): RestoreResult {
  const { sessionId } = window.session;
  const earlier = lives.earlier(source, sessionId).map(({ index }) => index);
  return restoreResult(source.index, source.eventAt, window, elsewhereIn(earlier, sessionId));
}

function* compare(
  source: IndexedTrace,
  window: WindowRecord,
  restored: RestoreResult,
  part: LivePart | undefined,
  numbering: Numbering,
  said: SaidOf,
): Generator<undefined, FidelityWindow> {
  const { connection } = source;
  const view = restored.window;
  const replay = yield* replayedPart(source, window, numbering);
  const live = part ? itemsOf(part.state, numbering) : [];
  const isLate = (number: number) => historyAt(source, numbering.at(number).place)?.late === true;
  const came = itemsOf(replay.state, numbering, replay.baselines, isLate);
  const replayed = takenApart(came, live, replay.chunks, numbering);
  const pairings = pairItems(live, replayed);
  const first = pairings.find(({ a, b }) => a.length > 0 && b[0] === 0)?.a[0];
  const due = dueOf(view, live, first);
  const ledger = new Ledger();
  const saidOf = (item: Parameters<SaidOf['tool']>[0]) => said.tool(item);
  compareItems({ window, live, part, replayed, replay, pairings, due, saidOf }, ledger);
  if (view.outcome === 'answered')
    compareFacts(
      part ? factsOf(part.state, numbering) : [],
      factsOf(replay.state, numbering),
      part,
      replay,
      ledger,
    );
  const { differences, rows } = ledger;
  const isRefused = view.outcome === 'rejected';
  const nothingDue = due.from === undefined;
  const nothingKnown = live.length === 0 && !part?.whole && (!nothingDue || replayed.length > 0);
  const isUnknown = isRefused || nothingKnown;
  const { version, name } = variantOf(view);
  const isFork = name === 'fork' && !isRefused;
  const compared = worst([
    ...differences.map((one) => one.verdict),
    ...(isUnknown ? ['undecidable' as const] : []),
  ]);
  const refused = isRefused ? (view.problem ?? 'it was refused') : undefined;
  const verdict = isFork ? 'not due' : compared;
  const variant = `v${version} ${name}`;
  const partly = partlyOf(part, live);
  return {
    connection,
    window: window.id,
    session: window.session.sessionId,
    variant,
    cursor: view.cursor,
    requestSeq: view.request,
    answerSeq: view.answer,
    restored: restored.verdict,
    due: restored.due,
    shortfall: shortfallOf({ due: restored.due, variant, verdict, differences, partly }),
    verdict,
    sentence: sentenceOf({
      ...{ verdict: compared, differences, nothingDue, nothingKnown, refused, version, isFork },
    }),
    kinds: scoresOf(rows),
    differences,
    groups: groupsOf(rows, asidesOf(part, live, numbering)),
    live: part?.sources ?? [],
    partly,
  };
}

function asidesOf(part: LivePart | undefined, live: readonly Numbered[], numbering: Numbering) {
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

function partlyOf(part: LivePart | undefined, live: readonly Numbered[]): string[] {
  if (!part || (live.length === 0 && !part.whole))
    return [
      'no live part of this session is in these traces; open a trace in which it was prompted',
    ];
  const why: string[] = [];
  if (!part.whole)
    why.push('these traces do not begin with the session; a trace of its session/new would');
  if (part.gap) why.push('a trace says that frames are missing');
  if (part.cuts.length > 0) why.push('a connection ended in the middle of a turn');
  return why;
}
