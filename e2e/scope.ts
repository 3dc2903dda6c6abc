// The page as a person uses it: what is on it, by role and name, and what one does there. Each test
// gets a relay, a browser context and a page of its own.
import { readFile, writeFile } from 'node:fs/promises';
import { test as base, expect, type Locator, type Page } from '@playwright/test';
import { PageParts } from './page-parts.ts';
import { freshFolder, Relay, removeFolder, type RelayOptions } from './relay.ts';
import { Watch } from './watch.ts';

export { expect };

interface Fixtures {
  /** How the relay is started. */
  readonly relayOptions: RelayOptions;
  readonly scope: Scope;
  /** A folder for agents to run in. */
  readonly folder: string;
}

export const test = base.extend<Fixtures>({
  relayOptions: [{}, { option: true }],
  // eslint's rule and Playwright agree here: a fixture that needs nothing destructures nothing.
  folder: async ({ browserName: _ }, use) => {
    const folder = freshFolder();
    await use(folder);
    removeFolder(folder);
  },
  scope: async ({ context, page, relayOptions, folder }, use) => {
    // What is allowed is allowed where the relay runs: there tests start their agents.
    const relay = await Relay.start({ cwd: folder, ...relayOptions });
    try {
      const watch = await Watch.over(context, relay.origin);
      // Browsers forget what was loaded beyond the first 250, unless they are told before it is.
      await context.addInitScript(() => performance.setResourceTimingBufferSize(2000));
      const scope = new Scope(page, relay, watch);
      await scope.enter(relay.link);
      await use(scope);
      watch.check();
    } finally {
      await relay.remove();
    }
  },
});

export type Ask = 'highest' | 'v1' | 'v2';
export type Permissions =
  'ask me' | 'allow once' | 'allow always' | 'reject' | 'cancel' | 'never answer';

export interface StartOptions {
  readonly ask?: Ask;
  readonly permissions?: Permissions;
  /** Capabilities to switch on, by the words beside their boxes. */
  readonly advertise?: readonly string[];
  readonly cwd?: string;
  readonly env?: string;
}
export type BundledOptions = StartOptions & { readonly misbehave?: string };

export type View = 'Trace' | 'Conversation' | 'Session' | 'Compare' | 'Checks' | 'Timing';
export type DrawerTab = 'Composer' | 'Waiting' | 'Terminal and stderr';

export class Scope extends PageParts {
  readonly relay: Relay;
  readonly watch: Watch;

  constructor(page: Page, relay: Relay, watch: Watch) {
    super(page);
    this.relay = relay;
    this.watch = watch;
  }

  // ── Coming and going

  async enter(link: string): Promise<void> {
    await this.page.goto(link);
    await expect(this.linked).toBeVisible();
  }
  /** Closes the tab and comes back in a new one. */
  async comeBack(link: string): Promise<void> {
    const context = this.page.context();
    await this.page.close();
    this.page = await context.newPage();
    await this.enter(link);
  }

  /** Until the browser has every view, also those that were not looked at. */
  async scriptsAreKept(): Promise<void> {
    const missing = () =>
      this.page.evaluate(async () => {
        const all = (await (await fetch('/assets.json')).json()) as readonly string[];
        const have = performance.getEntriesByType('resource').map(({ name }) => new URL(name));
        const paths = new Set(have.map(({ pathname }) => pathname));
        return all.length === 0 ? -1 : all.filter((path) => !paths.has(path)).length;
      });
    await expect.poll(missing).toBe(0);
  }

  // ── Places

  /** Goes to a view; what is loaded of it is busy until it is there. */
  async view(name: View): Promise<void> {
    const button = this.page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('button', { name });
    await button.click();
    await expect(button).toHaveAttribute('aria-current', 'page');
  }
  /** What is offered first for these words. */
  async goToAnything(words: string): Promise<void> {
    await this.page.keyboard.press('ControlOrMeta+k');
    await this.page.getByRole('combobox', { name: 'Go to anything' }).fill(words);
    await expect(this.page.getByRole('option', { selected: true })).toContainText(words);
    await this.page.keyboard.press('Enter');
  }
  async checks(part: 'Found in this trace' | 'Asked of the agent'): Promise<void> {
    await this.view('Checks');
    await this.page.getByRole('main').getByRole('tab', { name: part }).click();
  }
  async openDrawer(tab: DrawerTab): Promise<void> {
    const open = this.button('Open the drawer', this.drawer);
    const head = this.drawer.getByRole('tab', { name: tab });
    await head.click();
    await expect(open).toBeHidden();
    await expect(head).toHaveAttribute('aria-selected', 'true');
  }

