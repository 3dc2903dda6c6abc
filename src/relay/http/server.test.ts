import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import {
  getFrom,
  makeFolders,
  rawRequest,
  RelayTest,
  removeFolders,
  startTestRelay,
  statusOf,
  tokenOf,
} from '../../test/programs/relay-fixture.ts';
import { listeningAt } from '../../test/programs/listening.ts';
import { askForLink } from '../running.ts';
import { buildIn, openFiles } from './files.ts';
import { SECURITY_HEADERS } from './headers.ts';
import { ownerProof } from './keys.ts';
import type { RunningRelay } from '../start-relay.ts';

let here: RelayTest;
let relay: RunningRelay;
let token: string;
let origin: string;

beforeAll(async () => {
  here = new RelayTest();
  relay = await here.relay({ trustPage: false });
  origin = `http://127.0.0.1:${relay.port}`;
  token = await tokenOf(relay);
});
afterAll(() => here.close());

const withoutDate = (answer: string) => answer.replace(/^Date: .*$/m, '');
const get = (target: string, more = '', running = relay) => getFrom(running, target, more);

function post(target: string, body: string, more = '', running = relay): Promise<string> {
  const host = `127.0.0.1:${running.port}`;
  const head = `POST ${target} HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return rawRequest(running.port, `${head}${more}\r\n${body}`);
}

function upgrade(more: string, from = origin): Promise<string> {
  return rawRequest(
    relay.port,
    `GET /ws HTTP/1.1\r\nHost: 127.0.0.1:${relay.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: ${from}\r\n${more}\r\n`,
  );
}

test('S-01 T-12: every answer carries the whole policy, byte for byte, and none speaks CORS', async () => {
  const answers = [
    await get('/'),
    await get('/assets/app-1234.js'),
    await get('/nothing'),
    await get('/api/health', `Authorization: Bearer ${token}\r\n`),
    await upgrade('Sec-WebSocket-Protocol: acp-scope.v1\r\n'),
  ];
  expect(answers.map(statusOf)).toEqual([200, 200, 404, 200, 401]);
  for (const answer of answers) {
    for (const [name, value] of Object.entries(SECURITY_HEADERS))
      expect(answer).toContain(`${name}: ${value}\r\n`);
    expect(answer.toLowerCase()).not.toContain('access-control-');
  }
  expect(SECURITY_HEADERS['Content-Security-Policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'; require-trusted-types-for 'script'; trusted-types svelte-trusted-html acp-scope-worker",
  );
  expect(answers[0]).toContain('Cache-Control: no-store');
  expect(answers[1]).toContain('Cache-Control: public, max-age=31536000, immutable');
});

test('R-49: a build beside a running relay changes nothing of the page it serves, and is told of', async () => {
  const { dist, state } = here.folders;
  const script = join(dist, 'assets', 'app-1234.js');
  const index = join(dist, 'index.html');
  const [before, build] = [await get('/'), buildIn(dist)];
  expect((await askForLink(state, relay.port)) as object).toMatchObject({ build });
  writeFileSync(index, '<!doctype html><title>built since</title>');
  rmSync(script);
  expect(await get('/')).toContain('<title>page</title>');
  expect(await get('/assets/app-1234.js')).toContain('export {}');
  expect(buildIn(dist)).not.toBe(build);
  writeFileSync(index, '<!doctype html><title>page</title>');
  writeFileSync(script, 'export {}');
  expect(withoutDate(await get('/'))).toBe(withoutDate(before));
});

test('what a browser has already is not sent again', async () => {
  const [, tag = ''] = /^ETag: (.*)$/m.exec(await get('/')) ?? [];
  const again = await get('/', `If-None-Match: ${tag.trim()}\r\n`);
  expect(statusOf(again)).toBe(304);
  expect(again).not.toContain('<title>');
});

test('T-01: only this machine can connect', async () => {
  const addresses = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).filter(({ internal, family }) => !internal && family === 'IPv4'),
  );
  if (process.platform === 'linux') expect(listeningAt(relay.port)).toEqual(['0100007F']);
  for (const { address } of addresses) {
    const outcome = await new Promise((resolve) => {
      const socket: Socket = connect(relay.port, address, () => resolve('connected'));
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    });
    expect(outcome).not.toBe('connected');
  }
});

test('T-02: a foreign Host is refused with the address to open instead, on files too', async () => {
  const answer = await rawRequest(
    relay.port,
    `GET /assets/app-1234.js HTTP/1.1\r\nHost: rebind.evil.example:${relay.port}\r\n\r\n`,
  );
  expect(statusOf(answer)).toBe(403);
  expect(answer).toContain('"error":"host_not_allowed"');
  expect(answer).toContain(`Open ${origin} instead.`);
});

test('T-03: a missing, empty or repeated Host, HTTP/1.0 and odd targets are 400', async () => {
  const host = `Host: 127.0.0.1:${relay.port}\r\n`;
  for (const text of [
    'GET / HTTP/1.1\r\n\r\n',
    'GET / HTTP/1.0\r\n\r\n',
    `GET / HTTP/1.0\r\n${host}\r\n`,
    `GET / HTTP/1.1\r\n${host}${host}\r\n`,
    `GET / HTTP/1.1\r\n${host}Host: evil\r\n\r\n`,
    `GET http://evil/ HTTP/1.1\r\n${host}\r\n`,
    `GET ${origin}/ HTTP/1.1\r\n${host}\r\n`,
    `GET /#x HTTP/1.1\r\n${host}\r\n`,
    `GET //evil/ HTTP/1.1\r\n${host}\r\n`,
  ])
    expect([text, statusOf(await rawRequest(relay.port, text))]).toEqual([text, 400]);
  const empty = await rawRequest(relay.port, 'GET / HTTP/1.1\r\nHost:\r\n\r\n');
  expect([400, 403]).toContain(statusOf(empty));
});

