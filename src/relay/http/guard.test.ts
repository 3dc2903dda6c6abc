import { expect, test } from 'vitest';
import { judgeRequest, type RequestHead, type Policy } from './guard.ts';
import { ROUTES } from './routes.ts';

const PORT = 7717;
const CANONICAL = `http://127.0.0.1:${PORT}`;
const policy: Policy = {
  port: PORT,
  isFile: (path) => ['/', '/index.html', '/assets/app-1.js'].includes(path),
  holds: (key, secret) => secret === key,
};

interface Case {
  readonly method: string;
  readonly target: string;
  readonly host: string;
  readonly origin: string | undefined;
  readonly site: string | undefined;
  readonly token: string | undefined;
  readonly upgrade: boolean;
}

const HOSTS = [
  `127.0.0.1:${PORT}`,
  `LOCALHOST:${PORT}`,
  `[::1]:${PORT}`,
  `rebind.evil.example:${PORT}`,
  'evil.com',
  `127.0.0.1.nip.io:${PORT}`,
  `localhost.evil.com:${PORT}`,
  '127.0.0.1',
  '127.0.0.1:1',
  `127.1:${PORT}`,
  `0.0.0.0:${PORT}`,
  `foo.localhost:${PORT}`,
  `localhost.:${PORT}`,
  `2130706433:${PORT}`,
  `[::ffff:127.0.0.1]:${PORT}`,
  `127.0.0.1:${PORT}@evil`,
];
const ORIGINS = [
  undefined,
  'null',
  CANONICAL,
  `http://localhost:${PORT}`,
  `http://[::1]:${PORT}`,
  'https://evil.example',
  'http://127.0.0.1:3000',
  'http://127.0.0.1',
  `http://127.0.0.1:${PORT}.evil.example`,
  `https://127.0.0.1:${PORT}`,
  `HTTP://127.0.0.1:${PORT}`,
  `http://127.0.0.1:${PORT} `,
];
const SITES = [undefined, 'same-origin', 'none', 'same-site', 'cross-site'];
const TOKENS = [undefined, '', 'page', 'owner', 'pagf'];
const ASKS = [
  { method: 'GET', target: '/', upgrade: false },
  { method: 'GET', target: '/assets/app-1.js', upgrade: false },
  { method: 'GET', target: '/api/health', upgrade: false },
  { method: 'POST', target: '/api/link', upgrade: false },
  { method: 'GET', target: '/ws', upgrade: true },
];

function headOf({ method, target, host, origin, site, token, upgrade }: Case): RequestHead {
  const rawHeaders = ['Host', host];
  if (origin !== undefined) rawHeaders.push('Origin', origin);
  if (site !== undefined) rawHeaders.push('Sec-Fetch-Site', site, 'Sec-Fetch-Mode', 'cors');
  if (token !== undefined && upgrade)
    rawHeaders.push('Sec-WebSocket-Protocol', `acp-scope.v1, auth.${token}`);
  if (token !== undefined && !upgrade) rawHeaders.push('Authorization', `Bearer ${token}`);
  if (method === 'POST') rawHeaders.push('Content-Type', 'application/json');
  return { method, target, version: '1.1', rawHeaders, upgrade };
}

/** What is due, written apart from the guard: a list of rules, each of which alone refuses. */
function due({ method, target, host, origin, site, token, upgrade }: Case): number {
  if (HOSTS.indexOf(host) > 2) return 403;
  if (HOSTS.indexOf(host) > 0 && !upgrade) return 308;
  if (site === 'same-site' || site === 'cross-site') return 403;
  const ours = [CANONICAL, `http://localhost:${PORT}`, `http://[::1]:${PORT}`];
  if (origin === undefined ? upgrade || method === 'POST' : !ours.includes(origin)) return 403;
  const needs = target.startsWith('/api/link')
    ? 'owner'
    : /api|ws/.test(target)
      ? 'page'
      : undefined;
  return needs === undefined || token === needs ? 200 : 401;
}

test('T-02 T-04 T-06 T-08 T-09: every combination of Host, Origin, site and key is judged as due', () => {
  let count = 0;
  for (const ask of ASKS)
    for (const host of HOSTS)
      for (const origin of ORIGINS)
        for (const site of SITES)
          for (const token of TOKENS) {
            const one = { ...ask, host, origin, site, token };
            const verdict = judgeRequest(headOf(one), policy);
            expect([one, verdict.allowed ? 200 : verdict.status]).toEqual([one, due(one)]);
            count++;
          }
  expect(count).toBe(5 * 16 * 12 * 5 * 5);
});

test('T-03 T-04: a header that decides and comes twice decides nothing, whichever comes first', () => {
  const asks = { method: 'GET', target: '/ws', site: undefined, token: 'page', upgrade: true };
  const head = headOf({ ...asks, host: HOSTS[0] ?? '', origin: CANONICAL });
  const statusWith = (rawHeaders: readonly string[]) => {
    const verdict = judgeRequest({ ...head, rawHeaders }, policy);
    return verdict.allowed ? 200 : verdict.status;
  };
  expect(statusWith(head.rawHeaders)).toBe(200);
  for (const [name, value, due] of [
    ['Origin', 'https://evil.example', 403],
    ['Origin', CANONICAL, 403],
    ['Host', 'evil.example', 400],
    ['Host', HOSTS[0] ?? '', 400],
  ] as const) {
    expect(statusWith([...head.rawHeaders, name, value])).toBe(due);
    expect(statusWith([name, value, ...head.rawHeaders])).toBe(due);
  }
});

