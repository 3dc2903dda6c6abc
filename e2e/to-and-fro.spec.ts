// From a frame to the words it said and back, and the address that holds what is shown.
import { readFileSync } from 'node:fs';
import { expect, test, type Scope } from './scope.ts';

const EXAMPLE = readFileSync(new URL('../public/example.acptrace.jsonl', import.meta.url));

/** The words that are lit, as they stand on screen. */
async function lit(scope: Scope): Promise<string> {
  return scope.page.evaluate(() =>
    [...(CSS.highlights.get('frame-words') ?? [])].map((range) => range.toString()).join('|'),
  );
}

test('The words of a selected frame are lit in the conversation, and on screen', async ({
  scope,
}) => {
  const { page } = scope;
  await scope.startBundled({ ask: 'v2' });
  await scope.newSession();
  for (const words of ['quick one', 'quick two', 'quick three', 'quick four']) {
    await scope.prompt(words);
    await scope.turnEnds();
  }
  await scope.selectFrame('update:agent_message_chunk', /agent_message_chunk/);
  await expect(page).toHaveURL(/frame\/\d+/);
  const [, frame] = /frame\/(\d+)/.exec(page.url()) ?? [];
  await scope.view('Conversation');
  await expect.poll(() => lit(scope)).not.toBe('');
  const words = await lit(scope);
  const said = scope.transcript.getByRole('article', { name: /^Agent/ }).first();
  await expect(said).toBeInViewport();
  expect((await said.innerText()).replaceAll('\n', ' ')).toContain(words.split('|')[0]);

  // And back: the first of these words leads to that frame.
  await said
    .locator('p')
    .first()
    .click({ position: { x: 4, y: 6 } });
  await expect(scope.button(`#${frame}`, scope.transcript.getByRole('status'))).toBeVisible();

  // What the playhead stands at is lit as well.
  await scope.button('State here').click();
  await expect(scope.state.getByText('This frame changes')).toBeVisible();
  await expect.poll(() => lit(scope)).toBe(words);
});

test('The address holds playhead, query and panes, over a reload and the way back', async ({
  scope,
}) => {
  const { page } = scope;
  await scope.import('example.acptrace.jsonl', EXAMPLE);
  await expect(page.getByText('106 of 106 frames')).toBeVisible();
  await scope.query('update:agent_message');
  await scope
    .row(/agent_message/)
    .first()
    .click();
  await scope.view('Conversation');
  const playhead = page.getByRole('slider', { name: 'Playhead' });
  await playhead.press('Home');
  await playhead.press('ArrowRight');
  await scope.openDrawer('Waiting');
  await expect(page).toHaveURL(
    /conversation.*frame\/\d+\?q=update%3Aagent_message&at=\d+&drawer=waiting/,
  );
  const address = page.url();
  const where = await playhead.getAttribute('aria-valuetext');

  await page.reload();
  await expect(playhead).toHaveAttribute('aria-valuetext', where ?? '');
  await expect(scope.drawer.getByRole('tab', { name: 'Waiting' })).toBeVisible();
  expect(page.url()).toBe(address);

  await scope.view('Trace');
  await expect(page).toHaveURL(/#\/trace\//);
  await page.goBack();
  await expect(page).toHaveURL(address);
  await expect(playhead).toHaveAttribute('aria-valuetext', where ?? '');

  // What says nothing sensible changes nothing.
  const nonsense = address.replace(/\?.*/, '?at=-1&hide=all&drawer=bin');
  await page.goto(nonsense);
  await expect(playhead).toHaveAttribute('aria-valuetext', 'at the end');
  const far = address.replace(/at=\d+/, 'at=99999999');
  await page.goto(far);
  await expect(page).not.toHaveURL(/at=/);
  await expect(scope.transcript).toBeVisible();
});
