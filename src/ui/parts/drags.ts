// Something that the pointer moves: it goes where it is pressed, and on until it is let go.

type PointerOn = PointerEvent & { readonly currentTarget: HTMLElement };

/** The handlers of an element. `move`: the pointer, and the box of the element. */
export function drags(move: (pointer: PointerEvent, box: DOMRect) => void) {
  let isHeld = false;
  const moved = (event: PointerOn) => {
    if (isHeld) move(event, event.currentTarget.getBoundingClientRect());
  };
  const letGo = () => {
    isHeld = false;
  };
  return {
    onpointerdown(event: PointerOn) {
      if (event.button !== 0) return;
      // What takes no focus leaves it where it is.
      if (event.currentTarget.tabIndex < 0) event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      isHeld = true;
      moved(event);
    },
    onpointermove: moved,
    onpointerup: letGo,
    onpointercancel: letGo,
  };
}
