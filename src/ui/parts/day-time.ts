// A moment as lists of reports say it.

/** `today 17:40`, else `21 Nov 17:40`, of ISO 8601, in the reader's own time. */
export function dayTime(iso: string): string {
  const date = new Date(iso);
  const time = date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  const isToday = date.toDateString() === new Date().toDateString();
  const day = isToday
    ? 'today'
    : date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
  return `${day} ${time}`;
}
