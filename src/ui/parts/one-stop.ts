// A region that Tab reaches once: its own keys go on in it.

interface Stops {
  /** What its keys go to, in order. */
  all(): HTMLElement[];
  end(): void;
}

const TAKES_FOCUS = 'button, input';

/**
 * Keeps one of what the selector finds the stop of the region: what has the focus, or has it in itself, else
 * what is current, else the first. Nothing else in the region is a stop.
 */
export function keepOneStop(region: HTMLElement, which: string): Stops {
  const all = () => [...region.querySelectorAll<HTMLElement>(which)];
  let at = -1;
  const settle = () => {
    const list = all();
    // Who deletes one goes on beside it.
    if (at >= 0 && document.activeElement === document.body)
      list[Math.min(at, list.length - 1)]?.focus();
    at = list.findIndex((one) => one.contains(document.activeElement));
    const stop =
      list[at] ??
      list.find((one) => one.matches(':is([aria-current="page"], [aria-selected="true"])')) ??
      list[0];
    for (const one of region.querySelectorAll<HTMLElement>(`${which}, ${TAKES_FOCUS}`))
      one.tabIndex = one === stop ? 0 : -1;
  };
  const seen = new MutationObserver(settle);
  const attributeFilter = ['aria-current', 'aria-selected'];
  seen.observe(region, { childList: true, subtree: true, attributeFilter });
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
  return { all, end: () => seen.disconnect() };
}

/** To be attached to a row of buttons, in which the arrow keys go from one to the next. */
export function oneStop(row: HTMLElement): () => void {
  const { all, end } = keepOneStop(row, 'button');
  row.addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    const list = all();
    list[list.findIndex((one) => one === event.target) + by]?.focus();
    event.preventDefault();
  });
  return end;
}