test('T-07: without a key only the public routes and the files answer, by their method alone', () => {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE'];
  const targets = [...ROUTES.map(({ path }) => path), '/', '/assets/app-1.js', '/api/x'];
  const open = methods.flatMap((method) =>
    targets.flatMap((target) =>
      [false, true].flatMap((upgrade) => {
        const one = { method, target, upgrade, host: `127.0.0.1:${PORT}`, origin: CANONICAL };
        const verdict = judgeRequest(headOf({ ...one, site: undefined, token: undefined }), policy);
        if (!verdict.allowed) expect([308, 401, 403, 404, 405]).toContain(verdict.status);
        return verdict.allowed ? [`${method} ${target}${upgrade ? ' upgrade' : ''}`] : [];
      }),
    ),
  );
  expect(open.sort()).toEqual([
    'GET /',
    'GET /assets/app-1.js',
    'HEAD /',
    'HEAD /assets/app-1.js',
    'POST /api/code',
  ]);
});

test('T-02: the other spellings of this machine are sent to the one address', () => {
  const head = { method: 'GET', target: '/?a=b', upgrade: false, version: '1.1' };
  const verdict = judgeRequest({ ...head, rawHeaders: ['host', `LocalHost:${PORT}`] }, policy);
  expect(verdict).toMatchObject({ status: 308, headers: { Location: `${CANONICAL}/?a=b` } });
});

test('attack row 18 (T-09): another page may open ours as a page, and in nothing of its own', () => {
  const head = (more: string[]): RequestHead => ({
    method: 'GET',
    target: '/',
    upgrade: false,
    version: '1.1',
    rawHeaders: ['Host', `127.0.0.1:${PORT}`, 'Sec-Fetch-Site', 'cross-site', ...more],
  });
  const navigate = ['Sec-Fetch-Mode', 'navigate', 'Sec-Fetch-Dest'];
  expect(judgeRequest(head([...navigate, 'document']), policy).allowed).toBe(true);
  for (const place of ['iframe', 'frame', 'embed', 'object', 'fencedframe', ''])
    expect(judgeRequest(head([...navigate, place]), policy)).toMatchObject({
      status: 403,
      error: 'cross_site_blocked',
    });
  expect(judgeRequest(head(['Sec-Fetch-Mode', 'no-cors']), policy).allowed).toBe(false);
});

test('T-06: two tokens, a token with a space, or one in the address, open nothing', () => {
  const head = (protocol: string, target = '/ws'): RequestHead => ({
    method: 'GET',
    target,
    upgrade: true,
    version: '1.1',
    rawHeaders: [
      ...['Host', `127.0.0.1:${PORT}`, 'Origin', CANONICAL],
      ...(protocol ? ['Sec-WebSocket-Protocol', protocol] : []),
    ],
  });
  expect(judgeRequest(head('acp-scope.v1, auth.page'), policy).allowed).toBe(true);
  for (const bad of ['acp-scope.v1, auth.page, auth.page', 'acp-scope.v1, auth.page ', 'auth.'])
    expect(judgeRequest(head(bad), policy)).toMatchObject({ status: 401, wrongKey: true });
  expect(judgeRequest(head('', '/ws?token=page'), policy)).toMatchObject({ status: 401 });
});

test('T-08: only exactly application/json is read', () => {
  const judged = (type: string) =>
    judgeRequest(
      {
        method: 'POST',
        target: '/api/code',
        upgrade: false,
        version: '1.1',
        rawHeaders: ['Host', `127.0.0.1:${PORT}`, 'Origin', CANONICAL, 'Content-Type', type],
      },
      policy,
    );
  expect(judged('application/json').allowed).toBe(true);
  for (const type of [
    'text/plain',
    'application/json; charset=utf-8',
    'application/x-www-form-urlencoded',
  ])
    expect(judged(type)).toMatchObject({ status: 415 });
});

test('S-17: the script of a service worker is answered at any address, for our own pages alone', () => {
  const judge = (method: string, host: string, ...more: string[]) =>
    judgeRequest(
      {
        method,
        target: '/tool/sw.js',
        rawHeaders: ['Host', host, 'Service-Worker', 'script', ...more],
        upgrade: false,
        version: '1.1',
      },
      policy,
    );
  const [own, other] = [`127.0.0.1:${PORT}`, 'rebind.evil.example'];
  expect(judge('GET', own)).toEqual({ allowed: true, kind: 'service worker' });
  expect(judge('POST', own, 'Origin', CANONICAL)).toMatchObject({ status: 405 });
  expect(judge('GET', other)).toMatchObject({ status: 403 });
  expect(judge('GET', own, 'Sec-Fetch-Site', 'cross-site')).toMatchObject({ status: 403 });
});
