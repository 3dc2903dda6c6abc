// Every address the relay answers, and what each asks for. What is not here is 404. The page's own
// files are the one public part; they hold no secret.

/** `page`: the per-run token a page trades its code for. `owner`: the secret of the state folder. */
export type AccessKey = 'page' | 'owner';

interface HttpRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Undefined: public. */
  readonly key: AccessKey | undefined;
  /** Answers a WebSocket upgrade and nothing else. */
  readonly upgrade?: true;
}

export const ROUTES = [
  /** Trades a one-time code for the token. */
  { method: 'POST', path: '/api/code', key: undefined },
  /** Tells a page whether its token holds. */
  { method: 'GET', path: '/api/health', key: 'page' },
  /** A fresh link, for `acp-scope open` and for a second start; with a file, for that. */
  { method: 'POST', path: '/api/link', key: 'owner' },
  /** The file that a link was made for, once, for the page that came by it. */
  { method: 'POST', path: '/api/file', key: 'page' },
  { method: 'GET', path: '/ws', key: 'page', upgrade: true },
] as const satisfies readonly HttpRoute[];

export type RoutePath = (typeof ROUTES)[number]['path'];
