// Counts and bytes as figures of few characters.
import { lazy } from './lazy.ts';

/** For what an agent may call a count: making it takes ten milliseconds, as much as a whole list. */
const figures = lazy(() => new Intl.NumberFormat('en-US'));

/** `1,200` */
export function formatCount(number: number): string {
  if (!Number.isSafeInteger(number)) return figures().format(number);
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 tool`, `21 tools`, `1,200 entries`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${formatCount(number)} ${number === 1 ? one : many}`;
}

/** `< 0.1 %`, `3.4 %`, `34 %`: what is something is not 0. */
export function formatShare(share: number): string {
  const percent = 100 * share;
  if (percent > 0 && percent < 0.1) return '< 0.1 %';
  return `${percent.toFixed(percent > 0 && percent < 9.95 ? 1 : 0)} %`;
}

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
