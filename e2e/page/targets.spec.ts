// What is pressed is large enough for an unsteady hand: 24 by 24 pixels, as WCAG 2.5.8 asks; and what
// is read is large enough for eyes that are not young: eleven pixels, the least of our sizes.
import { expect, test, type DrawerTab, type Scope, type View } from '../scope.ts';

const VIEWS: readonly View[] = [
  ...(['Session', 'Trace', 'Conversation', 'Compare', 'Checks', 'Timing'] as const),
];

/** What can be pressed and has no square of 24 pixels that is its own; links amid text are exempt. */
function small(scope: Scope) {
  return scope.page.evaluate(() => {
    const LEAST = 24;
    const NAMED =
      'button, input, textarea, select, a[href], summary, [role=separator][tabindex], [role=tab], [role=radio], [role=checkbox], [role=switch], [role=slider], [role=option], [role=menuitem], [role=treeitem]';
    /** A label is pressed as its field is. */
    const targetOf = (one: Element) => (one.matches('input') && one.closest('label')) || one;
    const isMine = (one: Element, x: number, y: number) => {
      const hit = document.elementFromPoint(x, y);
      return one.contains(hit);
    };
    /** Exempt: a link in a line of text, which makes it as high as the line. */
    const isInText = (one: Element) => {
      const line = one.matches('a, .as-link')
        ? one.closest('p, li, dd, td, article, [role=treeitem], div')
        : null;
      return /\w{3}/.test(line?.textContent?.replace(one.textContent, '') ?? '');
    };
    const hasSquare = (one: Element, box: DOMRect) => {
      const half = LEAST / 2 - 0.6;
      for (let x = box.left - LEAST; x <= box.right + LEAST; x += 1)
        for (const y of [box.top + box.height / 2, box.bottom - 12, box.bottom - 13]) {
          const corners = [
            [x - half, y - half],
            [x + half, y - half],
            [x - half, y + half],
            [x + half, y + half],
          ] as const;
          if (corners.every(([a, b]) => isMine(one, a, b))) return true;
        }
      return false;
    };
    const seen = [...document.querySelectorAll(NAMED)].flatMap((named) => {
      const one = targetOf(named);
      const box = one.getBoundingClientRect();
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      const isSeen =
        one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
        box.width > 1 &&
        isMine(one, x, y);
      const isLarge = box.width >= LEAST - 0.5 && box.height >= LEAST - 0.5;
      return isSeen ? [{ named, one, box, x, y, isLarge }] : [];
    });
    type Seen = (typeof seen)[number];
    /** A circle of 24 pixels around it meets no other target, nor the circle of a small one. */
    const hasRoom = ({ one, x, y }: Seen) =>
      seen.every((other) => {
        if (other.one.contains(one) || one.contains(other.one)) return true;
        if (!other.isLarge && Math.hypot(other.x - x, other.y - y) < LEAST - 0.5) return false;
        const { left, right, top, bottom } = other.box;
        const dx = Math.max(left - x, 0, x - right);
        const dy = Math.max(top - y, 0, y - bottom);
        return Math.hypot(dx, dy) >= LEAST / 2 - 0.5;
      });
    return seen.flatMap((it) => {
      const { named, one, box } = it;
      if (it.isLarge || isInText(one) || hasRoom(it) || hasSquare(one, box)) return [];
      const words = named.getAttribute('aria-label') ?? one.textContent;
      return [
        `${named.tagName.toLowerCase()}.${named.className} "${words.trim().slice(0, 40)}" ${box.width.toFixed(0)} × ${box.height.toFixed(0)}`,
      ];
    });
  });
}

/** Texts that are smaller than the least of our sizes, as they are drawn: a picture may be scaled. */
function tiny(scope: Scope) {
  return scope.page.evaluate(() => {
    const LEAST = 11;
    const found = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const one = node.parentElement;
      const words = node.textContent?.trim() ?? '';
      if (!one || words === '' || one.closest('.unseen')) continue;
      if (!one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const scale = one instanceof SVGGraphicsElement ? (one.getScreenCTM()?.a ?? 1) : 1;
      const size = parseFloat(getComputedStyle(one).fontSize) * scale;
      if (size < LEAST - 0.05)
        found.add(`${one.tagName}.${one.getAttribute('class')} "${words.slice(0, 30)}" ${size}`);
    }
    return [...found];
  });
}

const DRAWERS: readonly DrawerTab[] = ['Composer', 'Waiting', 'Terminal and stderr'];

for (const [width, height] of [
  [1280, 800],
  [390, 844],
] as const)
  test(`nothing to press is under 24 pixels, and no text under 11, at ${width}`, async ({
    scope,
  }) => {
    await scope.page.setViewportSize({ width, height });
    await expect.poll(() => small(scope), { message: 'Connect' }).toEqual([]);
    expect.soft(await tiny(scope), 'Connect').toEqual([]);
    await scope.page.setViewportSize({ width: 1280, height: 800 });
    await scope.button('Open the example').click();
    await expect(scope.row(/answer, session\/list/)).toBeVisible();
    await scope.scriptsAreKept();
    await scope.page.setViewportSize({ width, height });
    for (const view of VIEWS) {
      await scope.view(view);
      // A view comes in parts: it is there when nothing more comes.
      const parts = scope.page.getByRole('main').locator('*');
      await expect(async () => {
        const before = await parts.count();
        await scope.page.waitForTimeout(400);
        expect(await parts.count()).toBe(before);
      }).toPass();
      expect.soft(await small(scope), view).toEqual([]);
      expect.soft(await tiny(scope), view).toEqual([]);
    }
    await scope.view('Trace');
    for (const drawer of DRAWERS) {
      await scope.openDrawer(drawer);
      await expect(scope.drawer.locator('[aria-busy=true]')).toHaveCount(0);
      expect.soft(await small(scope), drawer).toEqual([]);
      expect.soft(await tiny(scope), drawer).toEqual([]);
    }
  });