  // ── Starting agents

  async connectView(): Promise<void> {
    await this.page.getByRole('button', { name: 'ACP Scope' }).click();
    await expect(
      this.page.getByRole('heading', { name: 'See what your agent and your editor send' }),
    ).toBeVisible();
    // Found agents arrive a moment later: until then the bundled agent cannot be started.
    await expect(this.button('Look for agents again')).toBeVisible();
  }

  /** Opens the folder, environment, version, capabilities and answers of the command form. */
  async openOptions(): Promise<void> {
    const group = this.page.getByRole('group', { name: 'Protocol version to ask for' });
    const options = this.page.locator('summary').filter({ hasText: 'Options' });
    if (!(await group.isVisible())) await options.click();
    await expect(group).toBeVisible();
  }

  async choose({ ask, permissions, advertise = [], cwd, env }: StartOptions): Promise<void> {
    await this.openOptions();
    const group = this.page.getByRole('group', { name: 'Protocol version to ask for' });
    if (ask) await group.getByRole('radio', { name: ask }).check({ force: true });
    if (permissions)
      await this.page
        .getByRole('group', { name: 'Who answers permission requests' })
        .getByRole('radio', { name: permissions })
        .check({ force: true });
    for (const capability of advertise)
      await this.page.getByRole('checkbox', { name: new RegExp(`^${capability} `) }).check();
    if (env !== undefined) await this.page.getByRole('textbox', { name: 'Environment' }).fill(env);
    if (cwd !== undefined) await this.page.getByRole('textbox', { name: 'cwd' }).fill(cwd);
  }

  /** Starts the bundled agent by its button, and waits for the handshake. */
  async startBundled(options: BundledOptions = {}): Promise<void> {
    const { misbehave, ...rest } = options;
    await this.connectView();
    if (Object.keys(rest).length > 0) await this.choose(rest);
    if (misbehave !== undefined) await this.pick(/^Fault:/, misbehave);
    await this.button('Start the bundled agent').click();
    await expect(this.row(/answer, initialize/)).toBeVisible();
  }

  /** One of many: by its words alone in the list that this button opens. */
  async pick(button: string | RegExp, words: string): Promise<void> {
    await this.page.getByRole('button', { name: button }).first().click();
    const said = this.page.getByText(words, { exact: true });
    await this.page.getByRole('option').filter({ has: said }).click();
  }

  /** Types a command line, starts it, and waits for the handshake. */
  async startCommand(argv: readonly string[], options: StartOptions = {}): Promise<void> {
    await this.tryCommand(argv, options);
    await expect(this.row(/answer, initialize/)).toBeVisible();
  }
  async tryCommand(argv: readonly string[], options: StartOptions = {}): Promise<void> {
    await this.connectView();
    await this.choose(options);
    const command = argv.map((word) => (/[\s\\]/.test(word) ? `'${word}'` : word)).join(' ');
    await this.page.getByRole('textbox', { name: 'Command' }).fill(command);
    await this.page.getByRole('textbox', { name: 'Command' }).press('Enter');
  }

  async kill(): Promise<void> {
    await this.stopAgent('SIGTERM');
    await expect(this.button('Start again', this.connection)).toBeVisible();
  }
  /** By the menu in the pane of the connection. */
  async stopAgent(
    how: 'Close stdin' | 'SIGTERM' | 'SIGKILL' | 'Close the connection',
  ): Promise<void> {
    await this.showConnection();
    // By key: a click is lost where a banner moves the button between press and release.
    await this.button('Stop', this.connection).press('Enter');
    await this.page.getByRole('menuitem', { name: new RegExp(`^${how}`) }).press('Enter');
  }
  async startAgain(): Promise<void> {
    await this.button('Start again', this.connection).click();
    await expect(this.row(/answer, initialize/)).toBeVisible();
  }

