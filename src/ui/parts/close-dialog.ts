// The button that closes its dialog. Closing, not taking it out of the page, gives the focus back.

export function closeDialog({ currentTarget }: Event): void {
  if (currentTarget instanceof Element) currentTarget.closest('dialog')?.close();
}
