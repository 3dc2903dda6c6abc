// In place of what is never loaded here, and of the example, whose files are not beside this page.
export const isExample = (): boolean => false;
