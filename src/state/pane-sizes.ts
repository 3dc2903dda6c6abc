// Sizes of panes, kept in this browser by name. A browser that keeps nothing gives the defaults.
const PREFIX = 'acp-scope/size/';

export function readSize(name: string): number | undefined {
  try {
    const size = Number(localStorage.getItem(PREFIX + name));
    return Number.isFinite(size) && size > 0 ? size : undefined;
  } catch {
    return undefined;
  }
}

/** `undefined` forgets it. */
export function saveSize(name: string, size: number | undefined): void {
  try {
    if (size === undefined) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, String(size));
  } catch {
    // Storage is off: the size lasts as long as the page.
  }
}
