// Where the focus goes.

type FocusPlace =
  | 'ask'
  | 'list'
  | 'aliases'
  | 'query'
  | 'detail'
  | 'drawer'
  | 'rail'
  | 'rail-button'
  | 'view'
  | 'finding';

const TAKES = '[tabindex="0"], :is(button, input, textarea, a[href]):not([tabindex="-1"])';

/** To a place of the page by name: the element marked `data-focus`, or the first thing in it that takes focus. */
export function focusPlace(name: FocusPlace): boolean {
  return focusIn(document.querySelector(`[data-focus="${name}"]`));
}

/** Into the view that is shown; one that is still to come takes it by itself. */
export function focusView(): void {
  if (!document.querySelector('main .view > [aria-busy]'))
    void (focusPlace('list') || focusPlace('view'));
}

function focusIn(place: HTMLElement | null): boolean {
  const takes = place?.matches(TAKES) ? place : place?.querySelector<HTMLElement>(TAKES);
  takes?.focus();
  return !!takes;
}

/** What had the focus went, or can no longer be pressed: who was there goes on in the place around it. */
export function onFocusLost(event: FocusEvent): void {
  const { target } = event;
  if (!(target instanceof HTMLElement)) return;
  const wasShut = target.matches(':disabled');
  const around = event.composedPath().filter((one) => one instanceof HTMLElement);
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body || (target.isConnected && !wasShut)) return;
    target.focus();
    if (document.activeElement === target) return;
    const place = around.find((one) => one.isConnected && one.matches('[data-focus], dialog'));
    // A view that is still to come takes it by itself.
    const comes = place?.querySelector('.view > [aria-busy]');
    if (!comes && (!place?.matches('main') || !focusPlace('list'))) focusIn(place ?? null);
  });
}

/** For the button that closes its dialog. Closing, not taking it out of the page, gives the focus back. */
export function closeDialog({ currentTarget }: Event): void {
  if (currentTarget instanceof Element) currentTarget.closest('dialog')?.close();
}

/**
 * To be attached to a dialog: shown each time it is asked for, also before the page hears that it closed
 * the last time. What was asked must be another each time.
 */
export function asDialog(asked: () => unknown, closed: () => void) {
  return (dialog: HTMLDialogElement): void => {
    asked();
    dialog.showModal();
    dialog.onclose = () => dialog.open || closed();
  };
}

/** A place that is to have the focus once it is there: in a view that is about to be shown. */
type Wished = 'prompt' | 'given' | 'rules';
let wished: Wished | undefined;

export function wishFocus(place: Wished): void {
  wished = place;
}

/** To be attached to the element at that place. */
export function takesWish(place: Wished): (element: HTMLElement) => void {
  return (element) => {
    if (wished !== place) return;
    wished = undefined;
    element.focus();
  };
}
