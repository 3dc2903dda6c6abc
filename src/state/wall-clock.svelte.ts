/** The time on the wall, anew each second while `runs` says so: between its frames a trace has none. */
export function wallClock(runs: () => boolean = () => true): { readonly now: number } {
  let now = $state(Date.now());
  $effect(() => {
    if (!runs()) return;
    now = Date.now();
    const timer = setInterval(() => (now = Date.now()), 1000);
    return () => clearInterval(timer);
  });
  return {
    get now() {
      return now;
    },
  };
}
