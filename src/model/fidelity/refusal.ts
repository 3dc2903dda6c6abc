// Why an agent may have refused a restore, as the restore form tells it, of traces alone.
import { num, str } from '../../acp/json.ts';
import { saidAt, type IndexedTrace } from '../indexed-trace.ts';
import { causesOf, type Cause } from '../restore/restore-causes.ts';
import type { RestoreResult } from '../restore/restore-results.ts';
import type { ReportDetail } from '../../report/document.ts';
import type { FidelityWindow } from './report/report.ts';
import { detail, toned } from '../../report/words.ts';
import type { FrameRef } from '../../trace/event.ts';
import { backgroundIn } from '../restore/session-background.ts';

/** The likeliest first; none where it was not refused. */
export function refusalCauses(
  sources: readonly IndexedTrace[],
  here: IndexedTrace,
  { window, verdict }: Pick<RestoreResult, 'window' | 'verdict'>,
): readonly Cause[] {
  const { method, version, sessionId, request, answer, outcome } = window;
  if (outcome !== 'rejected' || answer === undefined || method === 'session/fork') return [];
  const { connection, index } = here;
  const [asked, answered] = [request, answer].map((seq) => saidAt(here, index.indexOf(seq)));
  const error = answered?.kind === 'failure' ? answered.error : undefined;
  const [code, message] = [num(error, 'code'), str(error, 'message')];
  const session = backgroundIn(sources, sessionId, { here, isRunning: (of) => of === connection });
  return causesOf(
    {
      ...{ connection, request, method, version, verdict },
      params: asked?.kind === 'request' ? asked.params : undefined,
      ...(code !== undefined && { code }),
      ...(message !== undefined && { message }),
    },
    { handshake: index.handshake, session, others: [] },
  );
}

/** As many as one tries. */
const MOST_CAUSES = 5;

/** For a report: of a child none are known. */
export function causeWords(
  { causes = [] }: Partial<Pick<FidelityWindow, 'causes' | 'sentence'>>,
  nameOf: (frame: FrameRef) => string,
): readonly ReportDetail[] {
  return causes
    .slice(0, MOST_CAUSES)
    .map(({ text, frame }, i) =>
      detail(i === 0 ? 'likely' : 'or', [
        text,
        ...(frame ? [' ', toned('quiet', nameOf(frame))] : []),
      ]),
    );
}
