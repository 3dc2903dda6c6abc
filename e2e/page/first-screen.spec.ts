// The first screen: few words, few controls, and the way from a command to the first session.
import { bundledAgent } from '../relay.ts';
import { expect, test } from '../scope.ts';

/** Runs in the page. Returns the text that a person sees, without the text for screen readers alone. */
function visibleText(): string {
  const seen: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(node);
    const isHidden = node.parentElement?.closest('.unseen, .skip, script, style, noscript');
    const isDrawn = node.parentElement?.checkVisibility({ visibilityProperty: true });
    if (!isHidden && isDrawn && range.getBoundingClientRect().width > 1)
      seen.push(node.textContent ?? '');
  }
  return seen.join(' ');
}

const agent = bundledAgent('--seed', '7', '--pace', '0');

test('The first screen has at most 160 words and 40 controls', async ({ scope }) => {
  const { page } = scope;
  await page.setViewportSize({ width: 1440, height: 900 });
  await scope.connectView();
  const words = (await page.evaluate(visibleText)).match(/[\p{L}\p{N}]\S*/gu) ?? [];
  const controls = await page
    .locator('button:visible, input:visible, summary:visible, a:visible')
    .count();
  expect(words.length).toBeLessThanOrEqual(160);
  expect(words.length).toBeGreaterThan(60);
  expect(controls).toBeLessThanOrEqual(40);
  expect(await page.locator('.btn.go:not(.skip):visible').count()).toBe(1);
});

test.describe('an agent by its command', () => {
  test.use({ relayOptions: { allow: [agent] } });

  test('An initialized agent without a session leads to a new session', async ({ scope }) => {
    await scope.startCommand(agent);
    const next = scope.page.getByRole('main').getByRole('status').filter({ hasText: 'Connected' });
    await expect(next).toContainText('protocol v2');
    await scope.button('New session', next).click();
    await expect(scope.page.getByRole('textbox', { name: 'Prompt to the agent' })).toBeFocused();
  });
});

test('The lines for an editor name the command in the field', async ({ scope }) => {
  await scope.connectView();
  await scope.page.getByRole('textbox', { name: 'Command' }).fill('my-agent --acp');
  await scope.button('Show the lines…').click();
  await scope.page.getByRole('tab', { name: 'VS Code' }).click();
  await expect(scope.page.getByRole('tabpanel', { name: 'VS Code' })).toContainText('"acp.agents"');
  await expect(scope.page.getByRole('tabpanel', { name: 'VS Code' })).toContainText('my-agent');
});
