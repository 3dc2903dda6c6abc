// The timeline's own tools: marks, several frames, spans of time, and a query that stays with its trace.
import { readFileSync } from 'node:fs';
import { expectNoViolation } from '../axe.ts';
import { expect, test } from '../scope.ts';
import { HANDSHAKE, recorded } from '../trace-file.ts';

const EXAMPLE = readFileSync(new URL('../../public/example.acptrace.jsonl', import.meta.url));

test.beforeEach(async ({ scope }) => {
  await scope.import('example.acptrace.jsonl', EXAMPLE);
  await expect(scope.page.getByText('106 of 106 frames')).toBeVisible();
});

test('A mark is set and labelled by key, found by is:marked, and saved behind the trace', async ({
  scope,
}) => {
  const { page } = scope;
  await scope.row(/answer, session\/list/).click();
  await page.keyboard.press('m');
  await page.getByRole('textbox', { name: 'Label' }).fill('why twice?');
  await page.keyboard.press('Enter');
  await expect(scope.row(/marked “why twice\?”/)).toBeVisible();
  await expect(scope.frames).toBeFocused();

  await page.reload();
  await scope.query('is:marked');
  await expect(page.getByText('1 of 106 frames')).toBeVisible();
  await expect(scope.row(/marked “why twice\?”/)).toBeVisible();

  await scope.frames.focus();
  await page.keyboard.press('ControlOrMeta+s');
  const saved = (await scope.save('Everything')).toString();
  expect(saved.startsWith(EXAMPLE.toString())).toBe(true);
  expect(saved.slice(EXAMPLE.toString().length)).toMatch(
    /^\{"type":"mark",.*"label":"why twice\?"\}\n$/,
  );

  await scope.row(/marked/).click();
  await page.keyboard.press('m');
  await expect(page.getByText('0 of 106 frames')).toBeVisible();
  await scope.button('Undo').click();
  await expect(scope.row(/marked “why twice\?”/)).toBeVisible();
});

