// A form that outlives its view: made when the view is first shown, and there the next time.
import type { App } from '../../state/app.svelte.ts';

export function keptForm<T>(make: (app: App) => T): (app: App) => T {
  const made = new WeakMap<App, T>();
  return (app) => {
    const known = made.get(app);
    if (known !== undefined) return known;
    let form: T | undefined;
    // What is derived in a component ends with it.
    $effect.root(() => void (form = make(app)));
    const kept = form ?? make(app);
    made.set(app, kept);
    return kept;
  };
}
