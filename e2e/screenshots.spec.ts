// Draws the pictures of the documentation, light and dark. Runs only with ACP_SCOPE_SCREENSHOTS=1:
// the tree stays clean otherwise.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, type Scope } from './scope.ts';
import { smallPng } from './small-png.ts';

// Paths are in the pictures: those of a clone beside the project one works on.
const clone = join(tmpdir(), 'acp-scope');
const project = join(tmpdir(), 'kettle');
test.use({ relayOptions: { bin: join(clone, 'dist-node/acp-scope.js'), cwd: project } });

// One after the other: they share the clone.
test.describe.configure({ mode: 'default' });

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

test('The findings of a lossy restore, and how faithful it is', async ({ scope }) => {
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
  await scope.chooseSession(/Dates are one day off/);
  await scope.restore('load');
  await scope.checks('Found in this trace');
  await scope.findings.getByRole('treeitem', { name: /missing-history/ }).click();
  await draw(scope, 'findings');
  await scope.view('Compare');
  await expect(scope.page.getByRole('complementary', { name: 'Summary' })).toContainText(
    'incomplete',
  );
  await draw(scope, 'fidelity');
});

test('What probes and the resume lab tell of an agent that loses history', async ({ scope }) => {
  test.setTimeout(600_000);
  const { page } = scope;
  const run = async (view: string) => {
    await scope.goToAnything(view);
    await scope.tests.getByRole('button', { name: /^Run \d+ \d+ prompts/ }).click();
    await page.getByRole('button', { name: /^Send \d+ prompts$/ }).click();
    await expect(scope.tests.getByRole('button', { name: /^Stop the run/ })).toBeVisible();
    await scope.runEnds(280_000);
  };
  await scope.startBundled({ misbehave: 'lossy-replay', ask: 'v1', cwd: project });
  await run('Probe this agent…');
  await scope
    .test(/^load.* fail/)
    .first()
    .click();
  await draw(scope, 'probes');
  await scope.view('Trace');
  await scope.runsOf('Bundled agent').first().click();
  await run('Run the resume lab…');
  await scope.tests
    .getByRole('button', { name: /fail lossy/ })
    .first()
    .click();
  await draw(scope, 'lab');
});

test('A scenario that an agent fails, and the smallest trace that still does', async ({
  scope,
}) => {
  test.setTimeout(120_000);
  const { page } = scope;
  await scope.startBundled({ misbehave: 'replay-after-answer', ask: 'v2', cwd: project });
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Go to anything' }).fill('scenario…');
  await page.keyboard.press('Enter');
  await page
    .getByLabel('Scenario file')
    .setInputFiles(inRepository('docs/crash-and-resume.scenario.json'));
  await scope.button('Run 1 1 prompt').click();
  await scope.button('Send 1 prompt').click();
  const late = page.getByRole('listitem').filter({ hasText: 'none(is:late)' });
  await late.getByRole('button', { name: 'Smallest trace that fails' }).click({ timeout: 60_000 });
  await expect(late).toContainText('What is left still fails');
  await draw(scope, 'scenario');
});

test('Two versions of one agent, and several agents', async ({ scope }) => {
  test.setTimeout(120_000);
  const { page } = scope;
  const recorded = [
    ['claude-code-acp/0.16.2', 'claude-code 0.16.2'],
    ['claude-agent-acp/0.100.0', 'claude-agent 0.100.0'],
    ['opencode/1.18.33', 'opencode 1.18.33'],
    ['codex-acp/0.16.0', 'codex 0.16.0'],
  ] as const;
  for (const [path, name] of recorded) {
    const buffer = readFileSync(inRepository(`src/test/fixtures/${path}/live-v1.ndjson`));
    const file = { name: `${name}.ndjson`, mimeType: 'application/x-ndjson', buffer };
    await page.getByLabel('Trace files').first().setInputFiles([file]);
    await expect(page.getByRole('heading', { name: `Trace of ${name}` })).toBeAttached();
  }
  const choose = async (side: 'Left' | 'Right', name: string) => {
    await page.getByRole('button', { name: new RegExp(`^${side} trace:`) }).click();
    await page.getByRole('option', { name: new RegExp(` ${name} `) }).click();
  };
  await scope.twoTraces();
  await choose('Left', recorded[0][1]);
  await choose('Right', recorded[1][1]);
  const rows = page.getByRole('treegrid', { name: 'Left and right' });
  await expect(rows.getByRole('row', { name: /mcp__acp__Read/ }).first()).toBeVisible();
  await rows.focus();
  for (let step = 0; step < 9; step++) await page.keyboard.press('n');
  await page.keyboard.press('ArrowRight');
  await expect(rows.getByRole('row', { expanded: true, selected: true })).toBeVisible();
  await page.getByRole('group', { name: 'Layout' }).getByText('Side by side').click();
  await draw(scope, 'diff');
});

test('The views, with a restored session', async ({ scope }) => {
  test.setTimeout(120_000);
  const { page } = scope;
  await draw(scope, 'connect');

  await scope.button('Open the example').click();
  await expect(scope.row(/answer, session\/list/)).toBeVisible();
  await scope.frames.press('Home');
  await scope.row(/\d, late, agent to client, agent_message/).click();
  await expect(page.getByText('1 of 3 found.')).toBeVisible();
  await draw(scope, 'trace');

  await scope.startBundled();
  await scope.newSession();
  await scope.prompt('Dates are one day off');
  await scope.answer('Allow once');
  await scope.turnEnds();
  await scope.kill();
  await scope.startAgain();
  await scope.chooseSession(/Dates are one day off/);
  for (const shape of ['omitted', 'null', 'start', 'unknown']) await scope.restore(shape);
  await scope.chooseShape('custom');
  await scope.button('Values').click();
  await page
    .getByRole('option', { name: /^messageId/ })
    .first()
    .click();
  await scope.button('Send', scope.request).click();
  await expect(scope.result(/custom/)).toBeVisible();
  await draw(scope, 'restore');

  await scope.prompt('And what did I ask first?');
  await scope.turnEnds();
  await draw(scope, 'conversation');
});

test('A recording played as the agent', async ({ scope }) => {
  const file = inRepository('src/test/fixtures/opencode/1.18.33/turn-v1.acptrace.jsonl');
  await scope.page.getByLabel('Trace files').first().setInputFiles(file);
  await expect(scope.row(/request, initialize/)).toBeVisible();
  await scope.page.keyboard.press('ControlOrMeta+k');
  await scope.page.getByRole('combobox', { name: 'Go to anything' }).fill('run this recording');
  await scope.page.keyboard.press('Enter');
  await scope.page.getByText('The agent, to a live client').click();
  await scope.button('Play it here').click();
  for (const method of ['session/new', 'session/prompt']) {
    await scope.button(`Compose ${method}`).click();
    await scope.send();
    await expect(scope.button(`Compose ${method}`)).toBeHidden();
  }
  await scope.write(
    '{"jsonrpc":"2.0","id":3,"method":"session/set_mode","params":{"modeId":"plan"}}',
  );
  await scope.send();
  await expect(scope.page.getByRole('region', { name: 'Not as recorded' })).toBeVisible();
  await draw(scope, 'replay');
});
