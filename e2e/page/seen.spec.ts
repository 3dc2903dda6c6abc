// The page for those whose system sets its colours, or whose text stands wider: what tells apart is
// still seen. Forced colours take backgrounds and shadows away.
import type { Locator } from '@playwright/test';
import { expect, test, type View } from '../scope.ts';

/** How it is painted: a background counts where the page keeps its own. */
const drawn = (at: Locator) =>
  at.evaluate((element) => {
    const style = getComputedStyle(element);
    const { outlineStyle, color, clipPath, rotate, transform } = style;
    const isKept = style.getPropertyValue('forced-color-adjust') === 'none';
    const background = isKept ? style.backgroundColor : 'of the system';
    return { outlineStyle, color, background, shape: [clipPath, rotate, transform].join(' ') };
  });

test.describe('with forced colours', () => {
  test.use({ contextOptions: { forcedColors: 'active' } });

  test('the chosen line of each list is told from the others', async ({ scope }) => {
    const { page } = scope;
    await scope.button('Open the example').click();
    await expect(scope.row(/answer, session\/list/)).toBeVisible();
    await scope.row(/answer, session\/list/).click();
    for (const view of ['Trace', 'Session', 'Checks'] as const) {
      await scope.view(view);
      const lines = page.getByRole('main').locator(':is([role=row], [role=treeitem])');
      const chosen = lines.and(page.locator('[aria-selected=true]')).first();
      await expect(chosen).toBeVisible();
      const other = lines.and(page.locator('[aria-selected=false]')).first();
      const [on, off] = [await drawn(chosen), await drawn(other)];
      expect(on.outlineStyle, view).toBe('solid');
      expect(off.outlineStyle, view).toBe('none');
    }
  });

  test('what was lived, what was replayed and what came late have textures of their own', async ({
    scope,
  }) => {
    await scope.button('Open the example').click();
    await expect(scope.row(/answer, session\/list/)).toBeVisible();
    await scope.view('Session');
    await scope.button('When', scope.session).click();
    for (const [place, kinds] of [
      ['What came back', ['live', 'same', 'late']],
      ['When', ['lived', 'replayed', 'late']],
    ] as const) {
      const pieces = scope.session.getByLabel(place, { exact: true });
      const looks = kinds.map((piece) =>
        pieces
          .locator(`i.${piece}`)
          .first()
          .evaluate((element) => {
            const { backgroundImage, backgroundColor } = getComputedStyle(element);
            return `${backgroundImage} ${backgroundColor}`;
          }),
      );
      const seen = await Promise.all(looks);
      expect(new Set(seen).size, seen.join('\n')).toBe(3);
      expect(seen[1]).toContain('repeating-linear-gradient');
    }
  });

  test('what is pressed is read, and told from what is not', async ({ scope }) => {
    const { page } = scope;
    await scope.button('Open the example').click();
    await expect(scope.row(/answer, session\/list/)).toBeVisible();
    await scope.view('Conversation');
    const tools = page.getByRole('group', { name: 'Show' }).getByRole('button', { name: 'tools' });
    const on = await drawn(tools);
    await tools.click();
    const off = await drawn(tools);
    expect(on.background).not.toBe(off.background);
    // The system's own pair of colours, as white on navy; not one of them on a tint of the page.
    const sum = (color: string) =>
      (color.match(/[\d.]+/g) ?? []).slice(0, 3).reduce((all, part) => all + Number(part), 0);
    expect(Math.abs(sum(on.color) - sum(on.background))).toBeGreaterThan(380);

    await page.getByRole('button', { name: 'Settings' }).click();
    const items = page.getByRole('menu', { name: 'Settings' }).locator('button');
    await expect(items.first()).toBeFocused();
    expect((await drawn(items.first())).outlineStyle).toBe('solid');
    expect((await drawn(items.nth(1))).outlineStyle).toBe('none');
  });

  test('an agent that runs, one that waits and one that has ended have signs of their own', async ({
    scope,
  }) => {
    await scope.startBundled({ permissions: 'ask me' });
    const dot = scope.rail.locator('.dot').first();
    const looks = async () => {
      const { background, shape } = await drawn(dot);
      return `${background} ${shape}`;
    };
    const seen = [await looks()];
    await scope.newSession();
    await scope.prompt('mend the fault');
    await expect(scope.rail.getByText('waits for you')).toBeVisible();
    seen.push(await looks());
    await scope.kill();
    await expect(scope.rail).toContainText('ended by');
    seen.push(await looks());
    expect(new Set(seen).size, seen.join('\n')).toBe(3);
  });
});

