// Secrets of a frame, which a screen that others see does not show: by the same rules as what is saved and
// copied goes without them. Who opens a value sees it, until the page is loaded again.
import { Book } from '../../model/redact/book.ts';
import { SecretFinder } from '../../model/redact/finder.ts';
import { applied, type Hit } from '../../model/redact/hits.ts';
import { DEFAULT_LEVEL } from '../../model/redact/levels.ts';

/** Longer texts are not looked through: that would hold up the page. */
const MOST = 1 << 20;
const HIDDEN = '••••••';

/** [start, end) of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Places in a frame's text, in order and apart. */
export function hiddenIn(text: string): readonly Hit[] {
  if (text.length > MOST) return [];
  const hits = new SecretFinder(DEFAULT_LEVEL, new Book(), 0).find(text, 'frame');
  return hits.map((hit) => ({ ...hit, put: HIDDEN }));
}

/** Those of them inside a part of the text. */
export function hitsWithin(hits: readonly Hit[], { start, end }: Span): readonly Hit[] {
  return hits.filter((hit) => hit.start >= start && hit.end <= end);
}

/** A part of the text, with what is hidden put otherwise. */
export function withoutHidden(text: string, hits: readonly Hit[], { start, end }: Span): string {
  const inside = hitsWithin(hits, { start, end }).map((hit) => ({
    ...hit,
    start: hit.start - start,
    end: hit.end - start,
  }));
  return applied(text.slice(start, end), inside);
}
