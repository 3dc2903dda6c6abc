// Who may ask what: the one place, for every request and every upgrade, in a fixed order: form,
// Host, route and method, where it comes from, key, content type. The first failure answers. A
// pure function of the request's head, so that a table can test every combination.
import { ROUTES, type AccessKey, type RoutePath } from './routes.ts';

/** A request's head. `rawHeaders` as Node gives them: a repeated Host stands twice. */
export interface RequestHead {
  readonly method: string;
  readonly target: string;
  /** `1.1` */
  readonly version: string;
  readonly rawHeaders: readonly string[];
  readonly upgrade: boolean;
}

export interface Policy {
  readonly port: number;
  readonly isFile: (path: string) => boolean;
  readonly holds: (key: AccessKey, secret: string) => boolean;
}

export interface Refusal {
  readonly allowed: false;
  readonly status: number;
  /** For programs; `message` is one sentence that names the rule and the fix. */
  readonly error: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A wrong key: it counts against its connection. */
  readonly wrongKey?: true;
}

export type RequestVerdict =
  | { readonly allowed: true; readonly kind: 'file'; readonly path: string }
  | { readonly allowed: true; readonly kind: 'route'; readonly path: RoutePath }
  /** The script of a service worker: none is ours. */
  | { readonly allowed: true; readonly kind: 'service worker' }
  | Refusal;

const TOKEN_PROTOCOL = 'auth.';
const MOST_HEADERS = 64;

export function judgeRequest(head: RequestHead, policy: Policy): RequestVerdict {
  const canonical = `http://127.0.0.1:${policy.port}`;
  const path = pathOf(head.target);
  if (path === undefined)
    return refuse(400, 'bad_request', 'This address is malformed. Open ' + canonical + '.');
  if (head.version !== '1.1')
    return refuse(400, 'bad_request', `HTTP/${head.version} is not answered: use HTTP/1.1.`);
  if (head.rawHeaders.length > 2 * MOST_HEADERS)
    return refuse(431, 'too_many_headers', `More than ${MOST_HEADERS} headers are not read.`);
  const hosts = all(head, 'host');
  const [host] = hosts;
  if (host === undefined || hosts.length > 1)
    return refuse(400, 'bad_request', 'The request must carry exactly one Host header.');
  const spelling = spellingOf(host, policy.port);
  if (!spelling)
    return refuse(
      403,
      'host_not_allowed',
      `Host "${visible(host)}" is not allowed. Open ${canonical} instead.`,
    );
  if (head.method === 'OPTIONS')
    return refuse(403, 'origin_not_allowed', 'This relay answers no cross-origin questions.');
  if (spelling === 'other' && !head.upgrade)
    return {
      ...refuse(308, 'moved', `The page lives at ${canonical}.`),
      headers: { Location: canonical + head.target },
    };

  const target = find(head, path, policy);
  if (!target.allowed) return target;
  const origin = originFault(head, path, policy.port, canonical);
  if (origin) return origin;
  if (target.kind !== 'route') return target;

  const route = ROUTES.find((candidate) => candidate.path === target.path);
  const key = route?.key && keyFault(head, route.key, policy);
  if (key) return key;
  if (head.method === 'POST' && one(head, 'content-type') !== 'application/json')
    return refuse(
      415,
      'unsupported_media_type',
      'Content-Type must be application/json, with nothing after it.',
    );
  return target;
}

/** The path as written, without its query; undefined where the target is none a browser makes. */
function pathOf(target: string): string | undefined {
  if (!target.startsWith('/') || target.startsWith('//') || !/^[!-~]+$/.test(target))
    return undefined;
  if (target.includes('#') || target.includes('\\')) return undefined;
  const path = target.split('?', 1)[0] ?? '';
  try {
    return decodeURIComponent(path).includes('\0') ? undefined : path;
  } catch {
    return undefined;
  }
}

/** The one address, its two other spellings, or neither. The port counts. */
function spellingOf(host: string, port: number): 'canonical' | 'other' | undefined {
  if (host === `127.0.0.1:${port}`) return 'canonical';
  const other = host.toLowerCase() === `localhost:${port}` || host === `[::1]:${port}`;
  return other ? 'other' : undefined;
}

