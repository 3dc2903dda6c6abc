// The paths that a patch in Git's format names: read from the headers of its sections only, since a
// hunk may hold any line at all.
import { decodeLossy, encodeUtf8 } from '../../lib/utf8.ts';

export interface PatchPath {
  /** The word it stands behind: `---`, `+++`, `rename from`, … */
  readonly where: string;
  readonly path: string;
}

const HEADER = /^(---|\+\+\+|rename from|rename to|copy from|copy to) (.*)$/;

/** Paths in order; `/dev/null` is left out. A section without such lines has what follows `diff --git`. */
export function patchPaths(text: string): readonly PatchPath[] {
  const paths: PatchPath[] = [];
  let header = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('diff --git ')) {
      header = true;
      const rest = line.slice('diff --git '.length);
      // Two paths with blanks in them cannot be told apart here; a prefix can.
      if (/^"?a\//.test(rest)) paths.push({ where: 'diff --git', path: unquoted(rest) });
    } else if (line.startsWith('@@')) header = false;
    else if (header) {
      const found = HEADER.exec(line.endsWith('\r') ? line.slice(0, -1) : line);
      const path = found && unquoted((found[2] ?? '').replace(/\t.*$/, ''));
      if (path && path !== '/dev/null') paths.push({ where: found[1] ?? '', path });
    }
  }
  return paths;
}

const ESCAPES: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  '\\': 92,
};

/** Git quotes paths with unusual characters as C does, bytes in octal. */
function unquoted(word: string): string {
  const inner = /^"(.*)"$/.exec(word)?.[1];
  if (inner === undefined) return word;
  const bytes: number[] = [];
  for (const [part, octal, letter] of inner.matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/g)) {
    if (octal !== undefined) bytes.push(parseInt(octal, 8) & 255);
    else if (letter !== undefined) bytes.push(ESCAPES[letter] ?? letter.charCodeAt(0) & 255);
    else for (const byte of encodeUtf8(part)) bytes.push(byte);
  }
  return decodeLossy(Uint8Array.from(bytes));
}
