// What a person leaves out of comparisons and compares as it stands, kept in this browser.
import { get, isArray, parseJson } from '../../acp/json.ts';
import { ALIAS_KINDS, DEFAULT_IGNORE, type AliasKind } from '../../model/sessions/compare-terms.ts';

const KEY = 'acp-scope/diff';

export interface DiffTastes {
  readonly ignore: readonly string[];
  readonly raw: readonly AliasKind[];
}

/** As it was left under this key; what is not ours is passed over. */
export function readTastes(key: string = KEY): DiffTastes {
  return tastesIn(stored(key));
}

export function tastesIn(text: string | undefined): DiffTastes {
  const said = parseJson(text ?? '');
  const words = (key: string) => {
    const value = get(said, key);
    if (!isArray(value)) return undefined;
    return value.filter((word): word is string => typeof word === 'string');
  };
  const raw = words('raw') ?? [];
  return {
    ignore: words('ignore') ?? DEFAULT_IGNORE,
    raw: ALIAS_KINDS.filter((kind) => raw.includes(kind)),
  };
}

export function keepTastes(tastes: DiffTastes, key: string = KEY): void {
  try {
    localStorage.setItem(key, JSON.stringify(tastes));
  } catch {
    // Storage is off: it lasts as long as the page.
  }
}

function stored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}
