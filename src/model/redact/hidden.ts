// Secrets of a frame, which a screen that others see does not show: by the same rules as what is saved and
// copied goes without them. Who opens a value sees it, until the page is loaded again.
import { Book } from './book.ts';
import { SecretFinder } from './finder.ts';
import { applied, type Hit } from './hits.ts';
import { DEFAULT_LEVEL } from './levels.ts';

/** Longer texts are not looked through: that would hold up the page. */
export const MOST_HIDDEN_IN = 1 << 20;
const HIDDEN = '••••••';

/** [start, end) of a text. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Places in a frame's text, in order and apart. */
export function hiddenIn(text: string): readonly Hit[] {
  if (text.length > MOST_HIDDEN_IN) return [];
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

/** The text with a bullet for each character of a secret, so that places in it stay what they are. */
export function coveredText(text: string): string {
  return applied(
    text,
    hiddenIn(text).map((hit) => ({ ...hit, put: '•'.repeat(hit.end - hit.start) })),
  );
}
