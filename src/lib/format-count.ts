import { lazy } from './lazy.ts';

/** Made when a number is first shown: it takes longer than all else that a relay does to start. */
const figures = lazy(() => new Intl.NumberFormat('en-US'));

/** `1,200`. One formatter for all: `toLocaleString` makes its own, which thousands of rows feel. */
export function formatCount(number: number): string {
  return figures().format(number);
}

/** `1 tool`, `21 tools`, `1,200 entries`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${formatCount(number)} ${number === 1 ? one : many}`;
}
