// Words on screen and the frames they came with: which word was clicked, and which words to light.
// Lit by the browser's highlights, which leave the page's elements as they are.
import type { PatchLine, TextOrigin } from '../../model/fold/patch.ts';
import type { ConversationItem } from '../../model/sessions/conversation-view.ts';
import type { ToldWords } from '../../state/conversation/conversation-told.svelte.ts';
import type { Seq } from '../../trace/event.ts';

const NAME = 'frame-words';
/** Longer texts are not searched for their words. */
const LONGEST = 200_000;

/** A place in the text of an item. */
interface WordPlace {
  readonly item: ConversationItem;
  readonly field: string;
  readonly at: number;
}

/** The word under the pointer; undefined where none is, or where a click means something else. */
export function wordUnder(
  event: MouseEvent,
  items: readonly ConversationItem[],
): WordPlace | undefined {
  const target = event.target instanceof Element ? event.target : undefined;
  if (!target || target.closest('a, button, summary, input, img')) return undefined;
  if (document.getSelection()?.isCollapsed === false) return undefined;
  const box = target.closest<HTMLElement>('[data-field]');
  const key = target.closest<HTMLElement>('[data-item]')?.dataset['item'];
  const field = box?.dataset['field'];
  const item = items.find((one) => one.key === key);
  const sent = item && field !== undefined ? textOf(item, field) : undefined;
  const caret =
    'caretPositionFromPoint' in document
      ? document.caretPositionFromPoint(event.clientX, event.clientY)
      : null;
  if (!box || !item || field === undefined || sent === undefined || !caret) return undefined;
  const before = document.createRange();
  before.setStart(box, 0);
  before.setEnd(caret.offsetNode, caret.offset);
  const shown = box.textContent;
  return { item, field, at: placesIn(sent, shown)[before.toString().length] ?? 0 };
}

/** Lights what a frame added to texts. */
export function lightWords(
  root: HTMLElement,
  items: readonly ConversationItem[],
  changes: readonly PatchLine[],
): void {
  const ranges = changes.flatMap(({ op, item: key, field, from = 0, after = '' }) => {
    if (op === 'remove' || key === undefined || field === undefined) return [];
    const item = items.find((one) => one.key === key);
    return item ? rangesOf(root, item, field, from, from + after.length) : [];
  });
  light(ranges);
}

/** Lights what the frame brought of this text. */
export function lightSpan(
  root: HTMLElement,
  { item, field }: WordPlace,
  spans: readonly TextOrigin[],
  seq: Seq,
): void {
  const own = spans.filter((span) => span.field === field);
  light(rangesOfSpans(root, item, own, seq));
}

function rangesOfSpans(
  root: HTMLElement,
  item: ConversationItem,
  spans: readonly TextOrigin[],
  seq: Seq,
): Range[] {
  return spans.flatMap((span, i) => {
    if (span.seq !== seq) return [];
    const { field, from } = span;
    const next = spans[i + 1];
    return rangesOf(root, item, field, from, next?.field === field ? next.from : Infinity);
  });
}

/** Lights what the frame brought of these items' texts. */
export function lightTold(root: HTMLElement, { seq, items }: ToldWords): void {
  light(items.flatMap(({ item, spans }) => rangesOfSpans(root, item, spans, seq)));
}

export function unlight(): void {
  light([]);
}

function light(ranges: readonly Range[]): void {
  if (!('highlights' in CSS)) return;
  if (ranges.length === 0) CSS.highlights.delete(NAME);
  else CSS.highlights.set(NAME, new Highlight(...ranges));
}

function rangesOf(
  root: HTMLElement,
  item: ConversationItem,
  field: string,
  from: number,
  to: number,
): Range[] {
  const sent = textOf(item, field);
  const box = root
    .querySelector(`[data-item="${CSS.escape(item.key)}"]`)
    ?.querySelector(`[data-field="${CSS.escape(field)}"]`);
  if (!box || sent === undefined || sent.length > LONGEST) return [];
  const part = shownPart(sent, box.textContent, from, Math.min(to, sent.length));
  const begin = nodeAt(box, part.from);
  const end = nodeAt(box, part.to);
  if (!begin || !end || part.from === part.to) return [];
  const range = document.createRange();
  range.setStart(begin.node, begin.offset);
  range.setEnd(end.node, end.offset);
  return [range];
}

/** The text node that holds a place of the text of `box`. */
function nodeAt(box: Element, place: number): { node: Node; offset: number } | undefined {
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  let rest = place;
  let last: { node: Node; offset: number } | undefined;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const length = node.textContent?.length ?? 0;
    if (rest <= length) return { node, offset: rest };
    rest -= length;
    last = { node, offset: length };
  }
  return last;
}

/** The text of a field as it was sent; undefined where it is none. */
function textOf(item: ConversationItem, field: string): string | undefined {
  if (item.type !== 'message') return undefined;
  const part = item.parts[Number(/^content\[(\d+)\]$/.exec(field)?.[1] ?? -1)];
  return part?.type === 'text' ? part.text : undefined;
}

// Between the text that an agent sent and the text that stands on screen: Markdown signs are not
// shown, white space is joined. What is shown stands in what was sent, in that order.

/** Farther than this, a sign that is shown is not looked for in what was sent. */
const LOOK_AHEAD = 500;

/** For each character shown, its place in the text that was sent. */
export function placesIn(sent: string, shown: string): Uint32Array {
  const places = new Uint32Array(shown.length + 1);
  let at = 0;
  for (let i = 0; i < shown.length; i++) {
    const sign = shown.charAt(i);
    if (sign.trim() !== '') {
      const found = sent.slice(at, at + LOOK_AHEAD).indexOf(sign);
      if (found >= 0) at += found;
      places[i] = at;
      if (found >= 0) at++;
    } else places[i] = at;
  }
  places[shown.length] = sent.length;
  return places;
}

/** The part of what is shown that stands for [from, to) of what was sent. */
export function shownPart(
  sent: string,
  shown: string,
  from: number,
  to: number,
): { readonly from: number; readonly to: number } {
  const places = placesIn(sent, shown);
  const first = places.findIndex((place) => place >= from);
  const after = places.findIndex((place) => place >= to);
  const begin = first < 0 ? shown.length : first;
  return { from: begin, to: Math.max(begin, after < 0 ? shown.length : after) };
}
