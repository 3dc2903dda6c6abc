// How many controls a person sees at once, outside the rows of lists and tables, in every view.
import { expect, test, type View } from '../scope.ts';

const MOST = 40;
/** Views that were made for this limit; the others only appear in the table. */
const LIMITED: readonly View[] = ['Session'];

test('A view has few controls outside its rows at 1440 × 900', async ({ scope }) => {
  const { page } = scope;
  await page.setViewportSize({ width: 1440, height: 900 });
  await scope.startRestored({ ask: 'v2' });
  const views = await page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('button')
    .evaluateAll((tabs) =>
      tabs.map(
        (tab) =>
          tab.getAttribute('aria-label') ?? (tab.textContent ?? '').trim().split(/\s/)[0] ?? '',
      ),
    );
  const counted: { view: string; controls: number; outside: number; filled: number }[] = [];
  for (const view of views) {
    await scope.view(view as View);
    await expect(page.locator('main .view > [aria-busy]')).toHaveCount(0);
    counted.push({ view, ...(await page.evaluate(countControls)) });
  }
  console.table(counted);
  for (const { view, filled } of counted)
    expect(filled, `filled buttons in ${view}`).toBeLessThan(2);
  for (const view of LIMITED) {
    const own = counted.find((one) => one.view === view);
    expect(own, view).toBeDefined();
    expect(own?.outside, view).toBeLessThanOrEqual(MOST);
  }
});

/** Runs in the page. Counts what is visible and takes a click or a key; dividers between panes are not counted. */
function countControls(): { controls: number; outside: number; filled: number } {
  const CONTROLS =
    'button, a[href], input, select, textarea, summary, [role=button], [role=tab], [role=switch], [role=slider]';
  const ROWS = '[role=treeitem], [role=row], [role=option], tr';
  const seen = [...document.querySelectorAll<HTMLElement>(CONTROLS)].filter((one) => {
    // The skip link is clipped until it has the focus.
    if (one.matches('.skip')) return false;
    const { width, height, top, bottom } = one.getBoundingClientRect();
    const isOnScreen = width > 0 && height > 0 && bottom > 0 && top < innerHeight;
    return isOnScreen && one.checkVisibility({ visibilityProperty: true });
  });
  const outside = seen.filter((one) => !one.closest(ROWS));
  const accent = (one: HTMLElement): boolean =>
    getComputedStyle(one).backgroundColor === getComputedStyle(one).borderTopColor;
  const filled = seen.filter((one) => one.matches('.btn.go') && accent(one));
  return { controls: seen.length, outside: outside.length, filled: filled.length };
}
