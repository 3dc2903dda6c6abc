// The words of a row that are not drawn letter by letter: its one name for those who do not see
// it, and small figures.
import { formatBytes } from '../../lib/format-bytes.ts';
import { formatSpan } from '../../lib/format-time.ts';
import type { RowFindings } from '../../model/timeline/finding-marks.ts';
import type { RowKind } from '../../model/columns.ts';
import type { ReplayWindowView, RowView } from '../../model/timeline/row-view.ts';
import type { Origin } from '../../trace/event.ts';

export const ORIGIN_WORDS: Readonly<
  Record<Exclude<Origin, 'peer'>, { readonly letter: string; readonly words: string }>
> = {
  composer: { letter: 'c', words: 'Written in the composer' },
  script: { letter: 's', words: 'Sent by ACP Scope itself' },
  rerun: { letter: 'r', words: 'Sent again from a trace' },
  intercept: { letter: 'i', words: 'Changed on its way' },
};

const KIND_WORDS: Readonly<Record<RowKind, string>> = {
  req: 'request',
  res: 'answer',
  err: 'error answer',
  ntf: 'notification',
  bad: 'not a message',
  std: 'stderr',
  evt: 'event',
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

/** `412, replay, agent to client, tool_call_update, read config.json · completed, session 1, 1.1 kB`. */
export function rowName(row: RowView): string {
  switch (row.type) {
    case 'fold':
      return `${row.frames} frames folded, ${row.seq} to ${row.last}`;
    case 'window': {
      const { window } = row;
      const parts = [
        `Replay window, ${windowVerb(window)} ${window.request}`,
        window.cursor !== undefined && `from ${cursorWords(window.cursor)}`,
        `${window.updates} updates`,
        window.late > 0 && `${window.late} late`,
        window.forbidden && 'not allowed',
        window.outcome !== 'answered' && window.outcome,
        row.findings !== undefined && findingsName(row.findings),
      ];
      return parts.filter((part) => part !== false).join(', ');
    }
    case 'frame': {
      const side = { client: 'client to agent', agent: 'agent to client' };
      const parts = [
        row.run ? `${row.seq} to ${row.run.last}` : `${row.seq}`,
        row.late ? 'late' : row.replay && 'replay',
        row.from && side[row.from],
        row.kind !== 'ntf' && KIND_WORDS[row.kind],
        row.method !== KIND_WORDS[row.kind] && row.method,
        row.summary,
        row.session && row.session.replace(/^S/, 'session '),
        row.size > 0 && formatBytes(row.size),
        row.latency !== undefined && formatSpan(row.latency),
        row.waits && 'waits for an answer',
        row.findings && findingsName(row.findings),
        row.mark !== undefined && (row.mark === '' ? 'marked' : `marked “${row.mark}”`),
        ...row.pins.map((pin) => `replay cursor ${pin.letter}`),
      ];
      return parts.filter((part) => part).join(', ');
    }
  }
}
