// The query under a person's hands: a pattern that never ends stops neither the page nor what is
// recorded meanwhile.
import { readFileSync } from 'node:fs';
import { program } from '../relay.ts';
import { expect, test } from '../scope.ts';
import { isWhole, readEvents } from '../trace-file.ts';

const dripping = [process.execPath, program('raw.mjs'), 'drip'];
const EXAMPLE = readFileSync(new URL('../../public/example.acptrace.jsonl', import.meta.url));
test.use({ relayOptions: { allow: [dripping] } });

test('attack row 7 (S-08): a catastrophic pattern ends in its budget; a live connection stores on, and an import made next appears at once', async ({
  scope,
  folder,
}) => {
  const { page } = scope;
  await scope.tryCommand(dripping, { cwd: folder });
  await expect(async () => expect((await scope.counts()).all).toBeGreaterThan(50)).toPass();
  const before = await scope.counts();

  await scope.askQuery('/(a+)+$/');
  await scope.import('example.acptrace.jsonl', EXAMPLE);
  await expect(page.getByText('106 of 106 frames')).toBeVisible();

  await scope.runsOf('raw').first().click();
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

test('by mouse: a field and its value are taken, a term rests, the matches are lit and stepped through, the query is saved', async ({
  scope,
}) => {
  const { page } = scope;
  await scope.import('example.acptrace.jsonl', EXAMPLE);
  await expect(page.getByText('106 of 106 frames')).toBeVisible();
  await page.getByRole('combobox', { name: 'Query' }).click();
  await page.getByRole('option', { name: /^status:/ }).click();
  await page.getByRole('option', { name: /^completed/ }).click();
  await expect(page.getByText('12 of 106 frames')).toBeVisible();
  await expect(page.getByTitle(/^94 more .*hidden by status:completed$/)).toHaveText(
    /Show \d+ more/,
  );
  await page.getByRole('button', { name: /status:completed matches 12; leave it out/ }).click();
  await expect(page.getByText('106 of 106 frames')).toBeVisible();
  await scope.button('Ask for status:completed again').click();
  await expect(page.getByText('12 of 106 frames')).toBeVisible();

  await page.getByRole('button', { name: 'Highlight' }).click();
  await expect(page.getByText('12 of 106 frames match')).toBeVisible();
  await expect(page.getByText('12 matches')).toBeVisible();
  await scope.button('Previous match').click();
  await expect(page.getByText('12 of 12', { exact: true })).toBeVisible();
  await scope.button('Next match').click();
  await expect(page.getByText('1 of 12', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/q=status%3Acompleted&rest=shown/);
  await page.reload();
  await expect(page.getByText('12 of 106 frames match')).toBeVisible();

  await scope.button('Saved').click();
  await page.getByLabel('Name for this query').fill('Done');
  await scope.button('Save').click();
  await scope.button('Rename Done').click();
  await page.getByLabel('New name of Done').fill('What was done');
  await scope.button('Rename', page.getByRole('dialog')).click();
  await scope.button('Delete What was done').click();
  await scope.button('Undo').click();
  await scope.query('');
  await scope.button('Saved').click();
  await page.getByRole('button', { name: /^What was done/ }).click();
  await expect(page.getByText('12 of 106 frames match')).toBeVisible();
});

test('by keys: a term is completed and edited in its place, a broken one leaves the last good one, and matches are stepped through', async ({
  scope,
}) => {
  const { page } = scope;
  await scope.import('example.acptrace.jsonl', EXAMPLE);
  await expect(page.getByText('106 of 106 frames')).toBeVisible();
  await scope.frames.focus();
  await page.keyboard.press('/');
  const bar = page.getByRole('combobox', { name: 'Query' });
  await expect(bar).toBeFocused();
  await bar.pressSequentially('stat');
  await page
    .getByRole('option', { name: /^status:/ })
    .first()
    .waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(bar).toHaveValue('status:');
  await page.getByRole('option', { name: /^completed/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByText('12 of 106 frames')).toBeVisible();
  await bar.pressSequentially('kind:edit | kind:read ');
  await expect(scope.button('Edit kind:edit | kind:read')).toBeVisible();
  await expect(page).toHaveURL(/kind%3Aread$/);
  // At once: on a busy machine half a word is a query too, and would be the last good one.
  await bar.fill('latencyy>5');
  await expect(page.getByText(/^There is no field latencyy\./)).toBeVisible();
  await expect(page.getByText(/^still of status:completed kind:edit \| kind:read$/)).toBeVisible();
  await bar.fill('');
  await scope.button('Edit status:completed').focus();
  await page.keyboard.press('Enter');
  await expect(bar).toHaveValue('status:completed');
  await bar.fill('side:agent');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/q=side%3Aagent%20kind%3Aedit%20%7C%20kind%3Aread/);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.keyboard.press('h');
  await page.keyboard.press('ControlOrMeta+g');
  await expect(page.getByRole('status').filter({ hasText: /^\d+ of \d+$/ })).toBeVisible();
  await page.keyboard.press('/');
  await bar.pressSequentially('#33');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/frame\/33\?/);
});

test('while the rows are those of the query before, the list says that it is busy', async ({
  scope,
}) => {
  await scope.import('example.acptrace.jsonl', EXAMPLE);
  await expect(scope.page.getByText('106 of 106 frames')).toBeVisible();
  const said = await scope.frames.evaluateHandle((list) => {
    const told: { readonly busy: string | null; readonly answers: number }[] = [];
    new MutationObserver(() => {
      const answers = list.querySelectorAll('[aria-label*=", answer, "]').length;
      told.push({ busy: list.getAttribute('aria-busy'), answers });
    }).observe(list, { attributeFilter: ['aria-busy'] });
    return told;
  });
  await scope.query('type:req');
  const [before, after, ...more] = await said.jsonValue();
  expect(before?.busy).toBe('true');
  expect(before?.answers).toBeGreaterThan(0);
  expect(after).toEqual({ busy: null, answers: 0 });
  expect(more).toEqual([]);
  expect(await scope.row(/, request, /).count()).toBeGreaterThan(0);
});

test('chips: a click writes the query, Shift adds, Alt hides, and a typed query presses them', async ({
  scope,
}) => {
  const { page } = scope;
  await scope.import('example.acptrace.jsonl', EXAMPLE);
  const chips = page.getByRole('group', { name: 'Kinds of frames' });
  const chip = (name: string) => chips.getByRole('button', { name: new RegExp(`^${name} `) });
  await expect(chip('All')).toHaveAttribute('aria-pressed', 'true');
  await expect(chip('Tools')).toHaveText('Tools 16');

  await chip('Tools').click();
  await expect(page.getByText('16 of 106 frames')).toBeVisible();
  await expect(scope.button('Edit update:tool_call*')).toBeVisible();
  await expect(chip('Tools')).toHaveAttribute('aria-pressed', 'true');
  await expect(chip('All')).toHaveAttribute('aria-pressed', 'false');

  await chip('Late').click({ modifiers: ['Shift'] });
  await expect(page.getByText('18 of 106 frames')).toBeVisible();
  await expect(scope.button('Edit update:tool_call*|is:late')).toBeVisible();

  await chip('Text').click();
  await chip('Restore').click({ modifiers: ['Alt'] });
  await expect(scope.button('Edit -window>0')).toBeVisible();
  await expect(chip('Restore')).toHaveAccessibleName(/hidden$/);

  await scope.query('status:failed|type:bad,err');
  await expect(chip('Errors')).toHaveAttribute('aria-pressed', 'true');
  await chip('Errors').click();
  await expect(page.getByText('106 of 106 frames')).toBeVisible();
});

test('a query without a match says so once, with the term to remove and a similar one', async ({
  scope,
}) => {
  const { page } = scope;
  await scope.import('example.acptrace.jsonl', EXAMPLE);
  await scope.row(/^2, /).click();
  await scope.query('kind:reed');
  await expect(page.getByText(/No frame matches\./)).toHaveText(
    /No frame matches\.\s+Without kind:reed there are\s+\d+\.\s+kind:read has \d+\./,
  );
  await expect(page.getByText(/hidden by|No frame has/)).toHaveCount(0);
  await expect(page.getByRole('combobox', { name: 'Query' })).not.toHaveAttribute('aria-invalid');
  await scope.button('Remove it').click();
  await expect(page.getByText('106 of 106 frames')).toBeVisible();
});
