/** Absolute on POSIX, or on Windows: a drive or a share. Whichever system this runs on. */
export function isAbsolutePath(path: string): boolean {
  return path.startsWith('/') || isWindowsPath(path);
}

/** True if the path starts with a drive or a share of Windows. */
export function isWindowsPath(path: string): boolean {
  return /^(?:[A-Za-z]:[\\/]|\\\\)/.test(path);
}

// Compares two absolute paths of directories by their text.

type Sameness = 'same' | 'different' | 'unclear';

/**
 * `unclear`: a symbolic link, the case of letters, a drive, a share or a mount of Windows drives may
 * make them one.
 */
export function sameDirectory(a: string, b: string): Sameness {
  const [mine, theirs] = [segmentsOf(a), segmentsOf(b)];
  if (mine.join('/') === theirs.join('/')) return 'same';
  const last = mine.at(-1)?.toLowerCase();
  // A link renames a folder above; a process that followed it sees the name at its end.
  return last !== undefined && last === theirs.at(-1)?.toLowerCase() ? 'unclear' : 'different';
}

/** The folders on the way, without dots, whichever slash parts them. */
export function segmentsOf(path: string): readonly string[] {
  const segments: string[] = [];
  for (const segment of path.replaceAll('\\', '/').split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments;
}
