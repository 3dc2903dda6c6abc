// Words and small figures that rows of the timeline share with other views.
import type { RowFindings } from '../../model/timeline/finding-marks.ts';
import { count } from '../../lib/format.ts';
import { formatSpan } from '../../lib/format-time.ts';
import type { FrameRow, ReplayWindowView, TurnView } from '../../model/timeline/row-view.ts';
import type { Origin } from '../../trace/event.ts';

export const ORIGIN_WORDS: Readonly<Record<Exclude<Origin, 'peer'>, string>> = {
  composer: 'Written in the composer',
  script: 'Sent by ACP Scope',
  rerun: 'Sent again from a trace',
  intercept: 'Changed by the intercept',
};

/** `failed live at #125`, of a tool call that is replayed as completed; undefined for any other row. */
export function failedLive({ failedAt }: FrameRow): string | undefined {
  return failedAt === undefined ? undefined : `failed live at #${failedAt}`;
}

/** The summary in three parts, of which the middle is its status if that matters; else it is all in the first. */
export function aroundStatus({
  summary,
  status,
  failedAt,
}: FrameRow): readonly [before: string, status: string, after: string] {
  const matters = status === 'failed' || failedAt !== undefined;
  const at = matters && status ? summary.search(new RegExp(`(?<=^|· )${status}(?= ·|$)`)) : -1;
  if (at < 0 || !status) return [summary, '', ''];
  return [summary.slice(0, at), status, summary.slice(at + status.length)];
}

/** `36 frames`, `605 ms`, `1 tool`, `asked once`; only what there is. */
export function turnFigures({ frames, took, tools, asks }: TurnView): readonly string[] {
  return [
    count(frames, 'frame'),
    ...(took === undefined ? [] : [formatSpan(took)]),
    ...(tools === 0 ? [] : [count(tools, 'tool')]),
    ...(asks === 0 ? [] : [asks === 1 ? 'asked once' : `asked ${asks} times`]),
  ];
}

/** How deep a session is below the one that the client made: 0 for `S1`, 1 for `S1.2`. */
export function depthOf(session: string | undefined): number {
  return (session?.split('.').length ?? 1) - 1;
}

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

/** `one warning: After the response`, `3 findings, the worst an error: Not JSON` */
export function findingsName({ worst, count, title }: RowFindings): string {
  const found =
    count === 1 ? `one ${worst}` : `${count} findings, the worst ${ARTICLES[worst]} ${worst}`;
  return title === undefined ? found : `${found}: ${title}`;
}
const ARTICLES = { error: 'an', warning: 'a', hint: 'a' } as const;
