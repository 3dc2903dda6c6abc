import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  makeFolders,
  removeFolders,
  startTestRelay,
  TestPage,
} from '../test/programs/relay-fixture.ts';
import { connectionId, seq } from '../trace/event.ts';
import { LinkClient, type LinkStatus, type Socket } from './client.ts';
import { NO_KEY, STALE } from './entry.ts';
import { encodeEvents } from './events.ts';
import { LINK_VERSION, type RelayEvent } from './messages.ts';

/** A socket whose other end is the test. */
class FakeSocket implements Socket {
  static made: FakeSocket[] = [];
  binaryType = '';
  onopen: Socket['onopen'] = null;
  onmessage: Socket['onmessage'] = null;
  onclose: Socket['onclose'] = null;
  onerror: Socket['onerror'] = null;
  readonly sent: { type: string }[] = [];
  closed = false;
  readonly url: string;
  readonly protocols: string[];
  constructor(url: string, protocols: string[]) {
    this.url = url;
    this.protocols = protocols;
    FakeSocket.made.push(this);
  }
  send(text: string) {
    this.sent.push(JSON.parse(text) as { type: string });
  }
  close() {
    this.closed = true;
  }
  welcome(protocol = LINK_VERSION) {
    this.onopen?.();
    this.say({ type: 'welcome', protocol });
  }
  say(event: object) {
    this.onmessage?.({ data: JSON.stringify(event) });
  }
  get types() {
    return this.sent.map(({ type }) => type);
  }
}

let statuses: LinkStatus[];
let events: RelayEvent[];
let batches: string[];
let tokens: (string | undefined)[];
let given: unknown[];
let client: LinkClient;
let answers: Record<string, () => Response>;

