// Where a long list stands, and which of its rows are drawn there. It owns the way between the
// scrollbar and that place, with the timers that belong to it, for as long as its component lives.
import { untrack } from 'svelte';
import {
  heightOf,
  isStuck,
  lastY,
  offsetOf,
  reveal,
  rowAt,
  rowsIn,
  scrolled,
  third,
  topFor,
  type Extent,
  type ScrollPlace,
  type Rows,
} from '../../lib/list-window.ts';

/** Rows by index: those drawn, and where the view begins and ends. */
export interface ShownPart {
  readonly from: number;
  readonly to: number;
  /** The first on screen, and the last. */
  readonly top: number;
  readonly last: number;
  /** The last that begins above the view; -1 where the list begins. */
  readonly above: number;
  /** The first that shows below a cover. */
  readonly under: number;
}

/** What the list is told, as getters: each is read anew when it alone changes. */
export interface ListFacts {
  readonly rows: Rows;
  /** The row now at `to` stays where `from` was before; without `from`, it goes on top. */
  readonly keep: { readonly from?: number; readonly to: number } | undefined;
  readonly target: { readonly row: number; readonly how: 'third' | 'near' } | undefined;
  /** The end of the list is kept in view. */
  readonly follow: boolean;
  /** Height of what stands above the rows. */
  readonly headHeight: number;
  /** Height of what covers the top of the rows, when something does. */
  readonly coverHeight: number;
  readonly covered: boolean;
  onhold(): void;
  onshow(shown: ShownPart): void;
}

const OVERSCAN = 1;
const REST_MS = 150;
const SETTLE_MS = 500;
/** Rows that share one base for their places: another base places all anew. */
const STRETCH = 1024;

export class ListScroll {
  readonly #facts: ListFacts;
  #place = $state.raw<ScrollPlace>({ y: 0, top: 0 });
  /** Grows when the scrollbar is to be set to the place. */
  #settle = $state(0);
  /** The first row drawn when the list last came to rest. */
  #restedAt = $state(0);
  #scrolling = false;
  #kept: object | undefined;
  #reached: object | undefined;
  #before: Rows;
  #settling: ReturnType<typeof setTimeout> | undefined;
  #resting: ReturnType<typeof setTimeout> | undefined;

  /** The element that scrolls, and its height. */
  element: HTMLElement | undefined = $state();
  height = $state(0);

