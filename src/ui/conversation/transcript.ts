// The items of a conversation as they are drawn: where the tape begins and ends, where live begins,
// and what the filter leaves out.
import { grouped } from '../../lib/grouped.ts';
import type { ConversationItem } from '../../model/sessions/conversation-view.ts';
import type { InterceptMark } from '../../model/sessions/intercept-marks.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';

export interface TranscriptEntry {
  /** The item's key, made unique: an agent may use an id twice. */
  readonly key: string;
  readonly item: ConversationItem;
  /** Its place in the tape of replayed items, or of dots for late ones. */
  readonly tape?: {
    readonly kind: 'replay' | 'late';
    readonly first: boolean;
    readonly last: boolean;
  };
  /** The first live item after history: the rule `live from here` stands above it. */
  readonly liveFromHere: boolean;
}

export interface TranscriptFilter {
  readonly thoughts: boolean;
  readonly tools: boolean;
  readonly notes: boolean;
}

export function transcriptEntries(
  items: readonly ConversationItem[],
  shown: TranscriptFilter,
): readonly TranscriptEntry[] {
  const kept = items.filter((item) => isShown(item, shown));
  const seen = new Set<string>();
  return kept.map((item, i) => {
    const key = seen.has(item.key) ? `${item.key}~${i}` : item.key;
    seen.add(key);
    const before = kindOf(kept[i - 1]);
    const here = kindOf(item);
    const after = kindOf(kept[i + 1]);
    const liveFromHere = here === 'live' && before !== undefined && before !== 'live';
    if (here === 'live' || here === undefined) return { key, item, liveFromHere };
    return {
      key,
      item,
      liveFromHere,
      tape: { kind: here, first: before !== here, last: after !== here },
    };
  });
}

/**
 * Replay windows by the entry they are told above: the first of the tape that began with them, or that
 * they told again.
 */
export function replayHeads<W extends { readonly request: Seq }>(
  entries: readonly TranscriptEntry[],
  windows: readonly W[],
): ReadonlyMap<string, readonly W[]> {
  const begun: { readonly key: string; readonly by: Seq; readonly windows: W[] }[] = [];
  entries.forEach(({ key, item, tape }, at) => {
    if (tape?.kind !== 'replay' || !(tape.first || at === 0)) return;
    const by = windows.findLast(({ request }) => request < item.first)?.request;
    if (by !== undefined && by !== begun.at(-1)?.by) begun.push({ key, by, windows: [] });
  });
  for (const window of windows)
    (begun.findLast(({ by }) => by <= window.request) ?? begun[0])?.windows.push(window);
  return new Map(begun.map(({ key, windows: told }) => [key, told]));
}

/** Child sessions by the entry after which they began. */
export function childrenAfter<C extends { readonly first: Seq }>(
  entries: readonly TranscriptEntry[],
  children: readonly C[],
): ReadonlyMap<string | undefined, readonly C[]> {
  return grouped(children, ({ first }) => entries.findLast(({ item }) => item.first < first)?.key);
}

/**
 * What the intercept did, by the entry of its message. If no entry has the message, it is below the last entry before
 * it; if it was on another connection, below the first replayed entry.
 */
export function interceptedAt(
  entries: readonly TranscriptEntry[],
  marks: readonly InterceptMark[],
  here: ConnectionId | undefined,
): ReadonlyMap<string | undefined, readonly InterceptMark[]> {
  return grouped(marks, ({ connection, seq, item: id }) => {
    const isHere = connection === here;
    const found = entries.findLast(
      ({ item, tape }) =>
        (isHere || tape) &&
        id !== undefined &&
        (item.type === 'tool' ? item.toolCallId : item.type === 'message' && item.messageId) === id,
    );
    const beside = isHere
      ? entries.findLast(({ item }) => item.first <= seq)
      : entries.find(({ tape }) => tape);
    return (found ?? beside)?.key;
  });
}

function isShown(item: ConversationItem, shown: TranscriptFilter): boolean {
  switch (item.type) {
    case 'message':
      return item.role !== 'thought' || shown.thoughts;
    case 'tool':
      return shown.tools;
    case 'note':
      return shown.notes || item.tone !== 'quiet';
    case 'plan':
    case 'ask':
      return true;
  }
}

function kindOf(item: ConversationItem | undefined): 'replay' | 'late' | 'live' | undefined {
  if (!item) return undefined;
  if (item.late) return 'late';
  return item.replay ? 'replay' : 'live';
}

type StatusTone = 'ok' | 'err' | 'warn' | 'dim';

/** Known statuses of tools and plan entries; the rest is neutral. */
export function statusTone(status: string): StatusTone {
  if (status === 'completed') return 'ok';
  if (status === 'failed') return 'err';
  if (status === 'cancelled') return 'dim';
  return ['pending', 'in_progress', 'paused'].includes(status) ? 'warn' : 'dim';
}
