// Moving the focus to a place of the page by name: the element marked `data-focus`, or the first
// thing in it that takes focus.

export type Place =
  'list' | 'aliases' | 'query' | 'detail' | 'drawer' | 'rail' | 'rail-button' | 'view' | 'finding';

const TAKES = '[role=tree], [role=treegrid], [tabindex="0"], button, input, textarea, a[href]';

export function focusPlace(name: Place): boolean {
  const place = document.querySelector<HTMLElement>(`[data-focus="${name}"]`);
  if (!place) return false;
  const takes = place.matches(TAKES) ? place : place.querySelector<HTMLElement>(TAKES);
  takes?.focus();
  return takes !== null;
}
