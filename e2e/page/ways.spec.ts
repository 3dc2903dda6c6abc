// Ways back and forth: out of a pane, from a frame to its connection, between views and tabs.
import { program } from '../relay.ts';
import { expect, test } from '../scope.ts';

test('Esc leads out of a field and a pane, then from the frame to its connection', async ({
  scope,
}) => {
  await scope.startBundled();
  await scope.row(/answer, initialize/).click();
  await scope.detail.getByRole('tab', { name: 'Raw' }).click();
  await scope.page.keyboard.press('Escape');
  await expect(scope.frames).toBeFocused();
  await scope.page.keyboard.press('Escape');
  await expect(scope.connection).toBeVisible();

  await scope.newSession();
  const prompt = scope.page.getByRole('textbox', { name: 'Prompt to the agent' });
  await prompt.fill('not sent');
  await prompt.press('Escape');
  await scope.page.keyboard.press('1');
  await expect(scope.frames).toBeVisible();
});

test('The first screen starts an agent also after a look at another view', async ({ scope }) => {
  await scope.page.keyboard.press('5');
  await expect(scope.page.getByRole('tab', { name: 'Found in this trace' })).toBeVisible();
  await scope.page.getByRole('button', { name: 'ACP Scope' }).click();
  await expect(scope.button('Look for agents again')).toBeVisible();
  await scope.page.keyboard.press('1');
  await scope.startBundled();
});

test('A click on its connection leads back from a frame, and from there to a session', async ({
  scope,
}) => {
  await scope.startBundled();
  await scope.row(/answer, initialize/).click();
  await expect(scope.connection).toBeHidden();
  await scope.runsOf('Bundled agent').click();
  await expect(scope.connection).toContainText(
    /Bundled agent.*c1 idle.*This agent pid \d+, up 0:\d\d/s,
  );
  await scope.createSession();
  await scope.button('Write to S1', scope.connection).click();
  await expect(scope.transcript).toContainText('Nothing said in this session yet.');
});

test('A low panel keeps the capabilities that were used; its session is let go of there', async ({
  scope,
}) => {
  await scope.startBundled({ ask: 'v2' });
  const row = (name: RegExp) => scope.connection.getByRole('row', { name });
  await scope.page.setViewportSize({ width: 1440, height: 760 });
  // Of a new agent all is shown: nothing was used.
  await expect(row(/^delete sessions not asked offered$/)).toBeVisible();
  await scope.createSession();
  await expect(row(/^sessions: new/)).toContainText('1×');
  await expect(row(/^delete sessions/)).toBeHidden();
  const [more] = await scope.connection.getByRole('button', { name: /^\d+ more$/ }).all();
  await more?.click();
  await expect(row(/^delete sessions/)).toBeVisible();

  await scope.button('Close', scope.connection).click();
  await expect(scope.row(/answer, session\/close/)).toBeVisible();
  await expect(scope.button('Write to S1', scope.connection)).toBeHidden();
});

test('The timeline of an ended trace comes back after another view', async ({ scope }) => {
  await scope.startBundled({ permissions: 'allow once' });
  await scope.newSession();
  await scope.prompt('Mend it');
  await scope.turnEnds();
  await scope.kill();
  for (let i = 0; i < 2; i++) {
    await scope.view('Conversation');
    await expect(scope.transcript).toContainText('Mend it');
    await scope.view('Trace');
    // Where it was: at its end.
    await expect(scope.row(/event, exit/)).toBeVisible();
  }
});

test('A tab without a key keeps no other from storing', async ({ scope }) => {
  scope.watch.expect(/401|403/);
  await scope.startBundled({ permissions: 'allow once' });
  const second = await scope.page.context().newPage();
  await second.goto(new URL('/', scope.relay.link).href);
  await expect(second.getByRole('alert')).toContainText('acp-scope open');

  await scope.page.reload();
  await scope.newSession();
  await scope.prompt('Mend it');
  await scope.turnEnds();
  await expect(scope.recording).toContainText(/\d\d frames/);
  await expect(scope.footer).toContainText(/\d\d kB/);
  await second.close();
});

test('a view that is chosen before the trace of the address is there stays', async ({ scope }) => {
  const { page } = scope;
  await scope.startBundled();
  await scope.view('Conversation');
  await expect(page).toHaveURL(/conversation/);
  let start = () => {};
  await page.route(/\/assets\/worker-[\w-]+\.js$/, (route) => {
    start = () => void route.continue();
  });
  await page.reload();
  await scope.view('Trace');
  start();
  await expect(scope.row(/client to agent, request, initialize/)).toBeVisible();
});

test.describe('with an agent that answers no request for a session', () => {
  const mute = [process.execPath, program('raw.mjs'), 'greets'];
  test.use({ relayOptions: { allow: [mute] } });

  test('both views of a session say what it is waited for with', async ({ scope }) => {
    await scope.startCommand(mute);
    await scope.createSession();
    for (const view of ['Conversation', 'Session'] as const) {
      await scope.view(view);
      await expect(
        scope.page.getByRole('heading', { name: 'Waiting for the session' }),
      ).toBeVisible();
      const said = scope.page.getByRole('main').getByRole('status').filter({ hasText: /\S/ });
      await expect(said).toHaveText('The agent has not answered session/new yet, #4.');
    }
  });
});
