// The settings of a person, stored in this browser: the theme, the size of the text, whether single letters
// are keys, the columns of Trace, and the lines of the rail that are folded.
import { arr, get, isObject, parseJson, str } from '../acp/json.ts';
import type { Json } from '../acp/message.ts';
import { readLocal, saveLocal } from './local.ts';

const KEY = 'acp-scope/prefs';

type Theme = 'system' | 'light' | 'dark';

/** `screen`: normal, or large on a screen from 2,200 px. */
const TEXTS = ['screen', 'normal', 'large', 'larger'] as const;
export type TextSize = (typeof TEXTS)[number];

/** A person's choice among the columns of Trace; the page decides about columns that are absent. */
export interface ColumnChoice {
  readonly shown: Readonly<Record<string, boolean>>;
  /** Pixels. */
  readonly widths: Readonly<Record<string, number>>;
}

interface Stored {
  readonly theme: Theme;
  readonly text: TextSize;
  readonly columns: ColumnChoice;
  readonly letterKeys: boolean;
  /** The newest last. */
  readonly shut: readonly string[];
}

/** So many are remembered. */
const MOST_SHUT = 100;

/** The members of an object that have this type. */
function ofType<T>(
  stored: Json | undefined,
  type: 'boolean' | 'number',
): Readonly<Record<string, T>> {
  const members = isObject(stored) ? Object.entries(stored) : [];
  return Object.fromEntries(members.filter(([, value]) => typeof value === type)) as Record<
    string,
    T
  >;
}

/** The defaults where nothing is kept, or what is kept is not ours. */
function read(): Stored {
  const stored = parseJson(readLocal(KEY) ?? '');
  const theme = str(stored, 'theme');
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    text: TEXTS.find((text) => text === str(stored, 'text')) ?? 'screen',
    letterKeys: get(stored, 'letterKeys') !== false,
    columns: {
      shown: ofType(get(get(stored, 'columns'), 'shown'), 'boolean'),
      widths: ofType(get(get(stored, 'columns'), 'widths'), 'number'),
    },
    shut: arr(stored, 'shut').filter((name) => typeof name === 'string'),
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
  get text(): TextSize {
    return this.#now.text;
  }
  set text(text: TextSize) {
    this.#keep({ ...this.#now, text });
  }
  /** Off: keys without ⌘ or Ctrl do nothing (WCAG 2.1.4). */
  get letterKeys(): boolean {
    return this.#now.letterKeys;
  }
  set letterKeys(letterKeys: boolean) {
    this.#keep({ ...this.#now, letterKeys });
  }

  get columns(): ColumnChoice {
    return this.#now.columns;
  }
  set columns(columns: ColumnChoice) {
    this.#keep({ ...this.#now, columns });
  }

  /** Whether what belongs to a line of the rail is put away. */
  isShut(name: string): boolean {
    return this.#now.shut.includes(name);
  }
  shut(name: string, isShut: boolean): void {
    const others = this.#now.shut.filter((other) => other !== name);
    const shut = isShut ? [...others, name].slice(-MOST_SHUT) : others;
    this.#keep({ ...this.#now, shut });
  }

  #keep(next: Stored): void {
    this.#now = next;
    saveLocal(KEY, JSON.stringify(next));
  }
}
