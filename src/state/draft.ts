// Text a person is writing, kept in the browser's database by a key until it is sent: saved a
// moment after the last key, and at once when the page goes away. What the worker cannot save waits
// in the tab's own storage, which a reload leaves as it is.
import type { LibraryApi } from '../engine/api.ts';

type Drafts = Pick<LibraryApi, 'draft' | 'saveDraft'>;

const SAVE_AFTER_MS = 200;
const WAITING = 'acp-scope/draft/';

export class TextDraft {
  readonly #drafts: Drafts;
  #key: string | undefined;
  #unsaved: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(drafts: Drafts) {
    this.#drafts = drafts;
  }

  /** Saves what was being written and gives the text kept under another key. */
  async open(key: string): Promise<string | undefined> {
    this.flush();
    this.#key = key;
    const waiting = inTab((storage) => storage.getItem(WAITING + key)) ?? undefined;
    if (waiting === undefined) return this.#drafts.draft(key);
    await this.#drafts.saveDraft(key, waiting);
    inTab((storage) => storage.removeItem(WAITING + key));
    return waiting;
  }

  save(text: string): void {
    this.#unsaved = text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), SAVE_AFTER_MS);
  }

  flush(): void {
    clearTimeout(this.#timer);
    if (this.#unsaved === undefined || this.#key === undefined) return;
    void this.#keep(this.#key, this.#unsaved);
    this.#unsaved = undefined;
  }

  async #keep(key: string, text: string): Promise<void> {
    try {
      await this.#drafts.saveDraft(key, text);
    } catch (fault) {
      inTab((storage) => storage.setItem(WAITING + key, text));
      throw fault;
    }
  }
}

/** Undefined too where the browser keeps nothing. */
function inTab<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}