  /** Unselects the frame, so that the pane shows the connection. */
  async showConnection(): Promise<void> {
    await this.view('Trace');
    await this.frames.press('Escape');
    await expect(this.connection).toBeVisible();
  }

  // ── Sessions and turns

  async newSession(): Promise<void> {
    await this.view('Conversation');
    const shown = this.page.getByRole('main').getByLabel(/^Session S\d+: its history/);
    const before = (await shown.count()) > 0 ? await shown.getAttribute('aria-label') : null;
    await this.button('New session').first().click();
    // What is typed before the agent has answered is a draft of the session before.
    if (before !== null) await expect(shown).not.toHaveAttribute('aria-label', before);
    await expect(this.page.getByRole('textbox', { name: 'Prompt to the agent' })).toBeVisible();
  }
  /** From the pane of the connection, as it stands there. */
  async createSession(): Promise<void> {
    await this.button('New session…', this.connection).click();
    await this.button('Create', this.connection).click();
  }
  /** Sends it, and waits until the conversation has it. */
  async prompt(text: string): Promise<void> {
    await this.view('Conversation');
    const said = this.transcript.getByRole('article', { name: /^User/ }).filter({ hasText: text });
    const before = await said.count();
    await this.sendPrompt(text);
    await expect(said.nth(before)).toBeVisible();
  }
  /** Sends it alone: behind it may come more at once than the conversation draws. */
  async sendPrompt(text: string): Promise<void> {
    await this.view('Conversation');
    await this.page.getByRole('textbox', { name: 'Prompt to the agent' }).fill(text);
    await this.button('Send', this.page.getByRole('region', { name: 'Prompt' })).click();
  }
  /** Answers what the agent asks, by the words on the button. */
  async answer(words: string): Promise<void> {
    await this.page
      .getByRole('toolbar', { name: /^Answer / })
      .getByRole('button', { name: new RegExp(`^${words}`), disabled: false })
      .first()
      .click();
  }
  /** Until the turn is over. */
  async turnEnds(): Promise<void> {
    await expect(this.button('Cancel turn')).toBeHidden({ timeout: 30_000 });
  }

  /** A run of tests that was begun. */
  async runEnds(timeout = 30_000): Promise<void> {
    await expect(this.tests.getByRole('button', { name: /^Run \d+ \d+ prompt/ })).toBeVisible({
      timeout,
    });
  }
  /** Picks one of the parts of the restore request. */
  async pickPart(
    part: 'Session' | 'Request' | 'Folder' | 'Connection',
    words: RegExp,
  ): Promise<void> {
    await this.request.getByRole('button', { name: new RegExp(`^${part}:`) }).click();
    await this.page.getByRole('option', { name: words }).first().click();
  }
  /** Asks the agent for its sessions, and chooses the one of these words for a restore. */
  async chooseSession(words: RegExp): Promise<void> {
    await this.view('Session');
    await this.pickPart('Session', /^List sessions/);
    await this.pickPart('Session', words);
  }
  /** The bundled agent with a whole turn behind it, killed, started again, and asked for all of it. */
  async startRestored(options: BundledOptions = {}): Promise<void> {
    await this.startBundled({ permissions: 'allow once', ...options });
    await this.newSession();
    await this.prompt('mend the fault');
    await this.turnEnds();
    await this.kill();
    await this.startAgain();
    await this.chooseSession(/mend the fault/);
    await this.restore('start');
  }
  /** Sends the restore of this shape for the session chosen in the form. */
  async restore(shape: string, cursor?: string): Promise<void> {
    const results = this.result(/./);
    const before = await results.count();
    await this.chooseShape(shape);
    if (cursor !== undefined)
      await this.page.getByRole('textbox', { name: 'replayFrom' }).fill(cursor);
    await this.button('Send', this.request).click();
    await expect(results).toHaveCount(before + 1);
  }
  /** The mark on a result that is not what the protocol makes due. */
  notAsDue(words: RegExp): Locator {
    return this.result(words).getByRole('img', { name: 'Protocol violated' });
  }
  async chooseShape(name: string): Promise<void> {
    await this.pickPart('Request', new RegExp(`^(v\\d )?${name}\\b`));
  }
  /** The part of the request that says what to ask for, if it is this shape. */
  shape(name: string): Locator {
    return this.request.getByRole('button', { name: new RegExp(`^Request: ?(v\\d )?${name}\\b`) });
  }

