/** Absolute on POSIX, or on Windows: a drive or a share. Whichever system this runs on. */
export function isAbsolutePath(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path);
}
