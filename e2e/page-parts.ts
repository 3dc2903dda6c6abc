// What is on the page, by role and name: where tests look.
import type { Locator, Page } from '@playwright/test';

export class PageParts {
  page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get footer(): Locator {
    return this.page.getByRole('contentinfo');
  }
  /** The menu of the recording, in the bar on top: its words say how it is doing. */
  get recording(): Locator {
    return this.page.getByRole('banner').getByRole('button', { name: /frames?$/ });
  }
  /** Seen once the page has its relay: the bar below says so, or the recording of the open trace. */
  get linked(): Locator {
    const recorded = this.recording.filter({ hasText: /[Rr]ecording|Ended/ });
    return recorded.or(this.footer.filter({ hasText: 'Relay' })).first();
  }
  get rail(): Locator {
    return this.page.getByRole('navigation', { name: 'Connections and traces' });
  }
  get frames(): Locator {
    return this.page.getByRole('treegrid', { name: 'Frames' });
  }
  get detail(): Locator {
    return this.page.getByRole('complementary', { name: 'Detail' });
  }
  /** The connection as a whole, shown while no frame is selected. */
  get connection(): Locator {
    return this.page.getByRole('region', { name: 'Connection', exact: true });
  }
  get transcript(): Locator {
    return this.page.getByRole('region', { name: 'Conversation' });
  }
  /** The session as a client should hold it now. */
  get state(): Locator {
    return this.page.getByRole('complementary', { name: 'State' });
  }
  get findings(): Locator {
    return this.page.getByRole('main').getByRole('region', { name: 'Findings', exact: true });
  }
  /** The finding looked at. */
  get finding(): Locator {
    return this.findings.getByRole('region', { name: 'Finding', exact: true });
  }
  /** The session over all its connections. */
  get session(): Locator {
    return this.page.getByRole('main').getByRole('region', { name: 'Session', exact: true });
  }
  /** The table of tests, and what stands beside it. */
  get tests(): Locator {
    return this.page
      .getByRole('main')
      .getByRole('region', { name: 'Asked of the agent', exact: true });
  }
  /** A suite or a case in it. */
  test(words: string | RegExp): Locator {
    return this.tests.getByRole('tree', { name: 'Cases' }).getByRole('treeitem', { name: words });
  }
  /** What is behind the row of tests that is looked at. */
  get behind(): Locator {
    return this.tests.getByRole('region', { name: 'Behind it' });
  }
  /** The request for a session. */
  get request(): Locator {
    return this.page.getByRole('region', { name: 'Restore request' });
  }
  /** The runs of the session. */
  get results(): Locator {
    return this.session;
  }
  /** Restores in it, without the runs that they are of and what was live. */
  result(words: string | RegExp): Locator {
    return this.results
      .getByRole('treeitem', { name: words })
      .filter({ has: this.page.locator('.restore') });
  }
  get drawer(): Locator {
    return this.page.getByRole('region', { name: 'Drawer' });
  }
  get news(): Locator {
    return this.page.getByRole('status', { name: 'News' });
  }
  get editor(): Locator {
    return this.page.getByRole('textbox', { name: 'Message to send' });
  }
  get remarks(): Locator {
    return this.page.getByRole('group', { name: 'Remarks on the message' });
  }
  /** By its whole name. */
  button(name: string, within: Locator | Page = this.page): Locator {
    return within.getByRole('button', { name, exact: true });
  }
  /** Rows of the timeline whose name has these words: number, side, kind, method, summary, … */
  row(words: string | RegExp): Locator {
    return this.frames.getByRole('row', { name: words });
  }
  /** Goes to Compare, with two traces. */
  async twoTraces(): Promise<void> {
    const views = this.page.getByRole('navigation', { name: 'Views' });
    await views.getByRole('button', { name: 'Compare' }).click();
    await this.compared.getByText('Two traces').click();
  }
  /** Chooses the live session and its replay in Compare. */
  async liveAndReplay(): Promise<void> {
    await this.compared.getByText('Live and replay').click();
  }
  private get compared(): Locator {
    return this.page.getByRole('group', { name: 'What to compare' });
  }

  /** Rows of the rail of the traces of this name, from the top: its runs, or itself without a session. */
  runsOf(name: string): Locator {
    return this.rail.getByRole('treeitem').filter({ has: this.button(`Actions of ${name}`) });
  }

  /** In the open menu: a line, and one of those it leads to. By key: a line that moves cannot be missed. */
  async inMenu(...names: readonly string[]): Promise<void> {
    for (const name of names)
      await this.page.getByRole('menuitem', { name, exact: true }).press('Enter');
  }

  /** Drops a file on the middle of the page. */
  async drop(name: string, bytes: Buffer): Promise<void> {
    const data = await this.page.evaluateHandle(
      ({ name, base64 }) => {
        const transfer = new DataTransfer();
        const content = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
        transfer.items.add(new File([content], name));
        return transfer;
      },
      { name, base64: bytes.toString('base64') },
    );
    for (const type of ['dragenter', 'dragover', 'drop'])
      await this.page.getByRole('main').dispatchEvent(type, { dataTransfer: data });
  }
}
