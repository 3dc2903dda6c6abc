// Keeps the address and what is shown the same: an address chooses view, trace, session, frame and
// query, and going on to another trace or view is a step in the browser's history.
import type { App } from './app.svelte.ts';
import { formatRoute, parseRoute, type Route } from './route.ts';

/** Call while a component is being made. */
export function followAddress(app: App): void {
  let wanted: Route | undefined = parseRoute(location.hash);
  let written = location.hash;

  // The trace may be told of only later.
  $effect(() => {
    const route = wanted;
    if (!route) return;
    const known = app.traces.some(({ connection }) => connection === route.connection);
    if (route.connection !== undefined && !known) return;
    wanted = undefined;
    void apply(app, route);
  });

  $effect(() => {
    const route = routeOf(app);
    const hash = formatRoute(route);
    if (wanted || hash === written || (!route.connection && written === '')) return;
    const before = parseRoute(written);
    const step = before?.view !== route.view || before.connection !== route.connection;
    written = hash;
    if (step) history.pushState(undefined, '', hash);
    else history.replaceState(undefined, '', hash);
  });

  $effect(() => {
    const onhashchange = () => {
      const route = parseRoute(location.hash);
      if (!route || location.hash === written) return;
      written = location.hash;
      void apply(app, route);
    };
    addEventListener('hashchange', onhashchange);
    return () => removeEventListener('hashchange', onhashchange);
  });
}

function routeOf(app: App): Route {
  const { current, view, timeline } = app;
  if (view === 'connect' || !current) return { view };
  return {
    view,
    connection: current.connection,
    ...(app.pickedSession !== undefined && { sessionId: app.pickedSession }),
    ...(timeline.selected !== undefined && { frame: timeline.selected }),
    ...(timeline.query !== '' && { query: timeline.query }),
  };
}

async function apply(app: App, route: Route): Promise<void> {
  const { connection, sessionId, frame, query } = route;
  if (connection === undefined) {
    app.view = route.view;
    return;
  }
  const { view } = route;
  if (sessionId === undefined) await app.show(connection, view, query ?? '');
  else await app.pickSession(connection, sessionId, view, query ?? '');
  if (frame !== undefined) await app.jump(frame);
}
