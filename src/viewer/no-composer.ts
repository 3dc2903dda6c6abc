// In place of what writes frames and prompts to send: where a frame is to be edited and sent, its drawer says that
// there is none here.
interface Page {
  openDrawer(drawer: 'composer'): void;
}

export class Composer {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  fill(): Promise<void> {
    this.#page.openDrawer('composer');
    return Promise.resolve();
  }
}

/** No prompt is written, and no file goes along with it. */
export class Attachments {
  readonly open = (): void => undefined;
}