test('Several frames are summed, and saved as a trace of their own', async ({ scope }) => {
  const { page } = scope;
  await scope.row(/client to agent, request, initialize/).click();
  await page.keyboard.press('Shift+J');
  await page.keyboard.press('Shift+J');
  const several = page.getByRole('region', { name: 'Selected frames' });
  await expect(several).toContainText('3 rows selected');
  await expect(several).toContainText('1 stderr');
  await scope.row(/answer, session\/list/).click({ modifiers: ['ControlOrMeta'] });
  await expect(several).toContainText('4 rows selected');
  await scope.button('Save as a trace file', several).click();
  const lines = (await scope.save('No secrets')).toString().trimEnd().split('\n');
  expect(lines.slice(1).map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual([
    2, 3, 4, 6,
  ]);
  await scope.frames.press('Escape');
  await expect(several).toBeHidden();
});

test('A span drawn in the strip is a term of the query, and the query stays with its trace', async ({
  scope,
}) => {
  const { page } = scope;
  const strip = page.getByRole('slider', { name: 'Playhead' });
  const box = await strip.boundingBox();
  if (!box) throw new Error('The strip is not there.');
  await page.mouse.move(box.x + box.width * 0.5, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.7, box.y + 20, { steps: 4 });
  await page.mouse.up();
  await expect(page.getByTitle(/^\d+ more.* outside time:[\d.]+\.\.[\d.]+$/)).toHaveText(
    /^Show \d+ more$/,
  );

  await scope.import('example.acptrace.jsonl', EXAMPLE);
  await expect(page.getByText('106 of 106 frames')).toBeVisible();
  await scope.runsOf('example').first().click();
  await expect(page.getByRole('button', { name: /^Edit time:[\d.]+\.\.[\d.]+$/ })).toBeVisible();
  await expect(page.getByText('16 of 106 frames')).toBeVisible();
  await strip.dblclick({ position: { x: 200, y: 20 } });
  await expect(page.getByText('106 of 106 frames')).toBeVisible();

  await scope.query('session:S1');
  await scope.button('+ 7 without a session').click();
  await expect(page.getByText('106 of 106 frames')).toBeVisible();
});

test('The strip names what the pointer is on, and a click leads there', async ({ scope }) => {
  const { page } = scope;
  const strip = page.getByRole('slider', { name: 'Playhead' });
  await expect(strip).toContainText('Add a test for the jitter cap');
  await expect(strip.getByRole('img')).toHaveAccessibleName(/1 prompt.*3 replay windows/);
  const box = await strip.boundingBox();
  if (!box) throw new Error('The strip is not there.');
  const prompt = await strip.getByText('Add a test for the jitter cap').boundingBox();
  if (!prompt) throw new Error('The prompt is not in the strip.');
  await page.mouse.move(prompt.x + 20, prompt.y + 5);
  const tip = page.getByText(/^Prompt #\d+ · “Add a test/);
  await expect(tip).toBeVisible();
  await page.mouse.click(prompt.x + 20, prompt.y + 5);
  await expect(scope.frames.getByRole('row', { selected: true })).toHaveAccessibleName(
    /session\/prompt, “Add a test/,
  );
  await page.mouse.move(box.x + 2, box.y + box.height + 200);
  await expect(tip).toBeHidden();

  // No label is cut by the edge or by the next.
  const labels = await strip.locator('.label').evaluateAll((all) =>
    all.map((one) => {
      const { left, right, top } = one.getBoundingClientRect();
      return { left, right, top };
    }),
  );
  expect(labels.length).toBeGreaterThan(2);
  for (const [i, { left, right, top }] of labels.entries()) {
    expect(right).toBeLessThanOrEqual(box.x + box.width);
    for (const other of labels.slice(i + 1))
      expect(other.top !== top || other.left >= right || other.right <= left).toBe(true);
  }
  await expectNoViolation(scope);
});

test('The waterfall shows each row on the time of the strip, and zooms with it', async ({
  scope,
}) => {
  const { page } = scope;
  await expect(page.getByRole('columnheader', { name: 'waterfall' })).toBeHidden();
  await page.setViewportSize({ width: 2560, height: 1200 });
  const head = page.getByRole('columnheader', { name: 'waterfall' });
  await expect(head).toBeVisible();

  /** The part of the width, from 0 to 1, at which the first element begins. */
  const beginOf = (selector: string) =>
    page.evaluate((wanted) => {
      const element = document.querySelector(wanted);
      const around = element?.parentElement?.getBoundingClientRect();
      if (!element || !around) throw new Error(`There is no ${wanted}.`);
      return (element.getBoundingClientRect().left - around.left) / around.width;
    }, selector);
  await scope.frames.focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await expect(scope.row(/^Turn 1,/)).toBeVisible();
  const inStrip = await beginOf('.strip .prompt');
  expect(inStrip).toBeGreaterThan(0.3);
  await expect.poll(() => beginOf('[aria-label^="Turn 1,"] > .fall > i')).toBeCloseTo(inStrip, 1);

  const strip = page.getByRole('slider', { name: 'Playhead' });
  await strip.focus();
  await page.keyboard.press('+');
  await expect(head).toHaveText(/^waterfall \S+ (ms|s) – \S+ (ms|s)$/);
  await page.keyboard.press('0');
  await expect(head).toHaveText('waterfall');
  await expectNoViolation(scope);
});

test('A frame is copied as Markdown: its words, and its line indented', async ({ scope }) => {
  const { page } = scope;
  // The page may not read the clipboard.
  await page.evaluate(() => {
    navigator.clipboard.writeText = (text) => {
      document.documentElement.dataset['copied'] = text;
      return Promise.resolve();
    };
  });
  await scope.row(/^24,/).click({ button: 'right' });
  await scope.inMenu('Copy', 'Copy as Markdown');
  await expect(page.getByText('Copied #24.')).toBeVisible();
  const copied = await page.evaluate(() => document.documentElement.dataset['copied'] ?? '');
  expect(copied).toMatch(/^24, .*user_message.*\n\n```json\n\{\n {2}"jsonrpc": ?"2.0",/);
  expect(copied).toMatch(/\n\}\n```\n$/);
});

test('A frame is taken to a terminal and to a test, and leads to where its turn began', async ({
  scope,
}) => {
  const { page } = scope;
  await page.evaluate(() => {
    navigator.clipboard.writeText = (text) => {
      document.documentElement.dataset['copied'] = text;
      return Promise.resolve();
    };
  });
  const copied = () => page.evaluate(() => document.documentElement.dataset['copied'] ?? '');
  const choose = async (frame: RegExp, ...names: readonly string[]) => {
    await scope.row(frame).click({ button: 'right' });
    await scope.inMenu(...names);
  };
  await choose(/^24,/, 'Copy', 'Copy as CLI command');
  await expect.poll(copied).toBe('acp-scope show example.acptrace.jsonl#24');
  await choose(/^24,/, 'Copy', 'Copy as fixture');
  await expect
    .poll(copied)
    .toMatch(/^\{"t":\d+,"dir":"agent-to-client","raw":"\{\\"jsonrpc.*\}"\}$/);

  await scope.query('turn:1 update:agent_thought_chunk');
  await choose(/agent_thought_chunk/, 'Go to', 'Beginning of its turn');
  await scope.query('');
  await expect(scope.frames.getByRole('row', { selected: true })).toHaveAccessibleName(/^58,/);
});

test('turns and replay windows fold by key and by mouse, and their head stays in sight', async ({
  scope,
}) => {
  const turn = scope.row(/^Turn 1, /);
  await scope.frames.press('Shift+ArrowLeft');
  await expect(turn).toHaveAttribute('aria-expanded', 'false');
  await expect(scope.frames.getByRole('row', { expanded: false })).toHaveCount(4);
  await expect(turn).toHaveAccessibleName(/52 frames, .*3 tools, asked once, end_turn$/);
  await expect(scope.row(/^58,/)).toBeHidden();

  await turn.click();
  await expect(turn).toHaveAttribute('aria-expanded', 'true');
  await expect(scope.row(/^58,/)).toBeVisible();
  await scope.frames.press('End');
  await expect(scope.frames.locator('.stuck')).toContainText('Turn 1');
  await scope.frames.press('ArrowUp');
  await scope.frames.press('ArrowLeft');
  await expect(turn).toHaveAttribute('aria-selected', 'true');
  await scope.frames.press('ArrowLeft');
  await expect(turn).toHaveAttribute('aria-expanded', 'false');

  await scope.query('update:tool_call_update');
  await expect(turn).toHaveAccessibleName(/\d+ match, 52 frames/);
  await scope.query('');
  await scope.button('Unfold all', scope.frames).click();
  await expect(scope.button('Fold all', scope.frames)).toBeVisible();
  await expectNoViolation(scope);
});

test('no id is cut, also that of an answer to nothing', async ({ scope }) => {
  const answer = { id: null, error: { code: -32700, message: 'parse' } };
  await scope.import('null.ndjson', recorded([...HANDSHAKE, ['a', answer]]));
  await expect(scope.row(/parse/)).toBeVisible();
  const id = scope.row(/parse/).locator('.id');
  await expect.poll(() => id.evaluate((e) => e.scrollWidth - e.clientWidth)).toBe(0);
});
