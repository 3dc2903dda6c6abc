// Text a person is writing, kept in the browser's database by a key until it is sent: saved a
// moment after the last key, and at once when the page goes away.
import type { EngineApi } from '../engine/messages.ts';

const SAVE_AFTER_MS = 200;

export class Draft {
  readonly #engine: Pick<EngineApi, 'draft' | 'saveDraft'>;
  #key: string | undefined;
  #unsaved: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(engine: Pick<EngineApi, 'draft' | 'saveDraft'>) {
    this.#engine = engine;
  }

  /** Saves what was being written and gives the text kept under another key. */
  async open(key: string): Promise<string | undefined> {
    this.flush();
    this.#key = key;
    return this.#engine.draft(key);
  }

  save(text: string): void {
    this.#unsaved = text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), SAVE_AFTER_MS);
  }

  flush(): void {
    clearTimeout(this.#timer);
    if (this.#unsaved === undefined || this.#key === undefined) return;
    void this.#engine.saveDraft(this.#key, this.#unsaved);
    this.#unsaved = undefined;
  }
}