test('T-06 R-25: the right key opens the socket; the answer does not repeat it, and nothing is deflated', async () => {
  const answer = await upgrade(
    `Sec-WebSocket-Protocol: acp-scope.v1, auth.${token}\r\nSec-WebSocket-Extensions: permessage-deflate\r\n`,
  );
  expect(statusOf(answer)).toBe(101);
  expect(answer).toContain('Sec-WebSocket-Protocol: acp-scope.v1\r\n');
  expect(answer).not.toContain(token);
  expect(answer.toLowerCase()).not.toContain('permessage-deflate');
});

test('T-04 T-05: with the right key, a foreign origin gets no socket', async () => {
  for (const from of ['null', 'https://evil.example', 'http://127.0.0.1:3000', `${origin}.evil`]) {
    const answer = await upgrade(`Sec-WebSocket-Protocol: acp-scope.v1, auth.${token}\r\n`, from);
    expect(statusOf(answer)).toBe(403);
    expect(answer).toContain('"error":"origin_not_allowed"');
  }
});

test('T-07: addresses that broke other tools lead nowhere here', async () => {
  for (const target of ['/sse?transportType=stdio&command=id', '/file/content?path=/etc/passwd'])
    expect(statusOf(await get(target))).toBe(404);
  for (const target of ['/api/mcp/connect', '/session/x/shell'])
    expect(statusOf(await post(target, '{}'))).toBe(404);
});

test('T-11: a preflight gets nothing', async () => {
  const answer = await rawRequest(
    relay.port,
    `OPTIONS /api/link HTTP/1.1\r\nHost: 127.0.0.1:${relay.port}\r\nOrigin: https://evil.example\r\nAccess-Control-Request-Method: POST\r\nAccess-Control-Request-Private-Network: true\r\n\r\n`,
  );
  expect(statusOf(answer)).toBe(403);
  expect(answer.toLowerCase()).not.toContain('access-control-');
});

test('T-13: no address can hurt the relay', async () => {
  for (const target of ['/%E0%A4%A', '/%00', '/%', '/a%2'])
    expect([target, statusOf(await get(target))]).toEqual([target, 400]);
  expect([414, 431]).toContain(statusOf(await get('/' + 'a'.repeat(65_536))));
  expect(statusOf(await get('/'))).toBe(200);
});

test('T-14: nothing outside the list of files is ever served', async () => {
  const targets = [
    '/..%2f..%2fetc%2fpasswd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/....//',
    '/..\\..\\windows\\win.ini',
    '/C:/windows/win.ini',
    '/assets/../../package.json',
    '/assets/../index.html',
    '/a#/../../etc/passwd',
    '/app.js%00.html',
    '/app.js::$DATA',
    '/NUL',
    '/@fs/etc/passwd?raw??',
    '/.env',
    '/index',
    '/assets',
    '/assets/',
  ];
  for (const target of targets) {
    const answer = await get(target);
    expect([target, [400, 404].includes(statusOf(answer))]).toEqual([target, true]);
    expect(answer).not.toContain('root:');
  }
  const piece = fc.constantFrom(
    '..',
    '%2e',
    '%2f',
    '/',
    '\\',
    '%5c',
    'etc',
    'passwd',
    '%',
    '~',
    '.',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 8 }), async (pieces) => {
      const answer = await get('/' + pieces.join(''));
      expect([400, 404]).toContain(statusOf(answer));
    }),
    { numRuns: 150 },
  );
});

test('T-15: a page with a link in its folder is not served', async () => {
  for (const [place, to] of [
    ['x', '/etc/passwd'],
    [join('assets', 'x'), '/etc/passwd'],
    [join('assets', 'folder'), '/etc'],
    ['dangling', '/nowhere'],
  ] as const) {
    const other = makeFolders();
    symlinkSync(to, join(other.dist, place));
    await expect(startTestRelay(other)).rejects.toThrow(`${place} is a symbolic link`);
    removeFolders(other);
  }
});

