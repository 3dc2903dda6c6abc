// The main job by one who has a keyboard and nothing else: nothing here is clicked, nothing is given the
// focus but by a key.
import { readFile } from 'node:fs/promises';
import type { Locator } from '@playwright/test';
import { expect, test, type Scope } from '../scope.ts';
import { isWhole } from '../trace-file.ts';

class Hands {
  readonly scope: Scope;
  constructor(scope: Scope) {
    this.scope = scope;
  }
  get focused(): Locator {
    return this.scope.page.locator(':focus');
  }
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.scope.page.keyboard.press(key);
  }
  type(text: string): Promise<void> {
    return this.scope.page.keyboard.type(text);
  }
  /** By "go to anything", as one would who knows no other key. */
  async go(words: string): Promise<void> {
    const { page } = this.scope;
    await this.press('ControlOrMeta+k');
    await expect(page.getByRole('combobox', { name: 'Go to anything' })).toBeFocused();
    await this.type(words);
    await expect(page.getByRole('option', { selected: true })).toContainText(words);
    await this.press('Enter');
    await expect(page.getByRole('dialog', { name: 'Go to anything' })).toBeHidden();
  }
  /** With Tab from stop to stop, and with an arrow along each row of buttons. */
  async to(name: RegExp): Promise<void> {
    const there = () =>
      this.scope.page.evaluate(() => {
        const here = document.activeElement;
        if (!here || here === document.body) return undefined;
        const field = here instanceof HTMLInputElement ? here.labels?.[0] : undefined;
        const words = here.getAttribute('aria-label') ?? (field ?? here).textContent;
        const isButton = here.matches(':is(button, a, summary):not([role=tab])');
        return {
          words: words.trim().replace(/\s+/g, ' '),
          isButton,
          at: [...document.querySelectorAll('*')].indexOf(here),
        };
      });
    const MOST = 60;
    for (let stop = 0; stop < MOST; stop++) {
      await this.press('Tab');
      let here = await there();
      for (let before = -1; here?.isButton && here.at !== before; here = await there()) {
        if (name.test(here.words)) return;
        before = here.at;
        await this.press('ArrowRight');
      }
      if (here && name.test(here.words)) return;
    }
    throw new Error(`Neither Tab nor an arrow leads to ${name}`);
  }
  async pressAt(name: RegExp): Promise<void> {
    await this.to(name);
    await this.press('Enter');
  }
}

