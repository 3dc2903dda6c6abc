/** Prints an aligned table; the first column is text, the rest are figures. */
export function printTable(
  title: string,
  heads: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): void;
export function median(numbers: readonly number[]): number;
