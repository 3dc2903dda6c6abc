const FIGURES = new Intl.NumberFormat('en-US');

/** `1,200`. One formatter for all: `toLocaleString` makes its own, which thousands of rows feel. */
export function formatCount(number: number): string {
  return FIGURES.format(number);
}

/** `1 tool`, `21 tools`, `1,200 entries`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${formatCount(number)} ${number === 1 ? one : many}`;
}
