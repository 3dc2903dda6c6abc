// Ctrl+C and SIGTERM as a wish to stop. Only the first is taken: a second one ends the process.

/** `stop` aborts at the first signal, and `then` is called; without `off` signals stay ours. */
export function onInterrupt(then?: () => void): {
  readonly stop: AbortSignal;
  readonly off: () => void;
} {
  const controller = new AbortController();
  const off = () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt);
  };
  const interrupt = () => {
    off();
    controller.abort();
    then?.();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  return { stop: controller.signal, off };
}
