// The detail of a frame: its findings and what it says on top, its JSON as far as the pane has room.
import { expectNoViolation } from '../axe.ts';
import { expect, test } from '../scope.ts';

test('the reason for a red mark stands first, with its source, its frames, and a way to ignore it', async ({
  scope,
}) => {
  const { page, detail } = scope;
  await scope.button('Open the example').click();
  await scope.row(/^24, /).click();
  const finding = detail.getByRole('article', { name: 'replay/after-response' });
  await expect(finding).toContainText(/after #7 was answered/);
  await expect(finding).toContainText('Expected: all history comes before');
  await expect(finding.getByRole('link').first()).toHaveAttribute(
    'href',
    /^https:\/\/agentclientprotocol\.com\//,
  );
  const card = detail.getByRole('article', { name: 'What #24 says' });
  await expect(card).toContainText('quick Thanks. Which file did you change?');
  await expectNoViolation(scope);

  await scope.button('Only these frames', finding).click();
  await expect(page.getByText('2 of 106 frames')).toBeVisible();
  await scope.button('Ignore…', finding).click();
  await page.getByLabel('Reason').fill('known fault');
  await scope.button('Suppress', finding).click();
  await expect(finding).toBeHidden();
  // By key: the pointer may rest on a line of the tree, whose card would cover it.
  await scope.button('Undo').press('Enter');
  await expect(finding).toBeVisible();
});

test('a tool call is a card as it stood at the frame, and its JSON fills the pane', async ({
  scope,
}) => {
  const { page, detail } = scope;
  await page.setViewportSize({ width: 1440, height: 900 });
  await scope.button('Open the example').click();
  await scope.row(/^15, /).click();
  const card = detail.getByRole('article', { name: 'What #15 says' });
  await expect(card).toContainText('Edit src/greeting.ts');
  await expect(card.getByRole('region', { name: /^Changes of/ })).toBeVisible();

  const tree = detail.getByRole('tree');
  const update = tree.getByRole('treeitem', { name: /^update/ });
  await expect(update).toHaveAttribute('aria-expanded', 'true');
  const lines = () => tree.getByRole('treeitem').count();
  const before = await lines();
  await page.setViewportSize({ width: 1440, height: 1300 });
  await expect.poll(lines).toBeGreaterThan(before);
  // A person closes it: other frames, and more room, leave it closed.
  await update.locator('.toggle').click();
  await expect(update).toHaveAttribute('aria-expanded', 'false');
  await scope.row(/^14, /).click();
  await expect(update).toHaveAttribute('aria-expanded', 'false');
  await detail.getByText(/^Changes \d+ values in the session$/).click();
  await expect(scope.button('Show state here', detail)).toBeVisible();
});

test('the head of the pane leads to the other frame of the exchange', async ({ scope }) => {
  const { detail } = scope;
  await scope.button('Open the example').click();
  await scope.row(/^6, /).click();
  await expect(detail).toContainText(/answers #5\s*after 3\.6 ms/);
  await scope.button('#5', detail.locator('header')).click();
  await expect(detail).toContainText(/answered by #6\s*after 3\.6 ms/);
});
