// Tab goes from region to region: a list, a table, a pane of links, a row of buttons is one stop each, and
// the arrow keys go on in it. So a view has few stops, however much it holds.
import { expect, test, type Scope, type View } from '../scope.ts';

/** The last two have no key of their own. */
type Place = View | 'Library' | 'Connect';
type Bounds = readonly (readonly [place: Place, most: number])[];

/** Eight of them are the bar on top and the rail, two the drawer. */
const EXAMPLE: Bounds = [
  ['Session', 17],
  ['Trace', 24],
  ['Conversation', 22],
  ['Compare', 18],
  ['Checks', 18],
  ['Timing', 14],
  ['Library', 20],
  ['Connect', 21],
];
const RESTORED: Bounds = [
  ['Session', 19],
  ['Trace', 32],
  ['Conversation', 25],
  ['Compare', 18],
  ['Checks', 18],
  ['Timing', 14],
  ['Library', 20],
  ['Connect', 22],
];

/** What Tab reaches from the top of the page, each by its name. */
async function stopsOf({ page }: Scope): Promise<readonly string[]> {
  await page.getByRole('button', { name: 'Skip to the view' }).focus();
  const names: string[] = [];
  const NEVER = 120;
  while (names.length < NEVER) {
    const name = await page.evaluate(() => {
      const here = document.activeElement;
      if (!here || here === document.body) return undefined;
      here.setAttribute('data-stop', '');
      return `${here.getAttribute('role') ?? here.tagName} ${(here.getAttribute('aria-label') ?? here.textContent).trim().slice(0, 30)}`;
    });
    // Past its end, Tab leaves the page.
    if (name === undefined || (names.length > 0 && name === names[0])) break;
    names.push(name);
    await page.keyboard.press('Tab');
  }
  return names;
}

/** Buttons and links of the view that neither Tab nor, from a stop, the arrow keys come to. */
async function unreached({ page }: Scope): Promise<readonly string[]> {
  // A tab is chosen by the key that comes to it, and would put another pane in the place of this one.
  const PRESSED = ':is(button:not([role=tab]), a, summary, input[type=checkbox])';
  const stops = page.locator(`main ${PRESSED}[data-stop]`);
  /** Whether the focus is where it was not before. */
  const isNew = () =>
    page.evaluate(() => {
      const { activeElement: here } = document;
      if (!here || here.hasAttribute('data-was-here')) return false;
      here.setAttribute('data-was-here', '');
      return true;
    });
  // One that goes meanwhile moves none of the others out of the way.
  for (const stop of await stops.elementHandles()) {
    const isThere = await stop.evaluate((one) => {
      if (one instanceof HTMLElement) one.focus();
      return one.isConnected;
    });
    if (!isThere) continue;
    await page.keyboard.press('Home');
    while (await isNew()) await page.keyboard.press('ArrowRight');
  }
  return page.evaluate(() => {
    // Their rows have keys that lead there.
    const LISTS = '[role=tree], [role=treegrid], [role=tablist], [data-choice], [popover]';
    return [...document.querySelectorAll('main :is(button, a[href], summary)')].flatMap((one) =>
      one.checkVisibility() && !one.matches(':disabled, [data-was-here]') && !one.closest(LISTS)
        ? `${one.className} ${one.getAttribute('title') ?? ''} “${one.textContent.trim().slice(0, 30)}”`
        : [],
    );
  });
}

async function goTo(scope: Scope, place: Place): Promise<void> {
  if (place === 'Connect') await scope.connectView();
  else if (place === 'Library') await scope.goToAnything('Library of traces');
  else await scope.view(place);
}

async function expectFewStops(scope: Scope, bounds: Bounds): Promise<void> {
  await scope.scriptsAreKept();
  for (const [view, most] of bounds) {
    await goTo(scope, view);
    await expect(scope.page.locator('main [aria-busy=true]')).toHaveCount(0);
    // What comes a little later is counted too: it is there when twice the same is counted.
    let before: readonly string[] = [];
    await expect(async () => {
      const now = await stopsOf(scope);
      const isSame = now.join() === before.join();
      before = now;
      expect(isSame).toBe(true);
    }).toPass();
    expect.soft(before.length, `${view}\n${before.join('\n')}`).toBeLessThanOrEqual(most);
    expect.soft(await unreached(scope), `${view}: out of reach of keys`).toEqual([]);
  }
}

test('every view has few stops of Tab, and arrows lead to all the rest: the example', async ({
  scope,
}) => {
  await scope.button('Open the example').click();
  await expect(scope.row(/answer, session\/list/)).toBeVisible();
  await expectFewStops(scope, EXAMPLE);
});

test('every view has few stops of Tab, and arrows lead to all the rest: an agent that was restored', async ({
  scope,
}) => {
  await scope.startRestored();
  await expectFewStops(scope, RESTORED);
});