beforeEach(() => {
  vi.useFakeTimers();
  [statuses, events, batches, tokens, given, FakeSocket.made] = [[], [], [], [], [], []];
  answers = {
    '/api/code': () => Response.json({ token: 'T' }),
    '/api/health': () => Response.json({}),
  };
  vi.stubGlobal('fetch', (url: string) => {
    const answer = answers[new URL(url).pathname];
    return answer ? Promise.resolve(answer()) : Promise.reject(new TypeError('refused'));
  });
  client = new LinkClient({
    origin: 'http://127.0.0.1:7717',
    WebSocket: FakeSocket,
    handlers: {
      onStatus: (status) => statuses.push(status),
      onToken: (token) => tokens.push(token),
      onGiven: (file, bytes) => given.push([file, bytes]),
      onEvent: (event) => events.push(event),
      onEvents: ({ bytes }) => batches.push(new TextDecoder().decode(bytes)),
    },
  });
});
afterEach(() => {
  client.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const settle = () => vi.advanceTimersByTimeAsync(0);
const last = () => FakeSocket.made.at(-1) as FakeSocket;

test('a code is traded for a token, and the socket opens with it and not in the address', async () => {
  client.enter('code', undefined);
  await settle();
  expect(tokens).toEqual(['T']);
  expect(last().url).toBe('ws://127.0.0.1:7717/ws');
  expect(last().protocols).toEqual(['acp-scope.v1', 'auth.T']);
  last().welcome();
  expect(last().types).toEqual(['hello']);
  expect(statuses.map(({ status }) => status)).toEqual(['connecting', 'open']);
});

test('a file that came with the code is fetched by it, once the page is let in', async () => {
  answers['/api/code'] = () => Response.json({ token: 'T', file: { name: 'a.ndjson', frame: 3 } });
  answers['/api/file'] = () => Response.json({ message: 'It is gone.' }, { status: 404 });
  client.enter('code', undefined);
  await vi.waitFor(() => expect(given).toHaveLength(1));
  expect(given).toEqual([[{ name: 'a.ndjson', frame: 3 }, { message: 'It is gone.' }]]);
});

test('what is said before the link is open is kept, but what belongs to one link is not', async () => {
  client.command({ type: 'presets', request: 1 });
  client.enter(undefined, 'T');
  await settle();
  client.command({ type: 'ack', connection: connectionId('c'), seq: seq(3) });
  client.command({ type: 'forget', connection: connectionId('c') });
  last().welcome();
  expect(last().types).toEqual(['hello', 'presets', 'forget']);
});

test('events arrive as the bytes of their lines', async () => {
  client.enter(undefined, 'T');
  await settle();
  last().welcome();
  const head = { connection: connectionId('c'), first: seq(1), last: seq(2) };
  const message = encodeEvents(head, new TextEncoder().encode('{"a":1}\n{"b":2}\n'));
  last().onmessage?.({ data: message.buffer });
  expect(batches).toEqual(['{"a":1}\n{"b":2}\n']);
});

test('a lost link comes back by itself, ever more slowly while nothing answers', async () => {
  client.enter(undefined, 'T');
  await settle();
  last().welcome();
  const waits: number[] = [];
  for (let i = 0; i < 7; i++) {
    const before = FakeSocket.made.length;
    last().onclose?.({ code: 1006 });
    await settle();
    let waited = 0;
    for (; FakeSocket.made.length === before; waited += 100) await vi.advanceTimersByTimeAsync(100);
    waits.push(waited);
  }
  expect(waits).toEqual([200, 400, 800, 1600, 3200, 5000, 5000]);
  expect(statuses.at(-1)).toMatchObject({ status: 'lost' });
  last().welcome();
  expect(statuses.at(-1)).toEqual({ status: 'open' });
  last().onclose?.({ code: 1001 });
  await vi.advanceTimersByTimeAsync(200);
  expect(FakeSocket.made).toHaveLength(9);
});

test('attack row 4 (S-04): a page that is refused keeps its token, says why, and comes back', async () => {
  client.enter(undefined, 'T');
  await settle();
  last().welcome();
  last().onclose?.({ code: 4400, reason: 'bad_message: it is not JSON' });
  await settle();
  expect(statuses.at(-1)).toMatchObject({ status: 'lost', why: 'bad_message: it is not JSON' });
  await vi.advanceTimersByTimeAsync(4_000);
  expect(FakeSocket.made).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(last().protocols[1]).toBe('auth.T');
  expect(tokens).toEqual([]);
  last().welcome();
  expect(statuses.at(-1)).toEqual({ status: 'open' });
  last().onclose?.({ code: 1006, reason: '' });
  expect(statuses.at(-1)).not.toHaveProperty('why');
});

test('attack row 4 (S-04): a command too large for the link is answered, not sent', async () => {
  client.enter(undefined, 'T');
  await settle();
  last().welcome();
  const connection = connectionId('c');
  // As JSON, each takes six bytes.
  const content = '\u0001'.repeat(12_000_000);
  const call = { op: 'fs/write_text_file', path: '/a', content } as const;
  client.command({ type: 'host', request: 3, connection, call });
  expect(events.at(-1)).toMatchObject({
    ...{ type: 'problem', request: 3, connection },
    problem: { code: 'bad_message', message: expect.stringContaining('67 MB') as string },
  });
  client.command({ type: 'ping' });
  expect(last().types).toEqual(['hello', 'ping']);
});

test('a token of an earlier relay is told apart from a relay that is down', async () => {
  client.enter(undefined, 'old');
  await settle();
  answers['/api/health'] = () => Response.json({}, { status: 401 });
  last().onclose?.({ code: 1006 });
  await settle();
  expect(statuses.at(-1)).toEqual({ status: 'refused', message: STALE });
  expect(tokens).toEqual([undefined]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(FakeSocket.made).toHaveLength(1);
});

test('T-17: a page of an earlier relay says one wrong key, not two, when the next relay is there', async () => {
  client.enter(undefined, 'old');
  await settle();
  delete answers['/api/health'];
  last().onclose?.({ code: 1006 });
  await settle();
  expect(statuses.at(-1)).toMatchObject({ status: 'lost' });
  let asked = 0;
  answers['/api/health'] = () => {
    asked++;
    return Response.json({}, { status: 401 });
  };
  await vi.advanceTimersByTimeAsync(60_000);
  expect(statuses.at(-1)).toEqual({ status: 'refused', message: STALE });
  expect([asked, FakeSocket.made.length]).toEqual([1, 1]);
});

test('a used link gives its sentence, unless this tab is let in already', async () => {
  answers['/api/code'] = () => Response.json({ message: 'Used already.' }, { status: 401 });
  client.enter('used', undefined);
  await settle();
  expect(statuses.at(-1)).toEqual({ status: 'refused', message: 'Used already.' });
  client.enter('used', 'T');
  await settle();
  expect(last().protocols[1]).toBe('auth.T');
  client.enter(undefined, undefined);
  await settle();
  expect(statuses.at(-1)).toEqual({ status: 'refused', message: NO_KEY });
});

test('a relay that is not up yet when the page enters is tried again with the same code', async () => {
  const trade = answers['/api/code'] as () => Response;
  delete answers['/api/code'];
  client.enter('code', undefined);
  await settle();
  expect(statuses.at(-1)).toMatchObject({ status: 'lost' });
  answers['/api/code'] = trade;
  await vi.advanceTimersByTimeAsync(500);
  expect(last().protocols[1]).toBe('auth.T');
});

test('R-31: a link that is silent for 35 s is dead, one that answers pings is not', async () => {
  client.enter(undefined, 'T');
  await settle();
  last().welcome();
  for (let i = 0; i < 5; i++) {
    await vi.advanceTimersByTimeAsync(20_000);
    last().say({ type: 'pong' });
  }
  expect(last().types.filter((type) => type === 'ping')).toHaveLength(5);
  expect(events).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(35_000);
  expect(FakeSocket.made[0]?.closed).toBe(true);
  expect(statuses.at(-1)).toMatchObject({ status: 'lost' });
});

test('N10 R-30: after a wake-up a dead link is found within two seconds', async () => {
  client.enter(undefined, 'T');
  await settle();
  last().welcome();
  client.wake();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(FakeSocket.made).toHaveLength(2);
  delete answers['/api/health'];
  for (let i = 0; i < 6; i++) {
    last().onclose?.({ code: 1006 });
    await vi.advanceTimersByTimeAsync(5_000);
  }
  const before = FakeSocket.made.length;
  last().onclose?.({ code: 1006 });
  await settle();
  client.wake();
  await settle();
  expect(FakeSocket.made).toHaveLength(before + 1);
});

test('R-49: a page and a relay of different versions ask for a reload', async () => {
  client.enter(undefined, 'T');
  await settle();
  last().welcome(LINK_VERSION + 1);
  expect(statuses.at(-1)).toMatchObject({
    status: 'refused',
    message: expect.stringContaining('Reload the page') as string,
  });
});

test('with a real relay: in by the code, again by the token, refused after its restart', async () => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  const folders = makeFolders();
  const relay = await startTestRelay(folders);
  const page = new TestPage(relay.port);
  page.client.enter(relay.url('opened').split('#k=')[1], undefined);
  const token = await page.until(() => page.token);
  await page.told1('welcome');
  const again = new TestPage(relay.port);
  again.client.enter(undefined, token);
  await again.told1('welcome');
  await relay.close();
  await again.until(() => again.status?.status === 'lost');
  const next = await startTestRelay(folders, { port: relay.port });
  await again.until(() => again.status?.status === 'refused');
  expect([token, again.token]).toEqual([expect.stringMatching(/./), undefined]);
  page.client.close();
  again.client.close();
  await next.close();
  removeFolders(folders);
});