const SPACING = `* {
  line-height: 1.5 !important;
  letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important;
}
p { margin-bottom: 2em !important; }`;

const VIEWS: readonly View[] = ['Session', 'Trace', 'Conversation', 'Compare', 'Checks', 'Timing'];

/** Texts that lie over each other, and those that something cuts without a sign. */
function faults(main: Locator) {
  return main.evaluate((root) => {
    interface Text {
      readonly words: string;
      readonly box: DOMRect;
      readonly element: Element;
    }
    const texts: Text[] = [];
    const cut: string[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      const words = node.textContent?.trim() ?? '';
      if (!element || words === '' || element.closest('.unseen, svg, option')) continue;
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      range.selectNodeContents(node);
      for (const whole of range.getClientRects()) {
        let { left, right, top, bottom } = whole;
        let signed = false;
        for (let over: Element | null = element; over && over !== root; over = over.parentElement) {
          const style = getComputedStyle(over);
          if (style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none') signed = true;
          if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
          const box = over.getBoundingClientRect();
          const scrolls = /auto|scroll/.test(style.overflowX + style.overflowY);
          // What is high is a window onto something longer, which slides under its edges.
          const down = box.height > 60 ? 0 : Math.max(box.top - top, bottom - box.bottom);
          const lost = Math.max(box.left - left, right - box.right, down);
          if (lost > 4 && !scrolls && !signed) cut.push(words.slice(0, 40));
          if (scrolls) signed = true;
          [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
          [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
        }
        if (right - left < 3 || bottom - top < 3) continue;
        const box = new DOMRect(left, top, right - left, bottom - top);
        const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        // Below something that covers it, as a line that is scrolled under a head.
        if (!hit || !(hit.contains(element) || element.contains(hit))) continue;
        texts.push({ words: words.slice(0, 40), box, element });
      }
    }
    const over = texts.flatMap((a, i) =>
      texts
        .slice(i + 1)
        .filter(
          (b) =>
            a.element !== b.element &&
            Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left) > 2 &&
            Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top) > 4,
        )
        .map((b) => `${a.words} / ${b.words}`),
    );
    return { over, cut, texts: texts.length };
  });
}

test('with the spacing of text that a reader needs, each of the six views keeps its words apart and whole', async ({
  scope,
}) => {
  const { page } = scope;
  await page.setViewportSize({ width: 1280, height: 800 });
  await scope.button('Open the example').click();
  await expect(scope.row(/answer, session\/list/)).toBeVisible();
  await page.addStyleTag({ content: SPACING });
  for (const view of VIEWS) {
    await scope.view(view);
    await expect(page.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0);
    const found = () => faults(page.locator('body'));
    // What comes a little later is looked at too: it is there when twice as much is seen.
    let before = 0;
    await expect(async () => {
      const { texts } = await found();
      const isSame = texts === before;
      before = texts;
      expect(isSame && texts > 20, view).toBe(true);
    }).toPass({ intervals: [300] });
    const { over, cut } = await found();
    expect.soft({ view, over, cut }).toEqual({ view, over: [], cut: [] });
    const heights = (parts: string) =>
      page
        .getByRole('main')
        .locator(parts)
        .evaluateAll((all) => all.map((e) => e.clientHeight).filter((height) => height > 0));
    // What is chosen fills its part of the bar; a time stands in one line.
    for (const height of await heights('.seg > :is(label, button)'))
      expect.soft(height, view).toBeGreaterThan(22);
    for (const height of await heights('.item > .at')) expect.soft(height, view).toBeLessThan(30);
  }
});