function find(head: RequestHead, path: string, policy: Policy): RequestVerdict {
  const here = ROUTES.filter((route) => route.path === path);
  const [first] = here;
  if (first) {
    const route = here.find(({ method }) => method === head.method);
    if (!route) return methodRefused(here.map(({ method }) => method).join(', '));
    if ('upgrade' in route === head.upgrade)
      return { allowed: true, kind: 'route', path: route.path };
  } else if (!head.upgrade && one(head, 'service-worker') === 'script') {
    if (head.method !== 'GET') return methodRefused('GET');
    return { allowed: true, kind: 'service worker' };
  } else if (!head.upgrade && policy.isFile(path)) {
    if (head.method !== 'GET' && head.method !== 'HEAD') return methodRefused('GET, HEAD');
    return { allowed: true, kind: 'file', path };
  }
  return refuse(404, 'not_found', 'There is nothing at this address.');
}

/** Nothing that another page asked for, on whatever port it lives. */
function originFault(
  head: RequestHead,
  path: string,
  port: number,
  canonical: string,
): Refusal | undefined {
  const site = one(head, 'sec-fetch-site');
  const opened =
    path === '/' &&
    one(head, 'sec-fetch-mode') === 'navigate' &&
    (one(head, 'sec-fetch-dest') ?? 'document') === 'document';
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !opened)
    return refuse(403, 'cross_site_blocked', 'Another page asked for this. Only our own may.');
  const origins = all(head, 'origin');
  const needed = head.upgrade || head.method === 'POST';
  if (origins.length === 0 && !needed) return undefined;
  const [origin] = origins;
  const own = [canonical, `http://localhost:${port}`, `http://[::1]:${port}`];
  if (origins.length === 1 && origin !== undefined && own.includes(origin)) return undefined;
  return refuse(
    403,
    'origin_not_allowed',
    `Origin ${origin === undefined ? '(none)' : visible(origin)} is not allowed. This relay serves only ${canonical}.`,
  );
}

/** The key comes in a header of ours, never in the address. */
function keyFault(head: RequestHead, key: AccessKey, policy: Policy): Refusal | undefined {
  const secret = head.upgrade ? offeredToken(head) : bearer(head);
  if (secret !== undefined && policy.holds(key, secret)) return undefined;
  return {
    ...refuse(
      401,
      'unauthorized',
      'The key is missing or no longer valid. Run "acp-scope open" for a fresh link.',
    ),
    wrongKey: true,
  };
}

function bearer(head: RequestHead): string | undefined {
  const value = one(head, 'authorization');
  return value?.startsWith('Bearer ') ? value.slice('Bearer '.length) : undefined;
}

function offeredToken(head: RequestHead): string | undefined {
  const offered = all(head, 'sec-websocket-protocol').flatMap((value) => value.split(/, ?/));
  const tokens = offered.filter((name) => name.startsWith(TOKEN_PROTOCOL));
  return tokens.length === 1 ? tokens[0]?.slice(TOKEN_PROTOCOL.length) : undefined;
}

function all({ rawHeaders }: RequestHead, name: string): string[] {
  return rawHeaders.flatMap((field, i) =>
    i % 2 === 0 && field.toLowerCase() === name ? [rawHeaders[i + 1] ?? ''] : [],
  );
}

/** Undefined too where the header stands more than once. */
function one(head: RequestHead, name: string): string | undefined {
  const values = all(head, name);
  return values.length === 1 ? values[0] : undefined;
}

function methodRefused(allow: string): Refusal {
  const refusal = refuse(405, 'method_not_allowed', `Only ${allow} is answered here.`);
  return { ...refusal, headers: { Allow: allow } };
}

function refuse(status: number, error: string, message: string): Refusal {
  return { allowed: false, status, error, message };
}

function visible(text: string): string {
  return text.replace(/[^\x21-\x7e]/g, '?').slice(0, 100);
}
