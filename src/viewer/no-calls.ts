// In place of what is never loaded here, and of the example, whose files are not beside this page.
export const isExample = (): boolean => false;

/** Nothing is recorded, nor named by a file. */
export const troubleWords = (): readonly never[] => [];
export {
  troubleWords as copiesElsewhere,
  troubleWords as itsTurnBegins,
  // Editions are opened where they can be stored.
  troubleWords as forgetEdition,
  troubleWords as openEdition,
  troubleWords as recallEditions,
};

/** Nothing is stored: what fails is the reading of this file. */
export const damage = (error: unknown) => ({
  kind: 'failed' as const,
  message: `A part of this trace cannot be read (${String(error)}).`,
});
export const problemOf = damage;
export const storageProblem = damage;
export const isLostHandle = (): boolean => false;
