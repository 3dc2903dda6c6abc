import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DEFAULT_SETTINGS } from '../drive/settings.ts';
import { encodeUtf8 } from '../lib/utf8.ts';
import type { LinkHandlers } from '../link/client.ts';
import { MemoryStore } from '../storage/memory-store.ts';
import {
  ASK,
  CONNECTION,
  FakeRelay,
  LAUNCH,
  page,
  polite,
  settle,
} from '../test/programs/fake-relay.ts';
import { blockBytes } from '../storage/block-bytes.ts';
import { seq } from '../trace/event.ts';

describe('the engine', () => {
  beforeEach(
    () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }),
  );
  afterEach(() => void vi.useRealTimers());

  test('starts an agent, shakes hands, asks and hears the answer', async () => {
    const relay = new FakeRelay();
    polite(relay);
    const { engine, last } = await page(relay);
    const started = await engine.connections.start(LAUNCH, DEFAULT_SETTINGS);
    expect(started).toEqual({ ok: true, connection: CONNECTION });
    await settle();
    expect(
      await engine.connections.request(CONNECTION, 'session/new', { cwd: '/w' }),
    ).toMatchObject({
      kind: 'result',
      result: { sessionId: 's1' },
    });
    expect(relay.sentBy('script').map((line) => JSON.parse(line))).toMatchObject([
      { id: 0, method: 'initialize' },
      { id: 1, method: 'session/new' },
    ]);
    await settle();
    expect(last('traces')?.traces).toMatchObject([
      { connection: CONNECTION, number: 1, mode: 'drive', state: 'running', version: 1, frames: 4 },
    ]);
    expect(await engine.library.recents()).toMatchObject([{ launch: LAUNCH }]);
  });

  test('tells that a trace is of a file before it says that there is one to show', async () => {
    const { engine, notices } = await page(new FakeRelay());
    const before = notices.length;
    const asked = '{"jsonrpc":"2.0","id":1,"method":"session/list","params":{}}';
    const done = engine.library.importFile(new File([encodeUtf8(asked)], 'a.ndjson'));
    await settle();
    const { connection } = (await done) as { connection: string };
    const told = notices.slice(before);
    const shown = told.findIndex(({ type }) => type === 'appeared');
    expect(told[shown]).toMatchObject({ connection });
    expect(told[shown - 1]).toMatchObject({
      type: 'traces',
      traces: [{ connection, mode: 'file' }],
    });
  });

  test('R-58 takes away a file that a tab had half read when it ended, and says so', async () => {
    const store = new MemoryStore(undefined);
    await store.addTrace({
      ...{ connection: CONNECTION, name: 'half', mode: 'file', file: 'half.jsonl', reading: true },
      ...{ startedAt: '2026-01-01T00:00:00Z', header: encodeUtf8('{}') },
    });
    const { last } = await page(new FakeRelay(), store);
    await settle();
    expect(last('traces')?.traces ?? []).toEqual([]);
    expect(last('news')).toMatchObject({
      text: 'Reading `half` was broken off. Open the file again.',
    });
  });

  test('shows rows, frames and conversations of what came', async () => {
    const relay = new FakeRelay();
    polite(relay);
    const { engine, last } = await page(relay);
    await engine.connections.start(LAUNCH, DEFAULT_SETTINGS);
    const state = await engine.timeline.open(CONNECTION, '');
    expect(state?.connection).toBe(CONNECTION);
    await engine.connections.sendLine(
      CONNECTION,
      '{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":{"sessionId":"s1","prompt":[{"type":"text","text":"Hello"}]}}',
    );
    await settle();
    // Four frames and the head of the turn.
    expect(last('timeline')?.state.rows).toBe(5);
    const { rows } = await engine.timeline.rows(CONNECTION, 0, 10);
    expect(rows.map((row) => row.type === 'frame' && [row.method, row.origin])).toContainEqual([
      'session/prompt',
      'composer',
    ]);
    expect(await engine.timeline.frame(CONNECTION, seq(3))).toMatchObject({
      exchange: { request: 3, answer: 4 },
    });
    const { items } = await engine.sessions.conversation(CONNECTION, 's1', { since: 0, most: 50 });
    expect(items.map(({ item }) => item.type)).toContain('message');
    const first = await engine.sessions.moment(CONNECTION, 's1', { to: 'time', at: 0 });
    expect(first?.nth).toBe(1);
    const at = first?.seq ?? seq(0);
    const past = await engine.sessions.conversation(CONNECTION, 's1', { at, since: 0, most: 50 });
    expect(past.total).toBe(1);
    expect(past.changes?.map(({ path }) => path)).toEqual([
      'pending[→7]',
      'user[#3]',
      'user[#3].content[0]',
      'state',
    ]);
    const key = items[0]?.item.key ?? '';
    expect(await engine.sessions.provenance(CONNECTION, 's1', key, at, at)).toEqual([
      { field: 'content[0]', from: 0, seq: at },
    ]);
    expect(await engine.sessions.waiting(CONNECTION, undefined)).toMatchObject({ requests: [] });
    expect(await engine.sessions.history('s1')).toMatchObject([{ kind: 'prompts' }]);
    expect(await engine.sessions.capabilityUse(CONNECTION)).toEqual([]);
    expect(await engine.connections.nextId(CONNECTION)).toBe('8');
    expect(await engine.library.sent()).toMatchObject([{ connection: CONNECTION }]);
    expect((await engine.timeline.setQuery(CONNECTION, 'method:initialize')).counts.shown).toBe(2);
  });

  test('acknowledges what is stored, and only that', async () => {
    const relay = new FakeRelay();
    const { engine, store } = await page(relay);
    await engine.connections.start(LAUNCH, { ...DEFAULT_SETTINGS, handshake: false });
    for (let i = 0; i < 100; i++) relay.frame('agent', `line ${i}`);
    await settle();
    expect(relay.acked).toBe(100);
    const traces = await store.traces();
    expect(traces.ok && traces.value[0]).toMatchObject({ events: 100, last: 100 });
  });

  test('R-26 a reload goes on where the database ends: nothing lost, nothing twice', async () => {
    const relay = new FakeRelay();
    polite(relay);
    const store = new MemoryStore(undefined);
    const first = await page(relay, store);
    await first.engine.connections.start(LAUNCH, DEFAULT_SETTINGS);
    for (let reload = 0; reload < 5; reload++) {
      for (let i = 0; i < 37; i++) relay.frame('agent', `before reload ${reload}, ${i}`);
      await settle(reload * 20);
      relay.dropAll();
      for (let i = 0; i < 11; i++) relay.frame('agent', `while away ${reload}, ${i}`);
      await page(relay, store);
    }
    await settle(1000);
    const traces = await store.traces();
    expect(traces.ok && traces.value[0]).toMatchObject({ events: relay.spool.length });
    const blocks = await store.blocks(CONNECTION, seq(0));
    const bytes = blocks.ok
      ? Buffer.concat(await Promise.all(blocks.value.map(blockBytes)))
      : undefined;
    expect(bytes?.toString()).toBe(relay.spool.join(''));
    expect(relay.sentBy('script').filter((line) => line.includes('initialize'))).toHaveLength(1);
  });

  test('N8 after a reload nothing on the way to the first stored frame waits a second', async () => {
    const relay = new FakeRelay();
    const { engine, store } = await page(relay);
    await engine.connections.start(LAUNCH, { ...DEFAULT_SETTINGS, handshake: false });
    for (let i = 0; i < 100; i++) relay.frame('agent', `line ${i}`);
    await settle();
    relay.dropAll();
    for (let i = 0; i < 100; i++) relay.frame('agent', `while away ${i}`);
    const before = performance.now();
    await page(relay, store);
    while (relay.acked <= 100) await settle(10);
    expect(performance.now() - before).toBeLessThan(1000);
  });

  test('N9 a lost link is caught up with, and said so', async () => {
    const relay = new FakeRelay();
    const { engine, news, last, handlers } = await page(relay);
    await engine.connections.start(LAUNCH, { ...DEFAULT_SETTINGS, handshake: false });
    relay.frame('agent', 'one');
    await settle();
    relay.dropAll();
    await settle();
    expect(last('link')?.state.status).toBe('lost');
    expect(await engine.connections.sendLine(CONNECTION, '{}')).toMatchObject({ code: 'io' });
    relay.frame('agent', 'two');
    relay.frame('agent', 'three');
    for (const handler of handlers) relay.connect(handler);
    await settle();
    expect(last('link')?.state).toMatchObject({ status: 'open', version: '0.1.0' });
    expect(news()).toEqual(['Caught up: 2 frames, none lost.']);

    relay.dropAll();
    await settle();
    for (const handler of handlers) relay.connect(handler);
    await settle();
    expect(last('link')?.state.status).toBe('open');
    expect(news()).toHaveLength(1);
  });

  test('a permission waits for a person, and after a reload still does', async () => {
    const relay = new FakeRelay();
    polite(relay);
    const store = new MemoryStore(undefined);
    const first = await page(relay, store);
    await first.engine.connections.start(LAUNCH, DEFAULT_SETTINGS);
    await settle();
    relay.frame('agent', ASK);
    await settle();
    relay.dropAll();
    const { engine, last } = await page(relay, store);
    await settle();
    const open = last('traces')?.traces[0]?.facts?.open ?? [];
    expect(open).toMatchObject([{ method: 'session/request_permission', from: 'agent' }]);
    const asked = open[0]?.seq ?? seq(0);
    expect(
      await engine.connections.answer(CONNECTION, asked, { kind: 'option', optionId: 'yes' }),
    ).toBe(undefined);
    expect(await engine.connections.answer(CONNECTION, asked, { kind: 'cancelled' })).toMatchObject(
      {
        message: `Request #${asked} is answered already.`,
      },
    );
    await settle();
    expect(relay.sentBy('script').filter((line) => line.includes('"yes"'))).toHaveLength(1);
    expect(last('traces')?.traces[0]?.facts?.open).toEqual([]);
  });

  test('a policy is remembered over a reload, and answers once', async () => {
    const relay = new FakeRelay();
    polite(relay);
    const store = new MemoryStore(undefined);
    const first = await page(relay, store);
    await first.engine.connections.start(LAUNCH, { ...DEFAULT_SETTINGS, permission: 'allow-once' });
    await settle();
    relay.dropAll();
    relay.frame('agent', ASK);
    const second = await page(relay, store);
    await settle();
    relay.dropAll();
    await page(relay, store);
    await settle();
    expect(relay.sentBy('script').filter((line) => line.includes('"yes"'))).toHaveLength(1);
    expect(await second.engine.connections.settings(CONNECTION)).toMatchObject({
      permission: 'allow-once',
    });
  });

  test('a connection started from another browser is shown, not answered', async () => {
    const relay = new FakeRelay();
    relay.exists = true;
    relay.frame('agent', ASK);
    const { last } = await page(relay);
    await settle();
    expect(last('traces')?.traces).toMatchObject([{ frames: 1 }]);
    expect(relay.sentBy('script')).toEqual([]);
  });

  test('one that another browser started is started again for the version it spoke', async () => {
    const relay = new FakeRelay();
    relay.exists = true;
    const shake = { jsonrpc: '2.0', id: 0 };
    const params = { protocolVersion: 1 };
    relay.frame('client', JSON.stringify({ ...shake, method: 'initialize', params }), 'script');
    relay.frame('agent', JSON.stringify({ ...shake, result: { protocolVersion: 1 } }));
    const { engine } = await page(relay);
    await settle();
    expect(await engine.connections.restart(CONNECTION)).toMatchObject({ ok: true });
    expect(await engine.connections.settings(CONNECTION)).toMatchObject({ ask: 1 });
  });

  test('a request is over when its agent ends, or when the link lost it', async () => {
    const relay = new FakeRelay();
    const { engine, handlers } = await page(relay);
    await engine.connections.start(LAUNCH, { ...DEFAULT_SETTINGS, handshake: false });
    await settle();
    const lost = engine.connections.request(CONNECTION, 'session/list', {});
    relay.dropAll();
    for (const handler of handlers) relay.connect(handler);
    await settle();
    expect(await lost).toMatchObject({
      kind: 'ended',
      message: expect.stringContaining('Send it'),
    });
    const open = engine.connections.request(CONNECTION, 'session/list', {});
    await settle();
    relay.record({ type: 'exit', code: 1 });
    await settle();
    expect(await open).toMatchObject({ kind: 'ended', message: expect.stringContaining('ended') });
  });

  test('what cannot be sent is said in a sentence', async () => {
    const relay = new FakeRelay();
    const { engine } = await page(relay);
    expect(await engine.connections.sendLine(CONNECTION, '{}')).toMatchObject({ code: 'ended' });
    expect(await engine.connections.sendLine(CONNECTION, 'a\nb')).toMatchObject({
      code: 'bad_message',
    });
    expect(await engine.connections.request(CONNECTION, 'x', {})).toMatchObject({ kind: 'ended' });
  });

  test('a deleted trace is gone after ten seconds, or back if restored in time', async () => {
    const relay = new FakeRelay();
    const { engine, last, store } = await page(relay);
    await engine.connections.start(LAUNCH, { ...DEFAULT_SETTINGS, handshake: false });
    relay.frame('agent', 'one');
    relay.record({ type: 'exit', code: 0 });
    relay.connect(relay.dropAll()[0] as LinkHandlers);
    await settle();
    await engine.library.remove([CONNECTION]);
    await settle(5000);
    expect(last('traces')?.traces).toEqual([]);
    await engine.library.putBack([CONNECTION]);
    await settle(20_000);
    expect(last('traces')?.traces).toHaveLength(1);
    await engine.library.remove([CONNECTION]);
    await settle(20_000);
    expect(await store.traces()).toEqual({ ok: true, value: [] });
    expect(relay.commands.at(-1)).toEqual({ type: 'forget', connection: CONNECTION });
  });

  test('an export of a live trace holds every line, stored or not', async () => {
    const relay = new FakeRelay();
    const { engine } = await page(relay);
    await engine.connections.start(
      { ...LAUNCH, name: 'my agent' },
      { ...DEFAULT_SETTINGS, handshake: false },
    );
    for (let i = 0; i < 10; i++) relay.frame('agent', `é ${i}`);
    await settle();
    const { name, blob } = await engine.library.exportFile(CONNECTION);
    expect(name).toBe('agent.acptrace.jsonl');
    const [header, ...lines] = (await blob.text()).split('\n');
    expect(JSON.parse(header ?? '')).toMatchObject({ format: 'acptrace', connection: CONNECTION });
    expect(lines.join('\n')).toBe(relay.spool.join(''));
  });

  test('drafts are kept, and a command may be forgotten', async () => {
    const { engine } = await page(new FakeRelay());
    await engine.library.saveDraft('composer', '{"x":');
    expect(await engine.library.draft('composer')).toBe('{"x":');
    await engine.connections.start(LAUNCH, DEFAULT_SETTINGS);
    await engine.library.forgetRecent(LAUNCH);
    expect(await engine.library.recents()).toEqual([]);
  });
});
