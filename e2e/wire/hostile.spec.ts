// An agent that asks for what no agent should: the page goes on, and so does the session.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { program } from '../relay.ts';
import { expect, test } from '../scope.ts';

const hostile = [process.execPath, program('hostile.mjs')];
const HUGE = { type: 'text', text: 'tea '.repeat(12_500_000) };
const asking = [process.execPath, program('asking.mjs')];
test.use({
  relayOptions: {
    allow: [
      { argv: hostile, roots: ['.'], terminals: true },
      { argv: asking, roots: [] },
    ],
  },
});

test('attack row 4 (S-04, S-05): numbers that JSON cannot hold and their like are answered, and the session goes on', async ({
  scope,
  folder,
}) => {
  await scope.connectView();
  await scope.choose({ advertise: ['terminal'] });
  await scope.page
    .getByRole('group', { name: 'Commands of v1 terminal/create' })
    .getByRole('radio', { name: 'run' })
    .check({ force: true });
  await scope.startCommand(hostile, {
    ask: 'v1',
    permissions: 'allow once',
    advertise: ['fs.readTextFile', 'fs.writeTextFile'],
    cwd: folder,
  });
  await scope.newSession();
  const said = scope.transcript.getByText(/25 of 25 answered: [-\d ]+$/);
  for (const times of [1, 2, 3]) {
    await scope.prompt(`round ${times}`);
    await scope.turnEnds();
    await expect(said).toHaveCount(times);
    await expect(scope.page.getByText(/lost the relay|closed the link/)).toHaveCount(0);
    // The page kept its key: it comes back by itself.
    if (times === 2) await scope.page.reload();
  }
});

test('attack row 14 (S-12, S-13): of ten thousand questions a hundred wait, the rest is answered cancelled, and a person is told', async ({
  scope,
  folder,
}) => {
  await scope.startCommand(asking, { ask: 'v1', permissions: 'ask me', cwd: folder });
  await scope.newSession();
  // Of ten thousand cards the end is drawn: the prompt above them may never be.
  await scope.sendPrompt('go');
  // The notice leaves after ten seconds, and a slow machine draws the end of the turn later.
  await expect(
    scope.page.getByText(/More than 100 permission requests of this agent wait/),
  ).toBeVisible();
  // Twenty thousand frames: a busy machine takes its time.
  await expect(scope.transcript).toContainText('prompt 1: 0 answered', { timeout: 100_000 });
  await scope.openDrawer('Waiting');
  const questions = scope.drawer.getByRole('group', { name: /^Agent session\/request_permission/ });
  await expect(questions).toHaveCount(100);
  await expect(scope.drawer).not.toContainText('wait behind these');
  const first = questions.first();
  await expect(first).toContainText('Call 0');
  const answers = first.getByRole('toolbar', { name: /^Answer session\/request_permission/ });
  const words = await answers.getByRole('button').allInnerTexts();
  expect(words.slice(0, 3).map((text) => text.replace(/\s+/g, ' '))).toEqual([
    expect.stringMatching(/^Allow once ?“Allow” ?Y$/),
    expect.stringMatching(/^Reject once ?“Reject” ?N$/),
    expect.stringMatching(/^Allow always ?“Reject” ?A$/),
  ]);
  // What is pressed the moment a question comes up was meant for what stood there before.
  await scope.page.evaluate(() => {
    const seen = new Set(document.querySelectorAll('.ask'));
    new MutationObserver(() => {
      for (const ask of document.querySelectorAll('.ask')) {
        if (seen.has(ask)) continue;
        seen.add(ask);
        for (const button of ask.querySelectorAll('button'))
          if (/^(?:Allow|Reject)/.test(button.textContent.trim()))
            setTimeout(() => {
              document.body.dataset['pressed'] = 'yes';
              button.click();
            }, 300);
      }
    }).observe(document.body, { childList: true, subtree: true });
  });
  await first.getByRole('button', { name: /^Reject/, disabled: false }).click();
  await expect(first).toContainText('Call 1');
  await expect(questions).toHaveCount(99);
  await scope.prompt('one more');
  await scope.turnEnds();
  await expect(scope.transcript).toContainText('prompt 2: 9901 answered');
  await expect(questions).toHaveCount(100);
  await expect(scope.page.locator('body')).toHaveAttribute('data-pressed', 'yes');
  await expect(answers.first().getByRole('button').and(scope.page.locator(':focus'))).toHaveCount(
    0,
  );
  await scope.prompt('how many?');
  await scope.turnEnds();
  await expect(scope.transcript).toContainText('prompt 3: 9901 answered');
});