  // ── Composer

  async template(method: string): Promise<void> {
    await this.button('Template', this.drawer).click();
    const filter = this.page.getByRole('combobox', { name: 'Filter templates' });
    await filter.fill(method);
    await filter.press('Enter');
    await expect(this.editor).toContainText(method);
  }
  /** Puts this text into the composer, in the place of what is there. */
  async write(text: string): Promise<void> {
    await this.editor.click();
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.insertText(text);
  }
  kind(name: 'Request' | 'Notification' | 'Response' | 'Raw line'): Locator {
    return this.drawer
      .getByRole('group', { name: 'Kind of message' })
      .getByRole('radio', { name, exact: true });
  }
  async send(): Promise<void> {
    await this.button('Send', this.drawer).click();
  }

  // ── Frames

  /** Finds the frame by a query, selects it, and shows all frames again. */
  async selectFrame(query: string, words: string | RegExp): Promise<void> {
    await this.query(query);
    await this.row(words).first().click();
    await this.query('');
  }
  /** Asks for the rows of this query, and waits until the rows are those. */
  async query(text: string): Promise<void> {
    await this.askQuery(text);
    await expect(this.frames).not.toHaveAttribute('aria-busy');
  }
  /** Asks alone: a pattern without end is given up after a time. */
  async askQuery(text: string): Promise<void> {
    await this.view('Trace');
    const field = this.page.getByRole('combobox', { name: 'Query' });
    await field.waitFor();
    const clear = this.button('Clear the query');
    if (await clear.isVisible()) await clear.click();
    await field.fill(text);
    await this.page.keyboard.press('Enter');
  }
  /** `12 of 40 frames` → [12, 40]. */
  async counts(): Promise<{ shown: number; all: number }> {
    const words = await this.page.getByText(/[\d,]+ of [\d,]+ frames/).innerText();
    const [shown = 0, all = 0] = (words.match(/[\d,]+/g) ?? []).map((n) =>
      Number(n.replaceAll(',', '')),
    );
    return { shown, all };
  }

  // ── Traces and files

  /** `place`: which one of this name, from the top. */
  async menuOf(name: string, place = 0): Promise<Locator> {
    const line = this.runsOf(name).nth(place);
    await line.focus();
    await this.page.keyboard.press('Shift+F10');
    return this.page.getByRole('menu', { name: `Actions of ${name}` });
  }
  /** The bytes of the file that Save gives, with everything in it. */
  async export(name: string, place = 0): Promise<Buffer> {
    const menu = await this.menuOf(name, place);
    await menu.getByRole('menuitem', { name: 'Save as a file' }).click();
    return this.save('Everything');
  }
  /** What the dialog saves that asks how much of a trace leaves. */
  async save(level: 'Shape' | 'No content' | 'No secrets' | 'Everything'): Promise<Buffer> {
    const dialog = this.page.getByRole('dialog', { name: /^Save/ });
    await dialog.getByText(level, { exact: true }).click();
    await expect(dialog.getByRole('radio', { name: level })).toBeChecked();
    const [download] = await Promise.all([
      // A long trace takes a while to write; the test itself has an end.
      this.page.waitForEvent('download', { timeout: 0 }),
      dialog.getByRole('button', { name: /^Save \d/ }).click(),
    ]);
    return readFile(await download.path());
  }
  async import(name: string, bytes: Buffer): Promise<void> {
    const path = base.info().outputPath(name);
    await writeFile(path, bytes);
    await this.page.getByLabel('Trace files').first().setInputFiles(path);
  }
}
