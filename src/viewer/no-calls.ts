// In place of what is never loaded here, and of the example, whose files are not beside this page.
export const isExample = (): boolean => false;

/** Nothing is recorded. */
export const troubleWords = (): readonly never[] => [];
