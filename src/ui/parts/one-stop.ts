// A region that Tab reaches once: arrow keys go on in it.

/**
 * To be attached to the region. Its stop is what has the focus, else what is current, else the first. Keys of
 * its axis go from thing to thing and pass by menus, which the keys across go to.
 */
export function oneStop(axis: 'across' | 'down'): (region: HTMLElement) => () => void {
  return (region) => {
    const all = () =>
      [...region.querySelectorAll<HTMLElement>('button, input')].filter(
        (one) => !one.closest('[popover]'),
      );
    const settle = () => {
      const list = all();
      const isCurrent = (one: HTMLElement) => one.matches('[aria-current]:not([aria-current=""])');
      const focused = list.find((one) => one === document.activeElement);
      const stop = focused ?? list.find(isCurrent) ?? list[0];
      for (const one of list) one.tabIndex = one === stop ? 0 : -1;
    };
    const onkeydown = (event: KeyboardEvent) => {
      const by = STEPS[event.key];
      const { target } = event;
      if (!by || event.defaultPrevented || !(target instanceof HTMLElement)) return;
      const isAlong = by.axis === axis;
      // A name that is being changed has these keys for itself, and any text those across.
      if (target.closest('form') || (!isAlong && target.matches('input'))) return;
      if (!isAlong && axis === 'across') return;
      const list = all();
      // A menu that is open here has its own keys.
      if (!list.includes(target)) return;
      const isSkipped = (one: HTMLElement | undefined) =>
        isAlong && one !== undefined && one.getAttribute('aria-haspopup') === 'menu';
      let to = list.indexOf(target) + by.step;
      while (isSkipped(list[to])) to += by.step;
      list[to]?.focus();
      event.preventDefault();
    };
    const seen = new MutationObserver(settle);
    seen.observe(region, { childList: true, subtree: true, attributeFilter: ['aria-current'] });
    // What leaves the region has left it only then.
    const onfocus = () => queueMicrotask(settle);
    region.addEventListener('focusin', onfocus);
    region.addEventListener('focusout', onfocus);
    region.addEventListener('keydown', onkeydown);
    settle();
    return () => seen.disconnect();
  };
}

const STEPS: Readonly<Record<string, { readonly axis: string; readonly step: 1 | -1 }>> = {
  ArrowDown: { axis: 'down', step: 1 },
  ArrowUp: { axis: 'down', step: -1 },
  ArrowRight: { axis: 'across', step: 1 },
  ArrowLeft: { axis: 'across', step: -1 },
};
