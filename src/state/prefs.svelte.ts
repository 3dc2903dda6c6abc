// What a person likes, kept in this browser: the theme, and whether single letters are keys.
const KEY = 'acp-scope/prefs';

export type Theme = 'system' | 'light' | 'dark';

interface Stored {
  readonly theme: Theme;
  readonly letterKeys: boolean;
}

function read(): Stored {
  let stored: Partial<Stored> = {};
  try {
    stored = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Stored>;
  } catch {
    // Nothing kept, or not ours: the defaults.
  }
  const { theme, letterKeys } = stored;
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    letterKeys: letterKeys !== false,
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
    try {
      localStorage.setItem(KEY, JSON.stringify(next));
    } catch {
      // Storage is off: it lasts as long as the page.
    }
  }
}
