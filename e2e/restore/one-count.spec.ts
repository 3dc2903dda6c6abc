// One answer: the head of the replay window, Compare, Session, the rail and the copied report show the same word,
// headline and figures.
import { fileURLToPath } from 'node:url';
import { bundledAgent } from '../relay.ts';
import { expect, test } from '../scope.ts';

const CLAUDE = 'claude-agent-acp/0.100.0';
const CODEX = 'codex-acp/0.16.0';
/** The live session and its replay. */
const PAIRS = [
  [`${CLAUDE}/live-v1.ndjson`, `${CLAUDE}/load-v1.ndjson`],
  [`${CLAUDE}/live-v2.ndjson`, `${CLAUDE}/replay-v2.ndjson`],
  [`${CLAUDE}/turn-v2.acptrace.jsonl`, `${CLAUDE}/resume-start-v2.acptrace.jsonl`],
  [`${CLAUDE}/child-live-v1.ndjson`, `${CLAUDE}/child-load-v1.ndjson`],
  ['claude-code-acp/0.16.2/live-v1.ndjson', 'claude-code-acp/0.16.2/load-v1.ndjson'],
  [`${CODEX}/live-v1.ndjson`, `${CODEX}/load-v1.ndjson`],
  [`${CODEX}/turn-v1.acptrace.jsonl`, `${CODEX}/load-v1.acptrace.jsonl`],
  [`${CODEX}/refused-v1.ndjson`, `${CODEX}/refused-load-v1.ndjson`],
  ['copilot/1.0.102/live-v1.ndjson', 'copilot/1.0.102/load-v1.ndjson'],
  ['gemini-cli/0.61.0/live-v1.ndjson', 'gemini-cli/0.61.0/load-v1.ndjson'],
] as const;

const fixture = (path: string) =>
  fileURLToPath(new URL(`../../src/test/fixtures/${path}`, import.meta.url));

for (const [live, replay] of PAIRS)
  test(`${replay} has one answer in every view`, async ({ scope }) => {
    const { page } = scope;
    for (const path of [live, replay]) {
      await page
        .getByLabel('Trace files')
        .first()
        .setInputFiles([fixture(path)]);
      const name = path.split('/').at(-1)?.split('.')[0] ?? '';
      await expect(page.getByRole('heading', { name: `Trace of ${name}` })).toBeAttached();
    }
    await scope.view('Trace');
    const head = scope.frames.locator('.answer').first();
    await expect(head).toContainText('·');
    const [word = '', headline = '', figures = ''] = (await head.innerText())
      .split('·')
      .map((part) => part.trim());
    expect(figures).toMatch(/^\d/);

    await head.click();
    const answer = page.getByRole('complementary', { name: 'Summary' }).locator('dl.answer');
    for (const part of [word, headline, figures]) await expect(answer).toContainText(part);
    const counts = page.getByRole('group', { name: 'Shown marks' });
    for (const part of figures.split(', ')) {
      const [many = '', ...words] = part.split(' ');
      await expect(counts.locator('label').filter({ hasText: words.join(' ') })).toContainText(
        many,
      );
    }

    await scope.view('Session');
    const row = scope.session
      .getByRole('treeitem')
      .locator('.answer')
      .filter({ hasText: headline });
    await expect(row.first()).toContainText(figures);
  });

const FAULTS = [
  'replay-after-answer',
  'lossy-replay',
  'accepts-unknown-cursor',
  'missing-state-snapshot',
] as const;
const agents = FAULTS.map((fault) =>
  bundledAgent('--seed', '7', '--pace', '0', '--misbehave', fault),
);

test.describe('agents that misbehave', () => {
  test.use({ relayOptions: { allow: agents } });

  test('44 restores have one answer in Session, the rail, Trace, Compare and the report', async ({
    scope,
    folder,
  }) => {
    test.setTimeout(900_000);
    const { page } = scope;
    let restores = 0;
    for (const agent of agents) {
      await scope.startCommand(agent, { ask: 'v2', permissions: 'allow once', cwd: folder });
      await scope.newSession();
      await scope.prompt('mend the fault');
      await scope.turnEnds();
      await scope.view('Session');
      await page.getByRole('button', { name: /^Send all/ }).click();
      const rows = scope.result(/./);
      await expect(rows).toHaveCount(11, { timeout: 120_000 });
      await expect(scope.request.getByRole('button', { name: /^Send all \d+/ })).toBeVisible();
      // Until each restore was compared, its row has no answer.
      await expect(rows.locator('.answer b')).toHaveCount(11);
      await page.evaluate(() => {
        navigator.clipboard.writeText = (text) => {
          document.body.dataset['copied'] = text;
          return Promise.resolve();
        };
      });
      await scope.button('Share…').click();
      await scope.inMenu('Copy report of the restores as text');
      const copied = page.locator('body');
      await expect(copied).toHaveAttribute('data-copied', /./);
      const report = (await copied.getAttribute('data-copied')) ?? '';
      await copied.evaluate((body) => delete body.dataset['copied']);
      const answers = await rows.evaluateAll((all) =>
        all.map((row) => ({
          run: /c\d+(?=#)/.exec(row.textContent)?.[0] ?? '',
          parts: (row.querySelector<HTMLElement>('.answer')?.innerText ?? '')
            .split(' · ')
            .map((part) => part.trim()),
        })),
      );
      for (const { run, parts } of answers) {
        restores++;
        const [word = '', headline = '', figures = ''] = parts;
        for (const part of parts) expect(report, run).toContain(part);
        const isRejected = headline.startsWith('Rejected');
        const line = scope.rail.getByRole('treeitem', { name: new RegExp(`\\b${run}\\b`) });
        await expect(async () => {
          const more = scope.rail.getByRole('treeitem', { name: /^\d+ more/, expanded: false });
          if (!(await line.isVisible())) await more.first().click({ timeout: 1000 });
          await expect(line).toBeVisible({ timeout: 500 });
        }).toPass();
        await expect(line).toContainText(isRejected ? 'rejected' : word);
        await line.click();
        await scope.view('Trace');
        const head = scope.frames.locator('.answer').first();
        if (await head.isVisible()) await expect(head).toContainText(headline);
        await scope.view('Compare');
        const answer = page.getByRole('complementary', { name: 'Summary' }).locator('dl.answer');
        for (const part of [word, headline, figures]) await expect(answer).toContainText(part);
      }
    }
    expect(restores).toBe(44);
  });
});
