// How faithful the replays in a set of traces are: each replay window held against what was said
// live before it, on whichever connection.
import { leftOpenBefore, type OpenThing } from '../restore/reconnect.ts';
import { elsewhereIn } from '../restore/restore-seen.ts';
import { restoreResult } from '../restore/restore-results.ts';
import { variantOf } from '../restore/restore-shapes.ts';
import type { WindowRecord } from '../timeline/replay-windows.ts';
import type { IndexedTrace } from '../indexed-trace.ts';
import { leading } from '../../lib/list-window.ts';
import { asWritten, interceptedReplay } from './as-written.ts';
import { compareTree } from './compare-tree.ts';
import { Kin, LiveParts, saidOf } from './live-part.ts';
import { Numbering } from './numbering.ts';
import { refusalCauses } from './refusal.ts';
import type { FidelityReport, FidelityWindow, FidelityWish } from './report/report.ts';
import { restoreAnswer } from './report/answer-of.ts';
import { shortfallOf } from './shortfall.ts';

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
  traces: readonly IndexedTrace[],
  { session, window: only }: FidelityWish = {},
): Generator<undefined, FidelityReport> {
  const sources = traces.map(asWritten);
  const numbering = new Numbering();
  const kin = new Kin(sources);
  const lives = new LiveParts(sources, numbering, kin);
  const said = saidOf(sources);
  const intercepts = traces.map((trace) => ({ trace, seqs: interceptedReplay(trace) }));
  const windows: FidelityWindow[] = [];
  for (const source of sources)
    for (const window of source.index.windowRecords) {
      if (only && (only.connection !== source.connection || only.id !== window.id)) continue;
      if (session !== undefined && session !== window.session.sessionId) continue;
      const view = source.index.windowView(window);
      const of = { sources, source, window, view, kin, lives, numbering, said };
      const judged = yield* compareTree(of);
      const elsewhere = elsewhereIn(lives.earlier(source, view.sessionId), view.sessionId);
      const restored = restoreResult(source, window, judged.faults, elsewhere);
      const { due } = restored;
      const { version, name } = variantOf(view);
      const variant = `v${version} ${name}`;
      const { cursor, request: requestSeq, answer: answerSeq, complete } = view;
      const shortfall = shortfallOf({ ...judged, due, variant, restored: restored.verdict });
      windows.push({
        connection: source.connection,
        window: window.id,
        variant,
        cursor,
        requestSeq,
        answerSeq,
        historyComplete: complete === true,
        restored: restored.verdict,
        due,
        result: restored,
        causes: refusalCauses(sources, source, restored),
        shortfall,
        answer: restoreAnswer(restored, { ...judged, shortfall }),
        leftOpen: leftOpenOf(source, window, lives),
        intercepted: wasIntercepted(intercepts, source, window, judged),
        ...judged,
        faults: [...restored.faults, ...judged.faults],
        judged: new Set([...restored.judged, ...judged.judged]),
      });
      yield;
    }
  return { windows };
}

/** What the first restore of a session in its trace shows of the work that was open before; [] for others. */
function leftOpenOf(
  source: IndexedTrace,
  window: WindowRecord,
  lives: LiveParts,
): readonly OpenThing[] {
  const { sessionId } = window.session;
  if (lives.windowsOf(source, sessionId)[0] !== window || window.method === 'session/fork')
    return [];
  return leftOpenBefore(lives.earlier(source, sessionId), source, sessionId) ?? [];
}

/** True if an intercept changed lines of the agent in the live session or in the replay. */
function wasIntercepted(
  intercepts: readonly { readonly trace: IndexedTrace; readonly seqs: readonly number[] }[],
  { connection, index }: IndexedTrace,
  { seq: from, answerSeq }: WindowRecord,
  { live }: Pick<FidelityWindow, 'live'>,
): boolean {
  const to = answerSeq ?? index.columns.seqOf(index.length - 1);
  const stretches = [...live, { connection, from, to }];
  const isIn = (seqs: readonly number[], first: number, last: number) => {
    const at = leading(seqs.length, (one) => (seqs[one] ?? first) < first);
    return (seqs[at] ?? Infinity) <= last;
  };
  return intercepts.some(({ trace, seqs }) =>
    stretches.some((one) => one.connection === trace.connection && isIn(seqs, one.from, one.to)),
  );
}
