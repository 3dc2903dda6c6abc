// The query under a person's hands: a pattern that never ends stops neither the page nor what is
// recorded meanwhile.
import { readFileSync } from 'node:fs';
import { program } from './relay.ts';
import { expect, test } from './scope.ts';
import { isWhole, readEvents } from './trace-file.ts';

const dripping = [process.execPath, program('raw.mjs'), 'drip'];
const EXAMPLE = readFileSync(new URL('../public/example.acptrace.jsonl', import.meta.url));
test.use({ relayOptions: { allow: [dripping] } });

test('attack row 7 (S-08): a catastrophic pattern ends in its budget; a live connection stores on, and an import made next appears at once', async ({
  scope,
  folder,
}) => {
  const { page } = scope;
  await scope.tryCommand(dripping, { cwd: folder });
  await expect(async () => expect((await scope.counts()).all).toBeGreaterThan(50)).toPass();
  const before = await scope.counts();

  await scope.query('/(a+)+$/');
  await scope.import('example.acptrace.jsonl', EXAMPLE);
  await expect(page.getByText('106 of 106 frames')).toBeVisible();

  await scope.rail.getByRole('button', { name: /^raw / }).first().click();
  await expect(page.getByText(/^The pattern \/\(a\+\)\+\$\/ was stopped after/)).toBeVisible();
  // The last good result stays, and grows with what comes.
  await expect(async () => {
    const { shown, all } = await scope.counts();
    expect(shown).toBe(all);
    expect(all).toBeGreaterThan(before.all + 50);
  }).toPass();
  await scope.query('/a{40}!/ type:bad');
  await expect(page.getByText(/was stopped after/)).toBeHidden();
  await expect(scope.row(/a{20}/).first()).toBeVisible();

  await scope.query('');
  await scope.kill();
  const file = await scope.export('raw');
  expect(isWhole(file)).toBe(true);
  expect(readEvents(file).length).toBeGreaterThan(before.all + 50);
});

test('a field or an operator that the query does not have is said at its place; in quotes it is text', async ({
  scope,
}) => {
  const { page } = scope;
  await scope.import('example.acptrace.jsonl', EXAMPLE);
  await expect(page.getByText('106 of 106 frames')).toBeVisible();
  await scope.query('side:agent latencyy>500');
  await expect(
    page.getByText(/^There is no field latencyy\. Did you mean latency\? Fields are text, side, /),
  ).toBeVisible();
  await expect(page.getByText('106 of 106 frames')).toBeVisible();
  await scope.query('type=req');
  await expect(page.getByText(/^There is no operator =: .* such as type:req/)).toBeVisible();
  await scope.query('"latency>500"');
  await expect(page.getByText('0 of 106 frames')).toBeVisible();
  await expect(page.getByText(/^There is no/)).toBeHidden();
});
