// Time travel: the state of a session at a frame in the past, and who waited for whom there.
import type { Locator } from '@playwright/test';
import { expect, test } from '../scope.ts';

for (const ask of ['v1', 'v2'] as const) {
  test(`The state at any frame of a turn, ${ask}`, async ({ scope }) => {
    const { page } = scope;
    await scope.startBundled({ ask });
    await scope.newSession();
    await scope.prompt('Dates are one day off');
    await scope.view('Conversation');
    const ask_ = scope.transcript.getByText(/The agent asks/);
    await expect(ask_).toBeVisible();
    const playback = page.getByRole('region', { name: 'Playback' });
    const playhead = playback.getByRole('slider', { name: 'Playhead' });

    // Before the permission: the prompt waits, nobody asks, and what is another by now says so.
    await playback.getByRole('button', { name: 'An item back' }).click();
    await playhead.press('Home');
    await expect(playhead).toHaveAttribute('aria-valuetext', /frame \d+, 1 of \d+ of the session/);
    await expect(scope.transcript.getByText('Dates are one day off')).toHaveCount(0);
    await playhead.press('End');
    await playhead.press('ArrowLeft');
    await expect(scope.state.getByText('This frame changes')).toBeVisible();

    // At the live end an answer is possible, before it is not.
    await scope.transcript.press('L');
    await expect(scope.button('Allow once').first()).toBeVisible();
    await playback.getByRole('button', { name: 'A frame back' }).click();
    await playback.getByRole('button', { name: 'A frame on' }).click();
    await scope.button('Go to the live end to answer').click();
    await scope.answer('Allow once');
    await scope.turnEnds();
    await playhead.press('Home');
    const answered = scope.transcript.getByText(/Answered at #\d+/);
    // An item on, and time to draw it, until the request is open.
    await expect(async () => {
      if (await answered.isVisible()) return;
      await playhead.press('PageUp');
      throw new Error('The playhead is not there yet');
    }).toPass({ intervals: [250] });
    await expect(scope.button('Allow once')).toHaveCount(0);

    // Playing ends at the last frame.
    await playhead.press('Home');
    await playback.getByRole('radio', { name: 'max' }).check();
    await scope.transcript.press('Space');
    await expect(playhead).toHaveAttribute('aria-valuetext', /(\d+) of \1 of the session/);
    await expect(scope.transcript.getByText('Turn ended')).toBeVisible();
  });
}

test('From a width of 1920 on, the frame at the playhead is read beside the conversation', async ({
  scope,
}) => {
  const { page } = scope;
  await page.setViewportSize({ width: 2000, height: 1000 });
  await scope.startBundled({ ask: 'v2' });
  await scope.newSession();
  await scope.prompt('quick');
  await scope.view('Conversation');
  await scope.turnEnds();
  const whole = page.getByRole('region', { name: 'The whole frame' });
  const playhead = page.getByRole('slider', { name: 'Playhead' });
  for (const key of ['Home', 'ArrowRight', 'PageUp']) {
    await playhead.press(key);
    await expect(async () => {
      const [, at] =
        /frame (\d+),/.exec((await playhead.getAttribute('aria-valuetext')) ?? '') ?? [];
      expect(await whole.getByRole('heading').textContent()).toContain(`#${at}`);
    }).toPass();
  }
  await expect(whole.getByRole('tree')).toContainText('sessionId');
  const widthOf = async (place: Locator) => (await place.boundingBox())?.width ?? 0;
  // What is said ends at 900 pixels: the rest is the frame's, as far as it is read.
  await page.setViewportSize({ width: 2560, height: 1300 });
  await expect.poll(() => widthOf(whole)).toBeGreaterThan(850);
  expect(await widthOf(scope.transcript)).toBeGreaterThan(1100);
  await page.setViewportSize({ width: 1920, height: 1000 });
  await expect.poll(() => widthOf(whole)).toBeLessThan(500);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(whole).toBeHidden();
});

test('From a width of 1920 on, the conversation at the selected frame is read beside the frames', async ({
  scope,
}) => {
  const { page } = scope;
  await page.setViewportSize({ width: 2000, height: 1000 });
  await scope.button('Open the example').click();
  const second = page.getByRole('complementary', { name: 'Second reading' });
  // Nothing was told yet when the restore was asked for.
  await expect(second).toContainText('at #7');
  await expect(second).toContainText('Nothing said in this session yet.');
  await scope.row(/^24,/).click();
  await expect(second.getByRole('article').last()).toContainText('Which file did you change?');
  await expect(second.getByRole('article', { name: /^User, frame 24/ })).toBeInViewport();
  await expect(second.getByText('Here is a short answer')).toHaveCount(0);

  await test.step('V hides it, and shows it again', async () => {
    await scope.frames.press('v');
    await expect(second).toBeHidden();
    await scope.frames.press('v');
    await expect(second).toContainText('at #24');
  });
  await second.getByRole('button', { name: 'Open in Conversation' }).click();
  await expect(page).toHaveURL(/conversation.*at=24/);
  await scope.view('Trace');
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(second).toBeHidden();
});

test('A word knows the frame it came with', async ({ scope }) => {
  await scope.startBundled({ ask: 'v2' });
  await scope.newSession();
  await scope.prompt('quick');
  await scope.view('Conversation');
  await scope.turnEnds();
  await scope.transcript
    .getByRole('article', { name: /^Agent/ })
    .first()
    .locator('p')
    .first()
    .click();
  const card = scope.transcript.getByText('came with');
  await expect(card).toBeVisible();
  await scope.button('State here').click();
  await expect(card).toBeHidden();
  await expect(scope.state.getByText('This frame changes')).toBeVisible();
});

test('Who waits for whom, now and at the playhead', async ({ scope }) => {
  await scope.startBundled({ ask: 'v1' });
  await scope.newSession();
  await scope.prompt('Dates are one day off');
  await scope.view('Conversation');
  await expect(scope.transcript.getByText(/The agent asks/)).toBeVisible();
  await scope.openDrawer('Waiting');
  const open = scope.drawer.getByRole('region', { name: 'Open requests' });
  await expect(open.getByText('session/prompt')).toBeVisible();
  await expect(open.getByText('session/request_permission')).toBeVisible();
  await expect(scope.drawer.getByText(/tools? under way/)).toBeVisible();
  await scope.page.getByRole('slider', { name: 'Playhead' }).press('Home');
  await expect(open.getByText('session/request_permission')).toBeHidden();
  await expect(open.getByText('where the playhead is')).toBeVisible();
});

test('Where a prompt was answered at once, what waits is the turn', async ({ scope }) => {
  await scope.startBundled({ ask: 'v2' });
  await scope.newSession();
  await scope.prompt('Dates are one day off');
  await expect(scope.transcript.getByText(/The agent asks/)).toBeVisible();
  await scope.openDrawer('Waiting');
  const open = scope.drawer.getByRole('region', { name: 'Open requests' });
  await expect(open).toContainText(/A turn runs S1 .*until the agent says idle/);
  await scope.answer('Allow once');
  await scope.turnEnds();
  await expect(open).toContainText('Nobody waits.');
  await expect(open.getByText('A turn runs')).toHaveCount(0);
});

test('The history of a session goes over its connections', async ({ scope }) => {
  const { page } = scope;
  await scope.startBundled({ ask: 'v2' });
  await scope.newSession();
  await scope.prompt('quick');
  await scope.turnEnds();
  await scope.kill();
  await scope.startAgain();
  await scope.chooseSession(/quick/);
  await scope.restore('start');
  await scope.view('Conversation');
  await page.getByRole('button', { name: /its history and restores/ }).click();
  await expect(scope.session.getByRole('treeitem')).toContainText([
    /^\s*c1\b/,
    /c1#\d+\s*session\/new/,
    /c1#\d+\s*live turn 1.*1 prompt/,
    /Ended by us, SIGTERM/,
    /^\s*c2\b.*running/,
    /c2#\d+\s*session\/list/,
    /c2#\d+\s*start.*(identical|equivalent)/,
  ]);
});

test('From the session of an ended agent one step starts it again and sends the restore', async ({
  scope,
}) => {
  await scope.startBundled({ ask: 'v2' });
  await scope.newSession();
  await scope.prompt('quick');
  await scope.turnEnds();
  await scope.kill();
  await scope.rail.getByRole('treeitem', { name: /^S1 / }).click();
  await scope.button('Start again and send', scope.request).click();
  const rows = scope.session.getByRole('treeitem');
  await expect(rows.last()).toHaveText(/c2#\d+\s*start\s*v2.*(identical|equivalent)/);
  await expect(scope.button('Send', scope.request)).toBeVisible();
  await expect(scope.session).toContainText('1 restore');
});
