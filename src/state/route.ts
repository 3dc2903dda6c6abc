// What an address says: `#/trace/<connection>/frame/33?q=is:replay&at=12&hide=rail&drawer=waiting`.
// An address only ever chooses what is shown; it does nothing.
import { connectionId, seq, type ConnectionId, type Seq } from '../trace/event.ts';
import { DRAWERS, SUITES, viewNamed, type Drawer, type View } from './views.ts';

const PANES = ['rail', 'detail'] as const;

type HiddenPane = (typeof PANES)[number];
/** The tab that the drawer is open at, or none. */
type DrawerShown = Drawer | 'none';

export interface Route {
  readonly view: View;
  readonly connection?: ConnectionId;
  readonly sessionId?: string;
  readonly frame?: Seq;
  readonly query?: string;
  /** What the query does not match is shown too. */
  readonly lights?: boolean;
  /** What is compared: see diff-pair.ts. */
  readonly diff?: string;
  /** The selected suite of Checks, and its case: see test.svelte.ts. Absent: the findings. */
  readonly test?: string;
  /** Where the playhead stands; absent: at the live end. */
  readonly playhead?: Seq;
  /** Panes that are closed. */
  readonly hidden?: readonly HiddenPane[];
  /** Absent: as it is by itself in that view. */
  readonly drawer?: DrawerShown;
}

/** Undefined: no address of ours. Parts that say nothing sensible are left out. */
export function parseRoute(hash: string): Route | undefined {
  if (!hash.startsWith('#/')) return undefined;
  const [path = '', search = ''] = hash.slice(2).split(/\?(.*)/s);
  const [name, connection, ...rest] = path.split('/').map(decode);
  // Suites were views once.
  const suite = SUITES.find((known) => known.suite === name)?.suite;
  const view = suite ? 'checks' : viewNamed(name);
  if (!view) return undefined;
  const parts = new Map<string, string>();
  for (let i = 0; i + 1 < rest.length; i += 2) parts.set(rest[i] ?? '', rest[i + 1] ?? '');
  const frame = seqOf(parts.get('frame'));
  const sessionId = parts.get('session');
  const said = new Map([...new URLSearchParams(search)]);
  const query = said.get('q');
  // The view of two traces was a view of its own once, and so were the tests of an agent.
  const diff = said.get('diff') ?? (name === 'diff' ? connection : undefined);
  const test = suite ?? said.get('test') ?? (name === 'test' ? 'probes' : undefined);
  const playhead = seqOf(said.get('at'));
  const closed = said.get('hide')?.split(',') ?? [];
  const hidden = PANES.filter((pane) => closed.includes(pane));
  const drawer = [...DRAWERS.map((known) => known.drawer), 'none' as const].find(
    (known) => known === said.get('drawer'),
  );
  return {
    view,
    ...(connection && { connection: connectionId(connection) }),
    ...(sessionId && { sessionId }),
    ...(frame !== undefined && { frame }),
    ...(query && { query }),
    ...(said.get('rest') === 'shown' && { lights: true }),
    ...(diff && { diff }),
    ...(test && { test }),
    ...(playhead !== undefined && { playhead }),
    ...(hidden.length > 0 && { hidden }),
    ...(drawer && { drawer }),
  };
}

export function formatRoute(route: Route): string {
  const parts: string[] = [route.view];
  if (route.connection !== undefined) {
    parts.push(route.connection);
    if (route.sessionId !== undefined) parts.push('session', route.sessionId);
    if (route.frame !== undefined) parts.push('frame', String(route.frame));
  }
  const said: string[] = [];
  if (route.query) said.push(`q=${encodeURIComponent(route.query)}`);
  if (route.lights) said.push('rest=shown');
  if (route.diff) said.push(`diff=${encodeURIComponent(route.diff)}`);
  if (route.test) said.push(`test=${encodeURIComponent(route.test)}`);
  if (route.playhead !== undefined) said.push(`at=${route.playhead}`);
  if (route.hidden && route.hidden.length > 0) said.push(`hide=${route.hidden.join(',')}`);
  if (route.drawer) said.push(`drawer=${route.drawer}`);
  const search = said.length > 0 ? `?${said.join('&')}` : '';
  return `#/${parts.map(encodeURIComponent).join('/')}${search}`;
}

function seqOf(words: string | undefined): Seq | undefined {
  const number = /^[1-9]\d*$/.test(words ?? '') ? Number(words) : 0;
  return number > 0 && Number.isSafeInteger(number) ? seq(number) : undefined;
}

export function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
