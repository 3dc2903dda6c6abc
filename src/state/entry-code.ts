// The one-time code of the address `/#k=CODE`, taken out of it as soon as this module is loaded,
// so that no history entry, referrer or script after it sees the code.

/** Undefined: the page was opened without one. */
export const entryCode: string | undefined = takeCode();

/** `before`: the address that goes in its place. */
export function takeCode(before = location.pathname): string | undefined {
  const found = /^#k=([\w-]+)$/.exec(location.hash)?.[1];
  if (found !== undefined) history.replaceState(undefined, '', before);
  return found;
}
