/** The folder of the clone, ending in a separator. */
export const ROOT: string;
/** A program and its first arguments: npm's own follow. */
export function npm(): [program: string, ...before: string[]];
