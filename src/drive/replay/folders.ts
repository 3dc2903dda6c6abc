// Folders of the recording and folders of now, wherever their paths stand in a text.
import { Bijection } from './bijection.ts';

const NAME = /[\p{L}\p{N}_-]/u;

export class Folders {
  readonly #bound = new Bijection();
  #pairs: readonly (readonly [recorded: string, live: string])[] = [];

  /** False: one of the two stands for another folder already. */
  bind(recorded: string, live: string): boolean {
    if (!this.#bound.bind(trimmed(recorded), trimmed(live))) return false;
    // The longest first: a folder in a folder is its own.
    this.#pairs = [...this.#bound.renamed].sort(([a], [b]) => b.length - a.length);
    return true;
  }

  mayBind(recorded: string, live: string): boolean {
    return this.#bound.mayBind(trimmed(recorded), trimmed(live));
  }

  get renamed(): readonly (readonly [recorded: string, live: string])[] {
    return this.#pairs;
  }

  /** The text as it is said now. */
  toLive(text: string): string {
    return replaceAll(text, this.#pairs);
  }

  /** The text as it would have been said in the recording. */
  toRecorded(text: string): string {
    const pairs = this.#pairs.map(([recorded, live]) => [live, recorded] as const);
    return replaceAll(
      text,
      pairs.sort(([a], [b]) => b.length - a.length),
    );
  }
}

/** The root is no folder to look for in texts. */
function trimmed(path: string): string {
  return path.length > 1 ? path.replace(/[/\\]+$/, '') || path : path;
}

/** In one pass, so that what was put in is not replaced again. */
function replaceAll(text: string, pairs: readonly (readonly [from: string, to: string])[]): string {
  let out = '';
  let at = 0;
  for (;;) {
    let found: { readonly at: number; readonly from: string; readonly to: string } | undefined;
    for (const [from, to] of pairs) {
      const next = placeOf(text, from, at);
      if (next >= 0 && (!found || next < found.at)) found = { at: next, from, to };
    }
    if (!found) return out + text.slice(at);
    out += text.slice(at, found.at) + found.to;
    at = found.at + found.from.length;
  }
}

/** Where the path stands as a path of its own, or as the beginning of one. */
function placeOf(text: string, path: string, from: number): number {
  if (path.length < 2) return text === path && from === 0 ? 0 : -1;
  for (let at = text.indexOf(path, from); at >= 0; at = text.indexOf(path, at + 1)) {
    const before = text[at - 1];
    const after = text.slice(at + path.length, at + path.length + 2);
    const begins = before === undefined || !(NAME.test(before) || before === '.');
    const ends = after === '' || !(NAME.test(after[0] ?? '') || /^\.[\p{L}\p{N}_-]/u.test(after));
    if (begins && ends) return at;
  }
  return -1;
}
