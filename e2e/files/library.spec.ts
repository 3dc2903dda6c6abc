// The library: what a person says of traces, a search over all of them, and what is taken away.
import { expectNoViolation } from '../axe.ts';
import { expect, Scope, test } from '../scope.ts';

/** A recorder's file of so many notes of this text, at this time of day. */
function notes(text: string, many: number): Buffer {
  const lines = Array.from({ length: many }, (_, at) => {
    const params = { text: `${text} ${at + 1}` };
    const raw = JSON.stringify({ jsonrpc: '2.0', method: '_note', params });
    return JSON.stringify({ t: at, dir: 'agent-to-client', raw });
  });
  return Buffer.from(lines.map((line) => `${line}\n`).join(''));
}

async function openAll(scope: Scope, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await scope.import(`${name}.ndjson`, notes(name, 8));
    await expect(scope.runsOf(name)).toBeVisible();
  }
}
/** By "go to anything", as one comes there without a pointer. */
async function goToLibrary({ page }: Scope): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.type('library');
  await expect(page.getByRole('option', { name: 'Library of traces' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await page.keyboard.press('Enter');
  await expect(listOf(page)).toBeFocused();
}
const listOf = (page: Scope['page']) => page.getByRole('tree', { name: 'Traces' });
const about = ({ page }: Scope) => page.getByRole('region', { name: 'Trace', exact: true });

test('Name, tags and note of a trace are there after a reload, in other tabs, and found by the filter', async ({
  scope,
}) => {
  await openAll(scope, ['parrot', 'kettle']);
  await goToLibrary(scope);
  const list = listOf(scope.page);
  await expect(list.getByRole('treeitem')).toHaveCount(2);
  await list.getByRole('treeitem', { name: /parrot/ }).click();
  await scope.page.keyboard.press('Tab');
  await list.focus();
  await scope.page.keyboard.press('e');
  const name = about(scope).getByRole('textbox', { name: 'Name' });
  await expect(name).toBeFocused();
  await name.fill('The parrot');
  await name.press('Tab');
  await scope.page.keyboard.type('Cursor ignored, todo,');
  await scope.button('Add the tag keep', about(scope)).click();
  await about(scope).getByRole('textbox', { name: 'Note' }).fill('See #4.\nAnd the crash.');
  const row = list.getByRole('treeitem', { name: /The parrot/ });
  await expect(row).toContainText('Cursor ignored');
  await expect(row).toContainText('keep');
  await expect(row).toContainText('See #4.');
  await expectNoViolation(scope);

  await scope.page.reload();
  await expect(list.getByRole('treeitem', { name: /The parrot/ })).toContainText('todo');
  await scope.page.getByRole('textbox', { name: 'Filter traces' }).fill('crash keep');
  await expect(list.getByRole('treeitem')).toHaveCount(1);
  await expect(about(scope).getByRole('textbox', { name: 'Note' })).toHaveValue(
    'See #4.\nAnd the crash.',
  );

  await test.step('a wrong one is told, and nothing of it is stored', async () => {
    const tags = about(scope).getByRole('textbox', { name: 'Tags' });
    await tags.fill('x'.repeat(50));
    await expect(about(scope)).toContainText('A tag has at most 40 letters');
    await scope.page.getByRole('textbox', { name: 'Filter traces' }).fill('');
    await tags.fill('');
    await tags.press('Tab');
    await expect(list.getByRole('treeitem', { name: /The parrot/ })).not.toContainText('todo');
  });

  await test.step('another tab follows', async () => {
    const second = new Scope(await scope.page.context().newPage(), scope.relay, scope.watch);
    await second.enter(await scope.relay.freshLink());
    await second.page.getByRole('button', { name: 'Library of traces' }).click();
    await expect(listOf(second.page).getByRole('treeitem')).toHaveCount(2);
    await about(scope).getByRole('textbox', { name: 'Tags' }).fill('again');
    await about(scope).getByRole('textbox', { name: 'Tags' }).press('Enter');
    await expect(listOf(second.page).getByRole('treeitem', { name: /The parrot/ })).toContainText(
      'again',
    );
  });
});

test('A note is not lost where the page is reloaded right behind its last letter', async ({
  scope,
}) => {
  await openAll(scope, ['parrot']);
  await goToLibrary(scope);
  const row = listOf(scope.page).getByRole('treeitem', { name: /parrot/ });
  await row.click();
  const note = about(scope).getByRole('textbox', { name: 'Note' });
  await note.fill('Crashed again.');
  await scope.page.reload();
  await row.click();
  await expect(note).toHaveValue('Crashed again.');
  await expect(row).toContainText('Crashed again.');
});

test('A search over all traces leads to the frame, with the query', async ({ scope }) => {
  await openAll(scope, ['parrot', 'kettle', 'tap']);
  await goToLibrary(scope);
  const list = listOf(scope.page);
  await scope.page.keyboard.press('/');
  const field = scope.page.getByRole('textbox', { name: 'Search their frames' });
  await expect(field).toBeFocused();
  await field.fill('(');
  await field.press('Enter');
  const said = scope.page.getByRole('region', { name: 'Library' });
  await expect(said).toContainText('Nothing was searched.');
  await field.fill('text:"kettle 3" | text:parrot');
  await field.press('Enter');
  await expect(said).toContainText('9 frames in 2 traces');
  await expect(said).toContainText('3 traces searched');
  // Two traces, a frame of one, five and the rest of the other.
  await expect(list.getByRole('treeitem')).toHaveCount(9);
  await expect(list).toContainText('3 more frames');
  await expectNoViolation(scope);

  await list.focus();
  await scope.page.keyboard.press('Home');
  const hit = list.getByRole('treeitem', { name: /kettle 3/ });
  while ((await hit.getAttribute('aria-selected')) !== 'true') await scope.page.keyboard.press('j');
  await scope.page.keyboard.press('Enter');
  await expect(scope.row(/^3, /)).toHaveAttribute('aria-selected', 'true');
  await expect(scope.page).toHaveURL(/#\/trace\/[^/]+\/frame\/3\?q=/);
  await expect.poll(() => scope.counts()).toEqual({ shown: 1, all: 8 });

  await test.step('and back, what was found is still there', async () => {
    await scope.page.goBack();
    await expect(list.getByRole('treeitem')).toHaveCount(9);
    await scope.button('Show all traces again').click();
    await expect(list.getByRole('treeitem')).toHaveCount(3);
  });
  await test.step('the address keeps what is looked for, also where that needs the rules', async () => {
    await field.fill('sev:warning text:"kettle 3"');
    await field.press('Enter');
    await expect(said).toContainText(/0 frames in 0 traces\s*3 traces searched/);
    // The key is heard while the one before is still looked for.
    await field.fill('sev:warning');
    await field.press('Enter');
    await field.fill('method:_note "tap 2"');
    await field.press('Enter');
    await expect(list.getByRole('treeitem')).toHaveCount(2);
    await expect(scope.page).toHaveURL(/#\/library\?q=method/);
    await scope.page.reload();
    await expect(list.getByRole('treeitem')).toHaveCount(2);
    await expect(field).toHaveValue('method:_note "tap 2"');
  });
});

test('A rule shows what goes before it does, keeps what is tagged or open, and can be undone', async ({
  scope,
}) => {
  await openAll(scope, ['one', 'two', 'three', 'four']);
  await goToLibrary(scope);
  const list = listOf(scope.page);
  await list.getByRole('treeitem', { name: /two/ }).click();
  await scope.button('Add the tag keep', about(scope)).click();
  await expect(list.getByRole('treeitem', { name: /two/ })).toContainText('keep');
  // Another tab looks at the first.
  const second = new Scope(await scope.page.context().newPage(), scope.relay, scope.watch);
  await second.enter(await scope.relay.freshLink());
  await second.runsOf('one').click();
  await expect(second.row(/^8, /)).toBeVisible();

  await scope.page.bringToFront();
  await scope.button('Prune…').click();
  const panel = scope.page.getByRole('region', { name: 'Prune by rule' });
  await panel.getByRole('textbox', { name: 'Begun more than' }).fill('soon');
  await expect(panel).toContainText('Write a number of days, like 30, or nothing.');
  await expect(panel).toContainText('Nothing goes');
  await panel.getByRole('textbox', { name: 'Begun more than' }).fill('');
  await panel.getByRole('textbox', { name: 'Larger than' }).fill('0');
  await expect(panel).toContainText('1 trace goes');
  await expect(list.getByRole('treeitem', { name: /three/ })).toContainText('goes');
  await expect(list.getByRole('treeitem', { name: /one/ })).toContainText('open in another tab');
  await expect(list.getByRole('treeitem', { name: /two/ })).toContainText('tagged keep');
  await expect(list.getByRole('treeitem', { name: /four/ })).toContainText('open here');
  await expectNoViolation(scope);

  await scope.button('Delete 1 trace', panel).click();
  await expect(scope.news).toContainText('Deleted 1 trace.');
  await scope.button('Undo', scope.news).click();
  await expect(list.getByRole('treeitem')).toHaveCount(4);

  await scope.button('Prune…').click();
  await panel.getByRole('textbox', { name: 'Begun more than' }).fill('');
  await panel.getByRole('textbox', { name: 'Larger than' }).fill('0');
  await scope.button('Delete 1 trace', panel).click();
  await expect(list.getByRole('treeitem')).toHaveCount(3);
  await expect(second.runsOf('three')).toBeHidden();
});

test('Everything is deleted after it was said what that is', async ({ scope }) => {
  await openAll(scope, ['one', 'two']);
  await goToLibrary(scope);
  await scope.button('Delete all…').click();
  const dialog = scope.page.getByRole('dialog', { name: 'Delete all 2 traces?' });
  await expect(dialog).toContainText('Reports of tests, commands once used, drafts');
  await expect(scope.button('Cancel', dialog)).toBeFocused();
  await expectNoViolation(scope);
  await dialog.getByRole('button', { name: /^Delete 2 traces/ }).click();
  await expect(scope.page.getByText('No trace is stored here yet')).toBeVisible();
  await expect(scope.news).toContainText('Deleted 2 traces.');
  await scope.page.reload();
  await expect(scope.page.getByText('No trace is stored here yet')).toBeVisible();
  await expect(scope.rail).toContainText('None yet');
});
