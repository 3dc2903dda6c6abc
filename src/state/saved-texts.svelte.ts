// Texts that a person saved by name in this browser: queries, and messages of the composer.
import { isArray, parseJson, str } from '../acp/json.ts';
import { readLocal, saveLocal } from './local.ts';

export interface SavedText {
  readonly name: string;
  readonly text: string;
}

export class SavedTexts {
  readonly #key: string;
  #own = $state.raw<readonly SavedText[]>([]);

  constructor(kind: 'queries' | 'messages') {
    this.#key = `acp-scope/${kind}`;
    this.#own = read(this.#key);
  }

  /** The saved texts, in the order in which they were saved. */
  get own(): readonly SavedText[] {
    return this.#own;
  }

  /** Saves a text. A text of the same name is replaced. */
  save(saved: SavedText): void {
    const at = this.#own.findIndex(({ name }) => name === saved.name);
    this.#store(at < 0 ? [...this.#own, saved] : this.#own.with(at, saved));
  }

  /** Renames a saved text, unless the name is empty or another text has the name. */
  rename(saved: SavedText, name: string): void {
    if (name === '' || this.#has(name)) return;
    this.#store(this.#own.map((other) => (other === saved ? { ...saved, name } : other)));
  }

  /** Deletes a saved text. Returns the undo, which does nothing if another text has the name by then. */
  remove(saved: SavedText): () => void {
    const at = this.#own.indexOf(saved);
    if (at < 0) return () => undefined;
    this.#store(this.#own.toSpliced(at, 1));
    return () => {
      if (!this.#has(saved.name)) this.#store(this.#own.toSpliced(at, 0, saved));
    };
  }

  #has(name: string): boolean {
    return this.#own.some((other) => other.name === name);
  }

  #store(own: readonly SavedText[]): void {
    this.#own = own;
    saveLocal(this.#key, own.length === 0 ? undefined : JSON.stringify(own));
  }
}

/** Returns what is stored and readable. Older versions stored the text of a query as `query`. */
function read(key: string): readonly SavedText[] {
  const stored = parseJson(readLocal(key) ?? '');
  const found = (isArray(stored) ? stored : []).flatMap((entry) => {
    const [name, text] = [str(entry, 'name'), str(entry, 'text') ?? str(entry, 'query')];
    return name && text ? [{ name, text }] : [];
  });
  return found.filter((saved, at) => found.findIndex(({ name }) => name === saved.name) === at);
}
