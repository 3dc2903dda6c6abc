// What outlives the view that first shows it: made once for the page, and there the next time.
import type { App } from './app.svelte.ts';

/** The one that belongs to this page. */
export function keptWith<T>(make: (app: App) => T): (app: App) => T {
  const made = new WeakMap<App, { readonly kept: T }>();
  return (app) => {
    const known = made.get(app);
    if (known) return known.kept;
    const kept = rooted(() => make(app));
    made.set(app, { kept });
    return kept;
  };
}

/** What is derived in a component ends with it; this does not. */
function rooted<T>(make: () => T): T {
  const made: T[] = [];
  $effect.root(() => void made.push(make()));
  return made[0] ?? make();
}
