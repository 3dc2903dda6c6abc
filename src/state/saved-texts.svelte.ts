// Queries by name: those that everybody needs, and those a person saved, kept in this browser.
import { isArray, parseJson, str } from '../../acp/json.ts';
import { readLocal, saveLocal } from '../local.ts';

const KEY = 'acp-scope/queries';

export interface SavedQuery {
  readonly name: string;
  readonly query: string;
}

export const BUILT_IN: readonly SavedQuery[] = [
  { name: 'Errors and findings', query: 'type:err | finding:any' },
  { name: 'Open requests', query: 'is:open' },
  { name: 'Slow answers', query: 'latency>1s' },
  { name: 'What came late', query: 'is:late' },
  { name: 'Tool calls that failed', query: 'status:failed' },
  { name: 'Without text and usage', query: '-update:/chunk|usage/' },
];

/** What is kept and is ours. */
function read(): readonly SavedQuery[] {
  const stored = parseJson(readLocal(KEY) ?? '');
  const found = (isArray(stored) ? stored : []).flatMap((entry) => {
    const [name, query] = [str(entry, 'name'), str(entry, 'query')];
    return name && query ? [{ name, query }] : [];
  });
  return found.filter((saved, at) => found.findIndex(({ name }) => name === saved.name) === at);
}

export class SavedQueries {
  #own = $state.raw(read());

  /** In the order saved. */
  get own(): readonly SavedQuery[] {
    return this.#own;
  }

  /** One of the same name is replaced. */
  save(saved: SavedQuery): void {
    const at = this.#own.findIndex(({ name }) => name === saved.name);
    this.#keep(at < 0 ? [...this.#own, saved] : this.#own.with(at, saved));
  }

  /** A name that another has stays as it is. */
  rename(saved: SavedQuery, name: string): void {
    if (name === '' || this.#has(name)) return;
    this.#keep(this.#own.map((other) => (other === saved ? { ...saved, name } : other)));
  }

  /** Gives the way back, which does nothing where another has the name by then. */
  remove(saved: SavedQuery): () => void {
    const at = this.#own.indexOf(saved);
    if (at < 0) return () => undefined;
    this.#keep(this.#own.toSpliced(at, 1));
    return () => {
      if (!this.#has(saved.name)) this.#keep(this.#own.toSpliced(at, 0, saved));
    };
  }

  #has(name: string): boolean {
    return this.#own.some((other) => other.name === name);
  }

  #keep(own: readonly SavedQuery[]): void {
    this.#own = own;
    saveLocal(KEY, own.length === 0 ? undefined : JSON.stringify(own));
  }
}