  readonly extent: Extent = $derived.by(() => {
    const { rows, headHeight } = this.#facts;
    return { content: heightOf(rows), view: Math.max(0, this.height - headHeight) };
  });
  /** What of the list is on top of the view, in pixels from its beginning. */
  readonly y: number = $derived.by(() => {
    const last = lastY(this.extent);
    return this.#facts.follow ? last : Math.min(this.#place.y, last);
  });
  readonly slots: number = $derived.by(() => {
    const { height, tallHeight } = this.#facts.rows;
    return Math.ceil(this.extent.view / Math.min(height, tallHeight)) + 2 * OVERSCAN + 1;
  });
  /** Always as many rows as slots, if there are: then no element comes or goes. */
  readonly #shown = $derived.by(() => {
    const { rows } = this.#facts;
    const first = rowsIn(rows, this.y, this.extent.view, OVERSCAN).from;
    const from = Math.max(0, Math.min(first, rows.count - this.slots));
    return { from, to: Math.min(rows.count, from + this.slots) };
  });
  /** The rows drawn; in the order of the rows, which is that of reading, once the list rests. */
  readonly indexes: readonly number[] = $derived.by(() => {
    const { from, to } = this.#shown;
    const inOrder = Array.from({ length: to - from }, (_, i) => from + i);
    if (from === this.#restedAt) return inOrder;
    return inOrder.sort((a, b) => (a % this.slots) - (b % this.slots));
  });
  readonly #top = $derived.by(() => rowAt(this.#facts.rows, this.y));
  readonly #above = $derived.by(() =>
    offsetOf(this.#facts.rows, this.#top) < this.y ? this.#top : this.#top - 1,
  );
  readonly #under = $derived.by(() => {
    const { rows, coverHeight } = this.#facts;
    return rowAt(rows, this.y + coverHeight);
  });
  /** From here on the drawn rows have their places. */
  readonly base: number = $derived.by(() => {
    const { from } = this.#shown;
    return offsetOf(this.#facts.rows, from - (from % STRETCH));
  });

  /** Call while its component is being made. */
  constructor(facts: ListFacts) {
    this.#facts = facts;
    this.#before = untrack(() => facts.rows);
    $effect.pre(() => this.#keepPlace());
    $effect.pre(() => this.#goToTarget());
    $effect(() => this.#tell());
    $effect(() => this.#restLater());
    $effect(() => this.#setScrollbar());
    $effect(() => () => {
      clearTimeout(this.#settling);
      clearTimeout(this.#resting);
    });
  }

  /** Moves the list so that this part (0 to 1) of it is on top. */
  scrollTo(part: number): void {
    if (this.#facts.follow) this.#facts.onhold();
    this.#setTop(part * lastY(this.extent));
  }

  readonly onscroll = (): void => {
    if (!this.element) return;
    const now = this.element.scrollTop;
    if (Math.abs(now - this.#place.top) < 0.5) return;
    this.#scrolling = true;
    if (!('onscrollend' in window)) {
      clearTimeout(this.#resting);
      this.#resting = setTimeout(this.onscrollend, REST_MS);
    }
    if (this.#facts.follow) {
      // The scrollbar may lag behind the end: what counts is how far it was moved.
      const moved = now - this.#place.top;
      this.#place = { y: Math.max(0, this.y + Math.min(0, moved)), top: now };
      if (moved < 0) this.#facts.onhold();
      return;
    }
    const next = scrolled(this.extent, { y: this.y, top: this.#place.top }, now);
    this.#place = next;
    if (isStuck(this.extent, next)) this.#setTop(next.y);
  };

  readonly onscrollend = (): void => {
    this.#scrolling = false;
    // It may come when the list is gone.
    if (!this.element) return;
    if (this.#facts.follow) this.#settleSoon();
    else this.#setTop(this.y);
  };

  #keepPlace(): void {
    const { rows, keep } = this.#facts;
    untrack(() => {
      if (keep && keep !== this.#kept) {
        this.#kept = keep;
        const from = keep.from === undefined ? this.#place.y : offsetOf(this.#before, keep.from);
        // Above the first row is nothing to show.
        const y = Math.max(0, offsetOf(rows, keep.to) + this.#place.y - from);
        this.#place = { ...this.#place, y };
        this.#settle++;
      }
      this.#before = rows;
    });
  }

  #goToTarget(): void {
    const { target } = this.#facts;
    // A list that is just being shown has no height yet, and so no third; its rows may come later too.
    if (!target || target === this.#reached || this.height === 0) return;
    if (target.row >= this.#facts.rows.count) return;
    this.#reached = target;
    const { row, how } = target;
    untrack(() => {
      const { rows, covered, coverHeight } = this.#facts;
      const next =
        how === 'third'
          ? third(rows, this.extent, row)
          : reveal(rows, this.extent, this.y, row, covered ? coverHeight : 0, coverHeight);
      this.#place = { ...this.#place, y: next };
      this.#settle++;
    });
  }

  #tell(): void {
    const { rows } = this.#facts;
    const last = rowAt(rows, this.y + this.extent.view - 1);
    const now = { ...this.#shown, top: this.#top, above: this.#above, under: this.#under, last };
    untrack(() => this.#facts.onshow(now));
  }

  #restLater(): () => void {
    const { from } = this.#shown;
    const timer = setTimeout(() => (this.#restedAt = from), SETTLE_MS);
    return () => clearTimeout(timer);
  }

  /**
   * After the spacer has its height: brings the scrollbar where the place is. While the end is
   * followed only now and then, for setting it makes the browser lay out the page.
   */
  #setScrollbar(): void {
    void this.#settle;
    const { follow } = this.#facts;
    if (!this.element || this.extent.view === 0) return;
    untrack(() => {
      if (follow) this.#settleSoon();
      else if (!this.#scrolling) this.#setTop(this.y);
    });
  }

  #settleSoon(): void {
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined;
      if (!this.#scrolling) this.#setTop(this.y);
    }, SETTLE_MS);
  }

  #setTop(at: number): void {
    if (!this.element) return;
    const wanted = topFor(this.extent, at);
    if (Math.abs(this.element.scrollTop - wanted) >= 0.5) this.element.scrollTop = wanted;
    this.#place = { y: at, top: this.element.scrollTop };
  }
}
