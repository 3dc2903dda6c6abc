// The columns of Trace: shown, hidden, sized, stored in the browser, and sorted by.
import { expectNoViolation } from '../axe.ts';
import { expect, test } from '../scope.ts';

test('A person shows, sizes and resets columns, and sorts the frames by size', async ({
  scope,
}) => {
  const { page, frames } = scope;
  await scope.button('Open the example').click();
  await expect(scope.row(/answer, session\/list/)).toBeVisible();
  const head = (name: string | RegExp) => page.getByRole('columnheader', { name });
  const menu = page.getByRole('menu', { name: 'Columns' });
  const widthOf = async (name: string) => Math.round((await head(name).boundingBox())?.width ?? 0);

  // By key beside the pane, where the page has no room for the waterfall on its own.
  await expect(head('waterfall')).toBeHidden();
  await frames.focus();
  await page.keyboard.press('c');
  await menu.getByRole('menuitemcheckbox', { name: 'waterfall' }).click();
  await expect(head('waterfall')).toBeVisible();
  await expect(frames.locator('.fr .fall i').first()).toBeVisible();

  const before = await widthOf('method');
  const drag = async (name: string, by: number) => {
    const box = await head(name).locator('.divider').boundingBox();
    if (!box) throw new Error(`The head of ${name} has no divider.`);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + by / 2, y);
    await page.mouse.move(x + by, y);
    await page.mouse.up();
  };
  await drag('method', -40);
  await expect.poll(() => widthOf('method')).toBe(before + 40);

  await page.reload();
  await expect(head('waterfall')).toBeVisible();
  await expect.poll(() => widthOf('method')).toBe(before + 40);

  const isCut = () =>
    frames
      .locator('.fr .method')
      .evaluateAll((all) => all.some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth));
  await drag('method', 100);
  await expect.poll(isCut).toBe(true);
  await head('method').locator('.divider').dblclick();
  await expect.poll(isCut).toBe(false);
  await expectNoViolation(scope);

  await head('what').click({ button: 'right' });
  await menu.getByRole('menuitem', { name: 'Reset columns' }).click();
  await expect(head('waterfall')).toBeHidden();
  await expect.poll(() => widthOf('method')).not.toBe(before + 40);

  await head('size').getByRole('button').click();
  const back = scope.button('Back to the order of the trace');
  await expect(page.getByText('Sorted by size, largest first')).toBeVisible();
  await expect(head('size')).toHaveAttribute('aria-sort', 'descending');
  await expect(scope.row(/^Replay window/)).toHaveCount(0);
  const sizes = () => frames.locator('[data-row] > .size').allTextContents();
  await expect.poll(async () => (await sizes())[0]).toContain('kB');
  const bytes = (await sizes()).map((text) => parseFloat(text) * (text.includes('kB') ? 1000 : 1));
  expect(bytes).toEqual(bytes.toSorted((a, b) => b - a));
  await expectNoViolation(scope);
  await back.click();
  await expect(back).toBeHidden();
  await expect(scope.row(/^Replay window/).first()).toBeVisible();
});
