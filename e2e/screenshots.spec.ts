// Draws the pictures of the documentation, light and dark. Runs only with ACP_SCOPE_SCREENSHOTS=1:
// the tree stays clean otherwise.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, type Scope } from './scope.ts';
import { smallPng } from './small-png.ts';

// Paths are in the pictures: those of a clone beside the project one works on.
const clone = join(tmpdir(), 'acp-scope');
const project = join(tmpdir(), 'kettle');
test.use({ relayOptions: { bin: join(clone, 'dist-node/acp-scope.js'), cwd: project } });

const inRepository = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

async function draw(scope: Scope, name: string): Promise<void> {
  await scope.page.mouse.move(720, 899);
  for (const colorScheme of ['light', 'dark'] as const) {
    await scope.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const path = inRepository(`docs/images/${name}-${colorScheme}.png`);
    writeFileSync(path, smallPng(await scope.page.screenshot()));
  }
}

test.beforeAll(() => {
  for (const folder of [project, inRepository('docs/images')])
    mkdirSync(folder, { recursive: true });
  for (const folder of ['dist', 'dist-node'])
    cpSync(inRepository(folder), join(clone, folder), { recursive: true });
});
test.afterAll(() => {
  for (const folder of [clone, project]) rmSync(folder, { recursive: true });
});

test('The findings of a lossy restore', async ({ scope }) => {
  test.setTimeout(120_000);
  await scope.startBundled({
    misbehave: 'lossy-replay',
    permissions: 'allow once',
    ask: 'v1',
    cwd: project,
  });
  await scope.newSession();
  await scope.prompt('Dates are one day off');
  await scope.turnEnds();
  await scope.view('Restore');
  await scope.button('List sessions').click();
  await scope.page.getByRole('radio', { name: /Dates are one day off/ }).check();
  await scope.restore('load');
  await scope.view('Findings');
  await scope.findings.getByRole('treeitem', { name: /missing-history/ }).click();
  await draw(scope, 'findings');
});

test('The views, with a restored session', async ({ scope }) => {
  test.setTimeout(120_000);
  const { page } = scope;
  await draw(scope, 'connect');

  await scope.button('Open the example').click();
  await expect(scope.row(/answer, session\/list/)).toBeVisible();
  await page.keyboard.press('ControlOrMeta+j');
  await scope.frames.press('Home');
  await scope.row(/\d, late, agent to client, agent_message/).click();
  await draw(scope, 'trace');
  await page.keyboard.press('ControlOrMeta+j');

  await scope.startBundled();
  await scope.newSession();
  await scope.prompt('Dates are one day off');
  await scope.answer('Allow once');
  await scope.turnEnds();
  await scope.kill();
  await scope.startAgain();
  await scope.view('Restore');
  await scope.button('List sessions').click();
  await page.getByRole('radio', { name: /Dates are one day off/ }).check();
  for (const shape of ['omitted', 'null', 'start', 'unknown']) await scope.restore(shape);
  const candidates = page.getByRole('region', { name: 'Cursor candidates' });
  await candidates
    .getByRole('radio', { name: /messageId/ })
    .first()
    .check();
  await scope.button('Send', page.getByRole('region', { name: 'What will be sent' })).click();
  await expect(scope.results.getByRole('row', { name: /custom/ })).toBeVisible();
  await draw(scope, 'restore');

  await scope.prompt('And what did I ask first?');
  await scope.turnEnds();
  await draw(scope, 'conversation');
});
