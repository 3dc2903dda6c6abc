// One answer: the head of the replay window, Compare and Session show the same word, headline and figures.
import { fileURLToPath } from 'node:url';
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
    const history = page
      .getByRole('complementary', { name: 'Summary' })
      .locator('dl.answer')
      .locator('dd')
      .nth(1);
    await expect(history).toContainText(`${word} ${headline}`);
    await expect(history).toContainText(figures);
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