test('the main job by keys alone, from the first agent to a file of what it did', async ({
  scope,
}) => {
  const { page } = scope;
  const hands = new Hands(scope);
  const { focused } = hands;

  await test.step('start the bundled agent, with a fault', async () => {
    await hands.go('Connect an agent');
    await hands.pressAt(/^Fault: none/);
    await expect(page.getByRole('combobox', { name: 'Find a fault' })).toBeFocused();
    await hands.type('replay-after-answer');
    await hands.press('Enter');
    await expect(page.getByRole('button', { name: 'Fault: replay-after-answer' })).toBeFocused();
    await hands.pressAt(/^Start the bundled agent/);
    await expect(scope.row(/answer, initialize/)).toBeVisible();
  });

  await test.step('a new session, and a prompt', async () => {
    await hands.go('Show conversation');
    await hands.pressAt(/^New session/);
    const prompt = page.getByRole('textbox', { name: 'Prompt to the agent' });
    await expect(prompt).toBeVisible();
    await hands.to(/^Prompt to the agent/);
    await hands.type('mend the fault');
    await hands.press('ControlOrMeta+Enter');
    await expect(scope.transcript).toContainText('The agent asks');
  });

  await test.step('answer what it asks, in Waiting', async () => {
    await hands.go('Open waiting');
    const allow = scope.drawer.getByRole('button', { name: /^Allow once/ });
    await expect(allow).toBeVisible();
    await hands.to(/^Allow once/);
    // Answers are shut for a moment, so that none is given by a key meant for something else.
    await expect(focused).toBeEnabled();
    // A letter leads to an answer, and gives none.
    for (const [letter, words] of [
      ['n', /^Reject once/],
      ['n', /^Reject always/],
      ['n', /^Reject once/],
      ['a', /^Allow always/],
      ['y', /^Allow once/],
    ] as const) {
      await hands.press(letter);
      await expect(focused).toHaveAccessibleName(words);
    }
    await hands.press('Enter');
    await hands.go('Show conversation');
    await expect(scope.transcript).toContainText(/Answered at #\d+: allow once/i);
    await scope.turnEnds();
  });

  await test.step('kill it, and start it again', async () => {
    await hands.go('SIGTERM');
    await expect(scope.rail).toContainText('ended by');
    await hands.go('Show trace');
    await hands.press('Escape');
    await hands.go('Start the agent again');
    await expect(scope.rail.getByRole('treeitem', { selected: true })).toContainText('c2');
    await expect(scope.row(/answer, initialize/)).toBeVisible();
  });

  await test.step('restore the session from a cursor', async () => {
    await hands.press('3');
    await hands.pressAt(/^Session:/);
    await hands.press('ArrowDown');
    await expect(page.getByRole('option', { selected: true })).toContainText('List sessions');
    await hands.press('Enter');
    // The list is closed, and the focus is at its button again.
    await expect(focused).toHaveAccessibleName(/^Session: .*mend the fault/);
    await hands.to(/^Everything/);
    await hands.press('ArrowDown');
    await expect(page.getByRole('radio', { name: 'From a message…' })).toBeChecked();
    await hands.pressAt(/^Values/);
    await expect(page.getByRole('dialog', { name: 'Cursor candidates' })).toBeVisible();
    await hands.type('messageId');
    await hands.press('Enter');
    await expect(page.getByRole('textbox', { name: 'replayFrom' })).toHaveValue(/msg_/);
    await hands.press('ControlOrMeta+Enter');
    await expect(scope.result(/messageId/)).toHaveCount(1);
  });

  await test.step('what came back, held against what was said live', async () => {
    await hands.press('4');
    await expect(page.getByRole('treegrid', { name: 'Live and replayed' })).toBeFocused();
    await expect(page.getByRole('complementary', { name: 'Summary' })).toContainText(
      /late|incomplete/,
    );
  });

  await test.step('a finding, and its frame', async () => {
    await hands.press('5');
    const findings = page.getByRole('tree', { name: 'Findings' });
    await expect(findings).toBeFocused();
    await expect(findings.getByRole('treeitem').first()).toBeVisible();
    await hands.press('Home', 'x');
    await expect(scope.frames).toBeFocused();
    const row = scope.frames.locator('[aria-selected=true]');
    await expect(row).toHaveAccessibleName(/error|warning|hint/);
  });

  await test.step('the frames that came late, by a query', async () => {
    await hands.press('/');
    await expect(page.getByRole('combobox', { name: 'Query' })).toBeFocused();
    await hands.type('is:late');
    await hands.press('Enter', 'Escape');
    await expect(scope.frames).toBeFocused();
    await expect.poll(async () => (await scope.counts()).shown).toBeGreaterThan(0);
    await hands.press('Home', 'Enter');
    await expect(scope.detail.locator(':focus')).toBeVisible();
  });

  await test.step('two traces beside each other', async () => {
    await hands.press('Escape', '4');
    await hands.to(/^Live and replay/);
    await hands.press('ArrowRight');
    await expect(page.getByRole('radio', { name: 'Two traces' })).toBeChecked();
    await hands.pressAt(/^Compare Bundled agent/);
    await expect(page.getByRole('treegrid', { name: 'Left and right' })).toBeVisible();
    await hands.press('n');
  });

  await test.step('the trace as a file', async () => {
    await hands.go('Save the trace as a file');
    const dialog = page.getByRole('dialog', { name: /^Save/ });
    await expect(dialog).toBeVisible();
    await hands.to(/^No secrets|^Everything/);
    await hands.press('ArrowDown');
    await expect(dialog.getByRole('radio', { name: 'Everything' })).toBeChecked();
    await hands.to(/^Save \d/);
    const saved = page.waitForEvent('download');
    await hands.press('Enter');
    const bytes = await readFile(await (await saved).path());
    expect(isWhole(bytes)).toBe(true);
  });
});
