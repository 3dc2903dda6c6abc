// What an address says: `#/trace/<connection>/frame/33?q=is:replay`. An address only ever chooses
// what is shown; it does nothing.
import { connectionId, seq, type ConnectionId, type Seq } from '../trace/event.ts';

const VIEWS = ['trace', 'conversation', 'restore', 'findings', 'connect'] as const;

export interface Route {
  readonly view: (typeof VIEWS)[number];
  readonly connection?: ConnectionId;
  readonly sessionId?: string;
  readonly frame?: Seq;
  readonly query?: string;
}

/** Undefined: no address of ours. Parts that say nothing sensible are left out. */
export function parseRoute(hash: string): Route | undefined {
  if (!hash.startsWith('#/')) return undefined;
  const [path = '', search = ''] = hash.slice(2).split(/\?(.*)/s);
  const [name, connection, ...rest] = path.split('/').map(decode);
  const view = VIEWS.find((known) => known === name);
  if (!view) return undefined;
  const parts = new Map<string, string>();
  for (let i = 0; i + 1 < rest.length; i += 2) parts.set(rest[i] ?? '', rest[i + 1] ?? '');
  const frame = Number(parts.get('frame'));
  const sessionId = parts.get('session');
  const query = new Map([...new URLSearchParams(search)]).get('q');
  return {
    view,
    ...(connection && { connection: connectionId(connection) }),
    ...(sessionId && { sessionId }),
    ...(Number.isSafeInteger(frame) && frame > 0 && { frame: seq(frame) }),
    ...(query && { query }),
  };
}

export function formatRoute(route: Route): string {
  const parts: string[] = [route.view];
  if (route.connection !== undefined) {
    parts.push(route.connection);
    if (route.sessionId !== undefined) parts.push('session', route.sessionId);
    if (route.frame !== undefined) parts.push('frame', String(route.frame));
  }
  const search = route.query ? `?q=${encodeURIComponent(route.query)}` : '';
  return `#/${parts.map(encodeURIComponent).join('/')}${search}`;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
