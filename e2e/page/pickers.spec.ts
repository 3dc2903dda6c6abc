// Where one of many is chosen: a thousand sessions, sixty traces, ten thousand findings.
import { expectNoViolation } from '../axe.ts';
import { expect, test, type Scope } from '../scope.ts';
import { HANDSHAKE, recorded, type Message } from '../trace-file.ts';

const SESSIONS = 1000;
const TRACES = 60;
/** They begin alike, as ids that hold their time do. */
const idOf = (n: number) => `sess_0197fe22-90d3-7c55-8e1b-${String(n).padStart(12, '0')}`;

const manySessions = (): Buffer =>
  recorded([
    ...HANDSHAKE,
    ...Array.from({ length: SESSIONS }, (_, n): readonly Message[] => [
      ['c', { id: n + 1, method: 'session/new', params: { cwd: `/src/p${n}/w`, mcpServers: [] } }],
      ['a', { id: n + 1, result: { sessionId: idOf(n) } }],
    ]).flat(),
  ]);
const manyFindings = (): Buffer =>
  recorded([
    ...HANDSHAKE,
    // Only traces that share a session are read together.
    ['c', { id: 1, method: 'session/load', params: { sessionId: idOf(0), cwd: '/src/p0/w' } }],
    ['a', { id: 1, result: {} }],
    ...Array.from({ length: 10_000 }, (_, n): Message => ['a', { method: `x/m${n}` }]),
  ]);

async function openMany(scope: Scope): Promise<void> {
  const { page, rail } = scope;
  const file = (name: string, buffer: Buffer) => ({
    ...{ name: `${name}.ndjson`, mimeType: 'application/x-ndjson', buffer },
  });
  const small = Array.from({ length: TRACES }, (_, n) =>
    file(`nightly-of-the-agent-run-${100 + n}`, recorded(HANDSHAKE)),
  );
  const input = page.getByLabel('Trace files').first();
  await input.setInputFiles(small);
  await expect(rail.getByText(/^\d+ more: type to find$/)).toHaveText(
    `${TRACES - 20} more: type to find`,
  );
  await input.setInputFiles([file('sessions', manySessions())]);
  await expect
    .poll(() => scope.counts())
    .toEqual({ shown: 2 * SESSIONS + 2, all: 2 * SESSIONS + 2 });
}

test('of many, each place to choose shows the first, says how many more, and finds the rest by typing', async ({
  scope,
}) => {
  const { page, rail } = scope;
  await openMany(scope);
  const options = page.getByRole('option');

  await test.step('the rail', async () => {
    const find = rail.getByRole('textbox', { name: 'Find an agent, session or trace' });
    await rail
      .getByRole('treeitem', { name: /more: type to find/ })
      .last()
      .click();
    await expect(find).toBeFocused();
    await page.keyboard.type('run-107');
    const hits = rail.getByRole('treeitem', { name: /^nightly-of-the-agent-run-/ });
    await expect(hits).toHaveCount(1);
    // Its end is what tells it apart.
    await expect(hits.getByText('-run-107', { exact: true })).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('Escape');
    await expect(find).toHaveValue('');
  });
  await test.step('the sessions of a trace', async () => {
    await scope.view('Session');
    await scope.request.getByRole('button', { name: /^Session:/ }).click();
    // With the one shown, which is the last, and the way to another id.
    await expect(options).toHaveCount(102);
    await expect(page.getByText('899 more: type to find')).toBeAttached();
    await expectNoViolation(scope);
    await page.keyboard.type('/src/p912/w');
    await expect(options).toHaveCount(1);
    await expect(options).toContainText('912');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('S777');
    await expect(options).toHaveCount(1);
    await expect(options).toContainText('776');
    await page.keyboard.press('Enter');
    await expect(scope.request.getByRole('button', { name: /^Session: S777\b/ })).toBeVisible();
  });
  await test.step('the trace to compare with', async () => {
    await scope.twoTraces();
    await page.getByRole('button', { name: /^Right trace:/ }).click();
    await expect(options).toHaveCount(TRACES + 2);
    await page.keyboard.type('run-142');
    await expect(options).toHaveCount(1);
    await page.keyboard.press('Enter');
    await expect(
      page.getByRole('button', { name: /^Right trace: nightly-of-the-agent-run-142/ }),
    ).toBeVisible();
  });
  await test.step('findings, and what is read with them', async () => {
    await scope.import('noise.ndjson', manyFindings());
    await expect.poll(() => scope.counts()).toEqual({ shown: 10_004, all: 10_004 });
    await scope.checks('Found in this trace');
    await expect(scope.findings.getByText('10,000 places')).toBeAttached();
    expect(await scope.findings.getByRole('treeitem').count()).toBeLessThan(100);
    // The file with the session is read with this file until a person says otherwise.
    await scope.findings.getByRole('button', { name: /^Together with c/ }).click();
    await page.keyboard.type('sessions');
    await expect(options).toHaveCount(1);
    await page.keyboard.press('Enter');
    await expect(scope.button('Check together with…', scope.findings)).toBeVisible();
  });
});

test.describe('with forty agents that run', () => {
  /** Answers the handshake, and stays. */
  const agent = [
    ...['sh', '-c'],
    'read -r _; echo "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":0,\\"result\\":{\\"protocolVersion\\":1}}"; cat > /dev/null',
  ];
  test.use({ relayOptions: { allow: [agent] } });

  test('each is found by its number, and one that ended stays where it was', async ({ scope }) => {
    const { page, rail } = scope;
    const rows = rail.getByRole('treeitem', { name: / c\d+ / });
    await scope.startCommand(agent);
    for (let number = 2; number <= 40; number++) {
      await scope.button('Start another', scope.connection).click();
      await expect(rows.first()).toHaveAccessibleName(new RegExp(` c${number} idle`));
    }
    await expect(rows).toHaveCount(20);

    await rail.getByRole('treeitem', { name: '20 more: type to find' }).click();
    await page.keyboard.type('c7');
    await expect(rows).toHaveCount(1);
    await expect(rows).toHaveAccessibleName(/ c7 /);
    await page.keyboard.press('Escape');
    await expect(rows).toHaveCount(20);

    await scope.kill();
    await expect(rows.first()).toHaveAccessibleName(/ c40 ended by us/);

    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('c12');
    await page.keyboard.press('Enter');
    await expect(rows.last()).toHaveAccessibleName(/ c12 /);
    await scope.twoTraces();
    await page.getByRole('button', { name: /^Right trace:/ }).click();
    await expect(page.getByRole('option')).toHaveCount(41);
    await page.keyboard.type('c23');
    await expect(page.getByRole('option')).toHaveCount(1);
  });
});
