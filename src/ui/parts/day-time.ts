// A moment as lists of reports say it.

/** `21 Nov 17:40`, of ISO 8601, in the reader's own time. */
export function dayTime(iso: string): string {
  const date = new Date(iso);
  const time = date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  return `${date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })} ${time}`;
}
