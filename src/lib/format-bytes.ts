const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** `391 B`, `1.1 kB`, `24 kB`, `1.3 MB`: powers of ten, three digits at most. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // 999.5 would be shown as 1000.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = unit === 0 || value >= 9.95 ? 0 : 1;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}
