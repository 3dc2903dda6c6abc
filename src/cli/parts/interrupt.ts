// Ctrl+C, SIGTERM and a terminal that closes, as a wish to stop. Only the first is taken: a second one
// ends the process, but for SIGHUP, of which a terminal that closes sends two.
import { ENDING_SIGNALS } from '../command.ts';

/** `stop` aborts at the first signal, and `then` is called; without `off` signals stay ours. */
export function onInterrupt(then?: () => void): {
  readonly stop: AbortSignal;
  readonly off: () => void;
} {
  const controller = new AbortController();
  const again = () => undefined;
  const unhear = () => {
    for (const signal of ENDING_SIGNALS) process.off(signal, interrupt);
  };
  const interrupt = () => {
    unhear();
    process.on('SIGHUP', again);
    controller.abort();
    then?.();
  };
  for (const signal of ENDING_SIGNALS) process.on(signal, interrupt);
  return {
    stop: controller.signal,
    off() {
      unhear();
      process.off('SIGHUP', again);
    },
  };
}
