// Until when the bar of an exchange is drawn, wherever exchanges are drawn over time.
import type { TraceIndex } from '../trace-index.ts';

/**
 * Returns the place where the exchange of a request ends: its response, or the last event if the request is still
 * open. A request that will never be answered ends where it began.
 */
export function exchangeEnd(index: TraceIndex, request: number): number {
  return index.columns.partnerOf(request) ?? (index.waits(request) ? index.length - 1 : request);
}