test('a page of which a file cannot be read is not served: which one it is, and the way out', () => {
  const other = makeFolders();
  writeFileSync(join(other.dist, 'gone.js'), '');
  const read = (file: string) => {
    if (file.endsWith('gone.js')) throw new Error('ENOENT: no such file');
    return readFileSync(file);
  };
  const files = openFiles(other.dist, read);
  const missing = typeof files === 'string' ? undefined : files.hold();
  expect(missing).toMatch(/gone\.js could not be read \(ENOENT.*npm run build/);
  removeFolders(other);
});

test('T-16: a request with thousands of headers is refused, and the relay answers on', async () => {
  const many = Array.from({ length: 5000 }, (_, i) => `X-${i}: y\r\n`).join('');
  expect(statusOf(await get('/', many))).toBe(431);
  // None is cut off behind the ones that are read.
  const some = (count: number) => Array.from({ length: count }, (_, i) => `X-${i}: y\r\n`).join('');
  expect(statusOf(await get('/', some(60)))).toBe(200);
  expect(statusOf(await get('/', `${some(64)}Sec-Fetch-Site: cross-site\r\n`))).toBe(431);
});

test('T-06 T-16: who is refused is not asked for a body first; who is let in is', async () => {
  const waits = 'Expect: 100-continue\r\n';
  const code = '{"code":"no"}';
  const first = (answer: string) => answer.split('\r\n')[0];
  expect(first(await post('/api/link', '{}', waits))).toContain(' 401 ');
  expect(first(await post('/api/code', code, `${waits}Sec-Fetch-Site: cross-site\r\n`))).toContain(
    ' 403 ',
  );
  const answer = await post('/api/code', code, waits);
  expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 401 /);
});

test('P-05: an opened link lives a minute, a printed one until it is used', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const [opened, late, printed] = (['opened', 'opened', 'printed'] as const).map((use) =>
    JSON.stringify({ code: relay.url(use).split('#k=')[1] }),
  );
  vi.advanceTimersByTime(59_000);
  expect(statusOf(await post('/api/code', opened ?? ''))).toBe(200);
  vi.advanceTimersByTime(2_000);
  const answer = await post('/api/code', late ?? '');
  expect([statusOf(answer), answer.includes('"error":"code_expired"')]).toEqual([401, true]);
  vi.advanceTimersByTime(24 * 3600 * 1000);
  expect(statusOf(await post('/api/code', printed ?? ''))).toBe(200);
});

test('P-05: a code works once', async () => {
  const [, code = ''] = relay.url('printed').split('#k=');
  expect(relay.url('printed')).toMatch(new RegExp(`^${origin}/#k=[\\w-]{22}$`));
  const first = await post('/api/code', JSON.stringify({ code }));
  expect(statusOf(first)).toBe(200);
  expect(first).toContain(token);
  const second = await post('/api/code', JSON.stringify({ code }));
  expect(statusOf(second)).toBe(401);
  expect(second).toContain('"error":"code_used"');
  expect(statusOf(await post('/api/code', '['))).toBe(400);
  expect(statusOf(await post('/api/code', JSON.stringify({ code: 'x'.repeat(70_000) })))).toBe(413);
});

test("P-06: a page's token makes no links, nor does the owner's secret said aloud; only a proof of it does", async () => {
  const ask = (key: string) => post('/api/link', '{}', `Authorization: Bearer ${key}\r\n`);
  expect(statusOf(await ask(token))).toBe(401);
  const file = join(here.folders.state, `relay-${relay.port}.json`);
  const { secret } = JSON.parse(readFileSync(file, 'utf8')) as { secret: string };
  expect(statusOf(await ask(secret))).toBe(401);
  expect(statusOf(await ask(ownerProof('another', 'asks', 'nonce')))).toBe(401);
  expect(statusOf(await ask(ownerProof(secret, 'answers', 'nonce')))).toBe(401);
  const answer = await ask(ownerProof(secret, 'asks', 'nonce'));
  expect(statusOf(answer)).toBe(200);
  expect(answer).toContain(`"url":"${origin}/#k=`);
  expect(answer).toContain(`"proof":"${ownerProof(secret, 'answers', 'nonce')}"`);
  expect(answer).not.toContain(secret);
});

test('T-10 L-01: no file that is served, and nothing in the spool, holds a secret', async () => {
  mkdirSync(join(here.folders.dist, 'more'), { recursive: true });
  writeFileSync(join(here.folders.dist, 'more', 'late.txt'), 'made after the start');
  expect(statusOf(await get('/more/late.txt'))).toBe(404);
  const note = readFileSync(join(here.folders.state, `relay-${relay.port}.json`), 'utf8');
  const { secret } = JSON.parse(note) as { secret: string };
  for (const target of ['/', '/index.html', '/assets/app-1234.js', '/nothing', '/api/code'])
    for (const key of [token, secret]) expect(await get(target)).not.toContain(key);
  const state = readdirSync(here.folders.state, { recursive: true, withFileTypes: true });
  for (const entry of state.filter((entry) => entry.isFile()))
    expect(readFileSync(join(entry.parentPath, entry.name), 'utf8')).not.toContain(token);
});
