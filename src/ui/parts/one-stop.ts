// A region that Tab reaches once: its own keys go on in it.
import { runKey, type MovesInList, type PlaceKey } from './list-keys.ts';

interface Stops {
  /** What its keys go to, in order. */
  all(): HTMLElement[];
  end(): void;
}

/**
 * Keeps one of them the stop of the region: what has the focus, or has it in itself, else what is current,
 * else what had it last, else the first. None of `others` is a stop.
 */
export function keepOneStop(
  region: HTMLElement,
  every: () => readonly HTMLElement[],
  others: () => Iterable<HTMLElement> = () => [],
): Stops {
  const isThere = (one: HTMLElement) => !one.matches(':disabled') && one.checkVisibility();
  const all = () => every().filter(isThere);
  let at = -1;
  let last: HTMLElement | undefined;
  const settle = () => {
    const each = every();
    // Of thousands of them, none is looked at that does not matter.
    if (at >= 0 || region.contains(document.activeElement)) {
      const list = each.filter(isThere);
      // Who deletes one goes on beside it.
      if (at >= 0 && document.activeElement === document.body)
        list[Math.min(at, list.length - 1)]?.focus();
      at = list.findIndex((one) => one.contains(document.activeElement));
      last = list[at] ?? last;
    }
    const stop =
      (at >= 0 ? last : undefined) ??
      each.find(
        (one) => one.matches(':is([aria-current="page"], [aria-selected="true"])') && isThere(one),
      ) ??
      each.find((one) => one === last && isThere(one)) ??
      each.find(isThere);
    for (const one of [...each, ...others()]) {
      // While none can be seen, nobody knows which will be: none is out of reach then.
      const tabIndex = one === stop || !stop ? 0 : -1;
      if (one.tabIndex !== tabIndex) one.tabIndex = tabIndex;
    }
  };
  // While something streams, what it draws is measured once, when all of it stands.
  let frame = 0;
  const settleSoon = () => {
    if (at >= 0) settle();
    else
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        settle();
      });
  };
  const seen = new MutationObserver(settleSoon);
  const attributeFilter = ['aria-current', 'aria-selected', 'disabled', 'hidden', 'open'];
  seen.observe(region, { childList: true, subtree: true, attributeFilter });
  // A narrow page hides some of them.
  const sized = new ResizeObserver(settle);
  sized.observe(region);
  const onfocusin = () => settle();
  // What leaves the region has left it only then.
  const onfocusout = ({ target }: Event) =>
    queueMicrotask(() => {
      if (target instanceof Node && region.contains(target)) at = -1;
      settle();
    });
  region.addEventListener('focusin', onfocusin);
  region.addEventListener('focusout', onfocusout);
  settle();
  return {
    all,
    end: () => {
      cancelAnimationFrame(frame);
      seen.disconnect();
      sized.disconnect();
    },
  };
}

/** Of buttons in a row, and of what can be pressed in a pane; PgUp and PgDn scroll it. */
export const STOP_KEYS: readonly PlaceKey<Pick<MovesInList, 'move'>>[] = [
  { keys: ['→'], alsoKey: '↓', does: 'Next button or link', run: ({ move }) => move(1) },
  { keys: ['←'], alsoKey: '↑', does: 'The one before', run: ({ move }) => move(-1) },
  { keys: ['Home'], does: 'First of them', run: ({ move }) => move(-Infinity) },
  { keys: ['End'], does: 'Last of them', run: ({ move }) => move(Infinity) },
];

const PRESSED = ':is(button, a[href], summary, input[type=checkbox])';
/** Fields are stops of their own, and so is what stands among them. */
const APART =
  ':is(form, fieldset, [popover], [role=tablist], [role=tree], [role=treegrid], [data-own-stops])';

function pressedIn(region: HTMLElement): readonly HTMLElement[] {
  return [...region.querySelectorAll<HTMLElement>(`${PRESSED}:not(:scope ${APART} *)`)];
}

/** To be attached to a row of buttons or to a pane, in which the arrow keys go from one to the next. */
export function oneStop(region: HTMLElement): () => void {
  const { all, end } = keepOneStop(region, () => pressedIn(region));
  region.addEventListener('keydown', (event) => {
    const list = all();
    const at = list.findIndex((one) => one === event.target);
    if (at < 0) return;
    const move = (by: number) => list[Math.max(0, Math.min(list.length - 1, at + by))]?.focus();
    runKey(STOP_KEYS, event, false, { move });
  });
  return end;
}
