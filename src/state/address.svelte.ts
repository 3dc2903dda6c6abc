// Keeps the address and what is shown the same: an address chooses view, trace, session, frame,
// query, playhead and panes, and going on to another trace or view is a step in the browser's
// history.
import { untrack } from 'svelte';
import { defined } from '../lib/defined.ts';
import type { Seq } from '../trace/event.ts';
import type { App } from './app.svelte.ts';
import type { Panes } from './panes.svelte.ts';
import { isOfTrace } from './views.ts';
import { formatRoute, parseRoute, type Route } from './route.ts';

/** A playhead that plays moves often; browsers limit how often an address may change. */
const PAUSE_MS = 250;

/** Call while a component is being made. Gives what the address asks for then. */
export function followAddress(app: App): Route | undefined {
  const first = parseRoute(location.hash);
  let wanted = first;
  let written = location.hash;
  /** The address to be written next, where it is no step. */
  let next: string | undefined;
  let playhead = $state.raw<Seq | undefined>();
  /** Addresses on their way to be shown: what is shown meanwhile is no address to be kept. */
  let going = $state(0);

  function write(): void {
    // Another one: the browser is on its way back, and says so in a moment.
    if (next === undefined || location.hash !== written) return;
    written = next;
    next = undefined;
    history.replaceState(undefined, '', written);
  }
  async function go(route: Route): Promise<void> {
    next = undefined;
    playhead = undefined;
    going++;
    try {
      await apply(app, route);
      playhead = route.playhead;
    } finally {
      going--;
    }
  }

  // The trace may be told of only later: until it is known whether it is there, no other view is shown.
  if (first?.connection !== undefined) {
    app.view = first.view;
    app.timeline.expect(first.connection, first.query, first.lights);
  }
  $effect(() => {
    const route = wanted;
    if (!route) return;
    const known = app.traces.some(({ connection }) => connection === route.connection);
    if (route.connection !== undefined && !known) {
      if (app.isTold && app.view === route.view) app.view = 'connect';
      return;
    }
    wanted = undefined;
    // Who chose a view meanwhile is not sent back.
    untrack(() => void go(app.view === 'connect' ? route : { ...route, view: app.view }));
  });

  // The frame may be read only later. One that never comes moves nothing.
  $effect(() => {
    const { state } = app.timeline;
    if (playhead === undefined || (state?.last ?? 0) < playhead) return;
    app.playhead = playhead;
    playhead = undefined;
  });

  $effect(() => {
    const route = routeOf(app);
    const hash = formatRoute(route);
    // The first screen needs none: the link that opened it is used up.
    if (wanted || (route.view === 'connect' && written === '')) return;
    const isUnread = playhead !== undefined && app.timeline.state === undefined;
    if (going > 0 || isUnread) return;
    const before = parseRoute(written);
    const step = before?.view !== route.view || before.connection !== route.connection;
    if (!step) {
      const isDue = next !== undefined;
      next = hash === written ? undefined : hash;
      if (!isDue && next !== undefined) setTimeout(write, PAUSE_MS);
      return;
    }
    write();
    written = hash;
    history.pushState(undefined, '', hash);
  });

  $effect(() => {
    const onhashchange = () => {
      const route = parseRoute(location.hash);
      if (!route || location.hash === written) return;
      written = location.hash;
      void go(route);
    };
    addEventListener('hashchange', onhashchange);
    addEventListener('pagehide', write);
    return () => {
      removeEventListener('hashchange', onhashchange);
      removeEventListener('pagehide', write);
    };
  });
  return first;
}

function routeOf(app: App): Route {
  const { current, view, timeline } = app;
  if (view === 'checks' && !current) return { view, ...defined({ test: app.test }) };
  if (view === 'agent') return { view, ...defined({ query: app.overviewOf }) };
  if (view === 'library') return { view, ...defined({ query: app.sought }) };
  if (!isOfTrace(view) || !current) return { view };
  return {
    view,
    connection: current.connection,
    ...defined({ sessionId: app.pickedSession, frame: timeline.selected, playhead: app.playhead }),
    ...defined({
      query: timeline.query || undefined,
      lights: timeline.lights || undefined,
      diff: view === 'compare' ? app.diff : undefined,
      test: view === 'checks' ? app.test : undefined,
    }),
    hidden: [
      ...(app.panes.railOpen ? [] : ['rail' as const]),
      ...(app.panes.detailOpen ? [] : ['detail' as const]),
    ],
    ...drawerOf(app.panes),
  };
}

/** Said where it is not as the view has it by itself. */
function drawerOf({ drawer, drawerOpen, opensDrawer }: Panes): Pick<Route, 'drawer'> {
  if (!drawerOpen) return opensDrawer ? { drawer: 'none' } : {};
  return opensDrawer && drawer === 'composer' ? {} : { drawer };
}

async function apply(app: App, route: Route): Promise<void> {
  const { connection, sessionId, frame, query } = route;
  if (route.view === 'checks') app.test = route.test;
  if (connection === undefined) {
    app.view = route.view;
    if (route.view === 'library') app.sought = query;
    if (route.view === 'agent') app.overviewOf = query;
    return;
  }
  const { view, lights = false } = route;
  if (route.diff !== undefined || view === 'compare') app.diff = route.diff;
  if (sessionId === undefined) await app.show(connection, view, query ?? '', lights);
  else await app.pickSession(connection, sessionId, view, query ?? '', lights);
  showPanes(app.panes, route);
  app.playhead = undefined;
  if (frame !== undefined) await app.jump(frame);
}

/** What the address does not say stays as it is. */
function showPanes(panes: Panes, { hidden = [], drawer }: Route): void {
  if (hidden.includes('rail')) panes.railOpen = false;
  if (hidden.includes('detail')) panes.detailOpen = false;
  if (drawer === 'none') panes.drawerOpen = false;
  else if (drawer) panes.openDrawer(drawer);
}
