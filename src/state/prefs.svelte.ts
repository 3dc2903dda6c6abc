// What a person likes, kept in this browser: the theme, and whether single letters are keys.
import { get, parseJson, str } from '../acp/json.ts';
import { readLocal, saveLocal } from './local.ts';

const KEY = 'acp-scope/prefs';

type Theme = 'system' | 'light' | 'dark';

interface Stored {
  readonly theme: Theme;
  readonly letterKeys: boolean;
}

/** The defaults where nothing is kept, or what is kept is not ours. */
function read(): Stored {
  const stored = parseJson(readLocal(KEY) ?? '');
  const theme = str(stored, 'theme');
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    letterKeys: get(stored, 'letterKeys') !== false,
  };
}

export class Prefs {
  #now = $state.raw<Stored>(read());

  get theme(): Theme {
    return this.#now.theme;
  }
  set theme(theme: Theme) {
    this.#keep({ ...this.#now, theme });
  }
  /** Off: keys without ⌘ or Ctrl do nothing (WCAG 2.1.4). */
  get letterKeys(): boolean {
    return this.#now.letterKeys;
  }
  set letterKeys(letterKeys: boolean) {
    this.#keep({ ...this.#now, letterKeys });
  }

  #keep(next: Stored): void {
    this.#now = next;
    saveLocal(KEY, JSON.stringify(next));
  }
}
