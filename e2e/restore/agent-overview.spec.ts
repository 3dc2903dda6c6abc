// The overview of an agent: its verdicts by version and request shape.
import { fileURLToPath } from 'node:url';
import { expectNoViolation } from '../axe.ts';
import { expect, test } from '../scope.ts';

test('the name of an agent leads to its verdicts, and a verdict to its run', async ({ scope }) => {
  const { page } = scope;
  const of = (name: string) =>
    fileURLToPath(
      new URL(`../../src/test/fixtures/codex-acp/0.16.0/${name}-v1.ndjson`, import.meta.url),
    );
  await page
    .getByLabel('Trace files')
    .first()
    .setInputFiles([of('live'), of('load')]);
  await expect(scope.rail.getByRole('treeitem', { name: /^load c2/ })).not.toContainText('…');
  const word = /wrong|incomplete|late|equivalent|identical|violated/;
  const run = await scope.rail.getByRole('treeitem', { name: /^load c2/ }).textContent();
  const [verdict = ''] = word.exec(run ?? '') ?? [];
  expect(verdict).not.toBe('');

  await scope.rail.getByRole('treeitem', { level: 1 }).first().click();
  const overview = page.getByRole('region', { name: 'Agent overview' });
  await expect(overview.getByRole('columnheader')).toHaveText([
    'version',
    'newest',
    'sessions',
    'load',
  ]);
  await expect(overview.getByRole('rowheader')).toHaveText(['0.16.0']);
  await expect(overview.getByRole('button')).toContainText(verdict);
  await expect(page).toHaveURL(/#\/agent\?q=/);
  await expectNoViolation(scope);
  await page.reload();
  await overview.getByRole('button').click();
  await expect(scope.session).toBeVisible();
  await expect(page).toHaveURL(/#\/session\//);
});
