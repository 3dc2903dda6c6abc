// What a restore replayed, item by item in one normal form: to hold two replays of a session together.
import { itemsOf } from '../model/fidelity/normalize.ts';
import { Numbering } from '../model/fidelity/numbering.ts';
import { replayedPart } from '../model/fidelity/replayed-part.ts';
import { count } from '../lib/format.ts';
import type { IndexedTrace } from '../model/indexed-trace.ts';
import { oneLine } from '../model/words.ts';
import type { Seq } from '../trace/event.ts';

export interface ReplayedItem {
  /** `messageId`, `toolCallId` …; undefined: it has none. */
  readonly id: string | undefined;
  readonly kind: string;
  /** All it says, for comparing. */
  readonly digest: string;
  /** The same for a person, in one line. */
  readonly words: string;
  /** The first frame of it. */
  readonly seq: Seq;
}

/** Of the restore with this request, or of the first one. */
export function replayedItems(source: IndexedTrace, request?: Seq): readonly ReplayedItem[] {
  const { windowRecords, columns } = source.index;
  const window = windowRecords.find(
    (one) => request === undefined || columns.seqOf(one.request) === request,
  );
  if (window === undefined) return [];
  const numbering = new Numbering();
  const steps = replayedPart(source, window, numbering);
  for (;;) {
    const { done, value } = steps.next();
    if (!done) continue;
    return itemsOf(value.state, numbering, value.baselines).map(({ kind, id, fields, first }) => {
      const said = fields.get('text') ?? fields.get('title') ?? fields.get('command');
      const words = said?.type === 'text' ? oneLine(said.text, 80) : '';
      return { kind, id, digest: JSON.stringify([...fields]), words, seq: first.seq };
    });
  }
}

export function isSameItem(a: ReplayedItem, b: ReplayedItem): boolean {
  return a.kind === b.kind && a.digest === b.digest && a.id === b.id;
}

/** The first thing in which the second differs, as a clause; undefined: they are the same. */
export function difference(
  one: readonly ReplayedItem[],
  two: readonly ReplayedItem[],
): string | undefined {
  if (one.length !== two.length)
    return `${count(two.length, 'item')} came instead of ${one.length}`;
  const at = one.findIndex((item, i) => {
    const other = two[i];
    return other === undefined || !isSameItem(item, other);
  });
  const [before, after] = [one[at], two[at]];
  if (before === undefined || after === undefined) return undefined;
  if (before.digest === after.digest && before.kind === after.kind)
    return `${replayedWords(after)} has the id ${after.id ?? 'none'}, not ${before.id ?? 'none'}`;
  return `${replayedWords(after)} came instead of ${replayedWords(before)}`;
}

export function replayedWords({ words, kind, id }: ReplayedItem): string {
  const said = words === '' ? (id ?? 'nothing') : `“${words.slice(0, 60)}”`;
  return `${kind} ${said}`;
}
