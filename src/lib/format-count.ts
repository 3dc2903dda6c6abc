const FIGURES = new Intl.NumberFormat('en-US');

/** `1,200`. One formatter for all: `toLocaleString` makes its own, which thousands of rows feel. */
export function formatCount(number: number): string {
  return FIGURES.format(number);
}