interface Own {
  /** Characters of the longest text that the page's own thread parsed. */
  parsed: number;
  /** What its worker handed it of more than a megabyte, and of less. */
  large: number;
  small: number;
  /** Its longest task, ms: a fact of the machine too. */
  task: number;
}

const MEGABYTE = 1024 * 1024;
/** How much of the work falls to the page's own thread. */
const WATCH_OWN = `
  const own = (window.own = { parsed: 0, large: 0, small: 0, task: 0 });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) own.task = Math.max(own.task, duration);
  }).observe({ type: 'longtask' });
  const parse = JSON.parse;
  JSON.parse = (text, ...more) => {
    own.parsed = Math.max(own.parsed, String(text).length);
    return parse(text, ...more);
  };
  const sizeOf = (value) => {
    if (typeof value === 'string') return value.length;
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return value.byteLength;
    if (typeof value !== 'object' || value === null) return 0;
    const all = value instanceof Map ? [...value.entries()] : Object.values(value);
    return all.reduce((sum, one) => sum + sizeOf(one), 0);
  };
  window.Worker = class extends Worker {
    constructor(...given) {
      super(...given);
      const note = ({ data }) => own[sizeOf(data) > ${MEGABYTE} ? 'large' : 'small']++;
      this.addEventListener('message', note);
    }
  };`;

test('S-15: of a string of fifty megabytes the page draws a beginning, in every tab of its detail, and its own thread parses none of it', async ({
  scope,
  folder,
}) => {
  await scope.page.addInitScript(WATCH_OWN);
  await scope.page.reload();
  const path = join(folder, 'huge.acptrace.jsonl');
  const text = JSON.stringify({
    jsonrpc: '2.0',
    method: 'session/update',
    params: { sessionId: 's', update: { sessionUpdate: 'agent_message_chunk', content: HUGE } },
  });
  writeFileSync(
    path,
    [
      { format: 'acptrace', version: 1, created: '2026-01-01T00:00:00Z', tool: 'test' },
      { type: 'frame', seq: 1, at: 1, from: 'agent', line: { text }, origin: 'peer' },
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
  const { page } = scope;
  await page.getByLabel('Trace files').first().setInputFiles(path);
  await scope.row(/agent_message_chunk/).click();
  const drawn = () => page.evaluate(() => document.body.textContent.length);
  const own = () => page.evaluate(() => (window as unknown as { own: Own }).own);
  for (const tab of ['JSON', 'Raw']) {
    await scope.detail.getByRole('tab', { name: tab }).click();
    await expect(scope.detail).toContainText('agent_message_chunk');
    expect(await drawn()).toBeLessThan(200_000);
  }
  // The line itself, once, whichever tab shows it.
  expect((await own()).large).toBe(1);
  await scope.view('Conversation');
  await expect(scope.transcript).toContainText('tea tea');
  expect(await drawn()).toBeLessThan(200_000);
  const { parsed, large, small, task } = await own();
  test.info().annotations.push({ type: 'longest task', description: `${task} ms` });
  expect(parsed).toBeLessThan(MEGABYTE);
  expect(small).toBeGreaterThan(10);
  // And what the message says, as a step of the turn and as its text.
  expect(large).toBeLessThanOrEqual(3);
});
