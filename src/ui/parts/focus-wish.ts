// A place that is to have the focus once it is there: in a view that is about to be shown.

type Wished = 'prompt';

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
