// In place of what begins a comparison: the view that it leads to says that there is none here.
interface Page {
  readonly current: { readonly connection: string } | undefined;
  compare(connection: string, diff: string): unknown;
}

function compared(page: Page): void {
  if (page.current) page.compare(page.current.connection, '');
}

export {
  compared as compareFrames,
  compared as compareStretch,
  compared as compareTurn,
  compared as compareWithMarked,
  compared as openReplayOf,
};
