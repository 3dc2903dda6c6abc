// Words and small figures that rows of the timeline share with other views.
import type { RowFindings } from '../../model/timeline/finding-marks.ts';
import type { ReplayWindowView } from '../../model/timeline/row-view.ts';
import type { Origin } from '../../trace/event.ts';

export const ORIGIN_WORDS: Readonly<
  Record<Exclude<Origin, 'peer'>, { readonly letter: string; readonly words: string }>
> = {
  composer: { letter: 'c', words: 'Written in the composer' },
  script: { letter: 's', words: 'Sent by ACP Scope itself' },
  rerun: { letter: 'r', words: 'Sent again from a trace' },
  intercept: { letter: 'i', words: 'Changed on its way' },
};

const BAR_PX = 54;
const BAR_FULL_MS = 60_000;

/** Width of the bar under a latency: logarithmic, full at a minute. */
export function latencyBar(ms: number): number {
  const part = Math.log(1 + Math.max(0, ms)) / Math.log(BAR_FULL_MS + 1);
  return Math.round(BAR_PX * Math.min(1, part));
}

export function windowVerb({ method }: Pick<ReplayWindowView, 'method'>): string {
  return method.slice('session/'.length);
}

/** `start` of `{"type":"start"}`, `_scope_message` of a custom one, else the JSON as sent. */
export function cursorWords(cursor: string): string {
  return /^\{"type":"([\w./-]+)"[,}]/.exec(cursor)?.[1] ?? cursor;
}

/** `one warning`, `3 findings, the worst an error` */
export function findingsName({ worst, count }: RowFindings): string {
  return count === 1 ? `one ${worst}` : `${count} findings, the worst ${ARTICLES[worst]} ${worst}`;
}
const ARTICLES = { error: 'an', warning: 'a', hint: 'a' } as const;
