// The editor of a scenario: a form of its steps beside its text, each as the other is.
import { expectNoViolation } from './axe.ts';
import { expect, test } from './scope.ts';

test('a step typed in the form stands in the text, and a text typed stands in the form', async ({
  scope,
}) => {
  await scope.startBundled({ ask: 'v1' });
  await scope.view('Test');
  // What stands below comes lower with them.
  await expect(scope.test(/^new\/two/)).toBeVisible();
  await scope
    .test(/^Scenarios|Scenarios/)
    .first()
    .click();
  const steps = scope.behind.getByRole('region', { name: 'Steps' });
  const rows = steps.getByRole('listitem');
  const text = scope.behind.getByRole('textbox', { name: 'Scenario', exact: true });
  await expect(rows).toHaveCount(2);
  await expectNoViolation(scope);

  await scope.button('Add a step', steps).click();
  await scope.page.getByRole('menuitem', { name: 'wait', exact: true }).click();
  await expect(rows).toHaveCount(3);
  await rows.nth(2).getByRole('textbox', { name: 'Step 3: milliseconds' }).fill('120');
  await scope.page.keyboard.press('Tab');
  await expect(text).toContainText('{ "wait": 120 }');
  await expect(scope.behind).toContainText('3 steps, 2 assertions');
  await rows.nth(2).getByRole('textbox', { name: 'Step 3: milliseconds' }).fill('soon');
  await scope.page.keyboard.press('Tab');
  await expect(rows.nth(2)).toContainText('A whole number.');

  await text.click();
  await scope.page.keyboard.press('ControlOrMeta+a');
  await scope.page.keyboard.insertText('{"steps":[{"kill":"SIGKILL","x-own":1.0}]}');
  await expect(rows).toHaveCount(1);
  await rows.getByRole('combobox', { name: 'Step 1: kind' }).selectOption('restart');
  await expect(text).toContainText('"x-own":1.0');
});
