// Text a person is writing, kept in the browser's database by a key until it is sent. The worker saves it
// a moment after a key; until it has, the text waits in the browser's small storage, which is written at
// once: a page that is closed under the last key, or a worker that cannot save, loses nothing.
import type { EngineApi } from '../engine/api.ts';

type Drafts = Pick<EngineApi['library'], 'draft' | 'saveDraft'>;

const SAVE_AFTER_MS = 200;
/** Characters that are written at once: the small storage holds some millions in all. */
const MOST_AT_ONCE = 256 * 1024;
const WAITING = 'acp-scope/draft/';

export class TextDraft {
  readonly #drafts: Drafts;
  #key: string | undefined;
  #unsaved: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isWritten = false;

  constructor(drafts: Drafts) {
    this.#drafts = drafts;
  }

  /** Since it was opened, a person has written here. */
  get isWritten(): boolean {
    return this.#isWritten;
  }

  /**
   * Saves what was being written and gives the text kept under another key. Undefined too where it comes
   * too late: a person has written meanwhile, or another was opened.
   */
  async open(key: string): Promise<string | undefined> {
    this.flush();
    this.#key = key;
    this.#isWritten = false;
    const kept = await this.#read(key);
    return this.#isWritten || this.#key !== key ? undefined : kept;
  }

  async #read(key: string): Promise<string | undefined> {
    const waiting = inBrowser((storage) => storage.getItem(WAITING + key)) ?? undefined;
    if (waiting === undefined) return this.#drafts.draft(key);
    // One that still cannot be saved goes on waiting, and can be written on.
    await this.#keep(key, waiting).catch(() => undefined);
    return waiting;
  }

  save(text: string): void {
    this.#isWritten = true;
    this.#unsaved = text;
    if (this.#key !== undefined) wait(this.#key, text.length > MOST_AT_ONCE ? undefined : text);
    // Who types on and on is saved meanwhile.
    this.#timer ??= setTimeout(() => this.flush(), SAVE_AFTER_MS);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#unsaved === undefined || this.#key === undefined) return;
    void this.#keep(this.#key, this.#unsaved);
    this.#unsaved = undefined;
  }

  async #keep(key: string, text: string): Promise<void> {
    try {
      if (!(await this.#drafts.saveDraft(key, text))) return wait(key, text);
    } catch (fault) {
      wait(key, text);
      throw fault;
    }
    // More may have been typed meanwhile.
    if (inBrowser((storage) => storage.getItem(WAITING + key)) === text) wait(key, undefined);
  }
}

/** Undefined: nothing waits any more. */
function wait(key: string, text: string | undefined): void {
  inBrowser((storage) =>
    text === undefined ? storage.removeItem(WAITING + key) : storage.setItem(WAITING + key, text),
  );
}

/** Undefined too where the browser keeps nothing. */
function inBrowser<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}
