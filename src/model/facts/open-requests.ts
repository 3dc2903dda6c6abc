// Requests that wait for an answer, in the words of their rows, with what is needed to answer by hand.
import { idWords } from '../timeline/digest.ts';
import { requestWords } from '../timeline/summary-requests.ts';
import type { SummaryContext } from '../timeline/summary-content.ts';
import type { Columns } from '../columns.ts';
import type { Exchanges, PlacedQuestion } from './exchanges.ts';
import type { OpenRequest } from './facts-view.ts';
import { askOf } from './facts.ts';

/** What a request's row is made of. */
interface Index {
  readonly columns: Columns;
  session(index: number): { readonly sessionId: string; readonly chip: string } | undefined;
  context(index: number, request: undefined): SummaryContext;
}

/** Of each side: more than anybody can answer by hand. */
const MOST_OPEN = 100;

/** The oldest of both sides, in the order they were asked. */
export function openRequests(index: Index, exchanges: Exchanges): readonly OpenRequest[] {
  return (['client', 'agent'] as const)
    .flatMap((side) => [...exchanges.of(side)].slice(0, MOST_OPEN))
    .sort((a, b) => a.index - b.index)
    .map((asked) => openRequest(index, asked));
}

export function openRequest(
  traceIndex: Index,
  { index, from, request }: PlacedQuestion,
): OpenRequest {
  const { columns } = traceIndex;
  const session = traceIndex.session(index);
  return {
    seq: columns.seqOf(index),
    from,
    id: idWords(from, request.id.token),
    method: request.method,
    ...(session && { session: session.chip, sessionId: session.sessionId }),
    since: columns.timeOf(index),
    summary: requestWords(request.method, request.params, traceIndex.context(index, undefined)),
    ...askOf(request),
  };
}
