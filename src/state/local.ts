// What is kept in this browser by name. One that keeps nothing gives nothing back: what was chosen
// lasts as long as the page.

export function readLocal(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** `undefined` forgets it. */
export function saveLocal(key: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Storage is off.
  }
}

const SIZE = 'acp-scope/size/';

/** Of a pane, in pixels. */
export function readSize(name: string): number | undefined {
  const size = Number(readLocal(SIZE + name));
  return Number.isFinite(size) && size > 0 ? size : undefined;
}

export function saveSize(name: string, size: number | undefined): void {
  saveLocal(SIZE + name, size?.toString());
}
