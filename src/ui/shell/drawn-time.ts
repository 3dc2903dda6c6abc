// Time in which a person can read: time in which the page draws.

/** Milliseconds that a drawn frame counts for, however long the page was busy or hidden before. */
const STEP_MS = 250;

/** Runs `done` once the page has drawn for `ms`. Returns a function that calls it off. */
export function afterDrawing(
  ms: number,
  done: () => void,
  draw: (then: () => void) => unknown = requestAnimationFrame,
): () => void {
  let left = ms;
  let isOff = false;
  const wait = () => setTimeout(() => draw(drawn), STEP_MS);
  const drawn = () => {
    if (isOff) return;
    left -= STEP_MS;
    if (left > 0) wait();
    else done();
  };
  wait();
  return () => void (isOff = true);
}
