// In place of what writes frames, prompts and restores to send: where a frame is to be edited and sent, its drawer
// says that there is none here; where a session is to be restored, its view.
interface Page {
  readonly panes: { openDrawer(drawer: 'composer'): void };
}

export class Composer {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  fill(): Promise<void> {
    this.#page.panes.openDrawer('composer');
    return Promise.resolve();
  }
}

export class TextDraft {
  readonly open = (): Promise<undefined> => Promise.resolve(undefined);
}

/** No prompt is written, and no file goes along with it. */
export class Attachments {
  readonly open = (): void => undefined;
}

export function restoreSession(page: { view: string }): void {
  page.view = 'session';
}
export const resumeFrom = restoreSession;

/** No agent is here to be tested: Checks says so. */
export function showTest(page: { view: string; test?: string | undefined }): void {
  page.test = 'probes';
  page.view = 'checks';
}

/** Nothing is stored in the browser. */
export class SavedTexts {
  readonly own = [];
}

/** Nobody is asked. */
export class PageConnection {
  readonly problem = undefined;
  readonly ask = (): Promise<void> => Promise.resolve();
  readonly newSession = this.ask;
}

/** One trace, whose agent is gone: it is neither ended nor started again, and no other is opened. */
export class Library {
  readonly imported = undefined;
  readonly importing = undefined;
  readonly stop = (): Promise<void> => Promise.resolve();
  readonly restart = this.stop;
  readonly importFiles = (): Promise<readonly never[]> => Promise.resolve([]);
}
