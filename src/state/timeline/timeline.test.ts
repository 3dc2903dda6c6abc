import { afterEach, expect, test, vi } from 'vitest';
import { NO_SETTINGS, someEngine, type SomeCalls } from '../../test/programs/running-app.ts';
import { CHIPS, type ChipCounts } from '../../model/query/chips.ts';
import type { FrameDetail, TimelineState } from '../../engine/messages.ts';
import type { Millis } from '../../lib/time.ts';
import type { FrameRow } from '../../model/timeline/row-view.ts';
import { connectionId, seq } from '../../trace/event.ts';
import { App } from '../app.svelte.ts';
import { Timeline } from './timeline.svelte.ts';

const connection = connectionId('c');
afterEach(() => vi.unstubAllGlobals());

function frame(number: number): FrameRow {
  return {
    type: 'frame',
    key: `f${number}`,
    seq: seq(number),
    at: (number * 10) as Millis,
    from: 'agent',
    kind: 'ntf',
    origin: 'peer',
    method: 'agent_message',
    isUpdate: true,
    summary: '',
    inRun: false,
    replay: false,
    tapes: [],
    late: false,
    pins: [],
    size: 1,
  };
}

const NO_CHIPS = Object.fromEntries(CHIPS.map(({ id }) => [id, 0])) as ChipCounts;

/** An engine with one trace, whose rows a test changes, and a clock that a test turns. */
function setup(rows: FrameRow[], growing = true) {
  const trace = { rows, version: 1 };
  const asked: (readonly [number, number])[] = [];
  const opened: (readonly [string, string | undefined])[] = [];
  let frames: (() => void)[] = [];
  const state = (query = ''): TimelineState => ({
    connection,
    version: trace.version,
    rows: trace.rows.length,
    tall: [],
    counts: {
      shown: trace.rows.length,
      all: 1000,
      replay: 0,
      late: 0,
      live: 0,
      stderr: 0,
      events: 0,
    },
    chips: { ...NO_CHIPS, all: 0 },
    parts: [],
    isFolded: false,
    lights: false,
    sessionless: 0,
    query,
    last: seq(1000),
    duration: 0 as Millis,
    widest: { method: 'session/update', id: '→1' },
  });
  const engine: SomeCalls = {
    timeline: {
      open: (id, query) => {
        opened.push([id, query]);
        return Promise.resolve(state(query));
      },
      setQuery: (_, query) => Promise.resolve(state(query)),
      rows: (_, from, to) => {
        asked.push([from, to]);
        return Promise.resolve({
          version: trace.version,
          rows: trace.rows.slice(from, to),
          heads: [],
        });
      },
      locate: (_, at) => {
        const row = trace.rows.findIndex((row) => row.seq === at);
        return Promise.resolve({ row, hiddenBy: row < 0 ? ['is:live'] : [] });
      },
      frame: (_, at) => Promise.resolve({ seq: at, exchange: partner(at) } as FrameDetail),
    },
  };
  const partner = (at: number) =>
    at < 50 ? { request: seq(at), answer: seq(at + 50) } : undefined;
  const timeline = new Timeline(
    someEngine(engine),
    () => growing,
    (run) => frames.push(run),
  );
  return {
    calls: engine,
    trace,
    asked,
    opened,
    timeline,
    state,
    /** The next animation frame, and what follows from it. */
    async frame() {
      const now = frames;
      frames = [];
      for (const run of now) run();
      await new Promise((resolve) => setTimeout(resolve));
    },
    keys: () => timeline.view?.rows.map((row) => row.key) ?? [],
  };
}
const many = (count: number, from = 1) => Array.from({ length: count }, (_, i) => frame(from + i));

test('a growing trace opens at its end, a file at its beginning', async () => {
  const live = setup(many(500));
  await live.timeline.open(connection);
  await live.frame();
  expect(live.keys().at(-1)).toBe('f500');
  const file = setup(many(500), false);
  await file.timeline.open(connection);
  await file.frame();
  expect(file.timeline.follow).toBe(false);
  expect(file.keys()[0]).toBe('f1');
  expect(file.timeline.fresh).toBe(0);
});

test('the first rows are asked for with the trace and not again, unless it is another one by then', async () => {
  const file = setup(many(500), false);
  await file.timeline.open(connection);
  await file.frame();
  expect(file.asked).toEqual([[0, 80]]);
  const changed = setup(many(500), false);
  const opening = changed.timeline.open(connection);
  changed.trace.version++;
  changed.trace.rows = many(500, 7);
  changed.timeline.receive(changed.state());
  await opening;
  await changed.frame();
  expect(changed.keys()[0]).toBe('f7');
});

test('a trace that an address names is asked for before it is known to be there, and once', async () => {
  const named = setup(many(500), false);
  named.timeline.expect(connection);
  expect([named.opened, named.asked]).toEqual([[[connection, '']], [[0, 80]]]);
  await named.timeline.open(connection);
  await named.frame();
  expect([named.opened.length, named.asked.length, named.keys()[0]]).toEqual([1, 1, 'f1']);
  // It is opened otherwise, or another one is.
  for (const [id, query] of [[connection, 'is:late'] as const, [connectionId('other')] as const]) {
    const changed = setup(many(500), false);
    changed.timeline.expect(connection);
    await changed.timeline.open(id, query);
    expect(changed.opened.at(-1)).toEqual([id, query ?? '']);
  }
});

test('what is told of a trace between is not forgotten when it is shown', async () => {
  const named = setup(many(500), false);
  named.timeline.expect(connection);
  named.trace.version++;
  named.trace.rows = many(400, 7);
  named.timeline.receive(named.state());
  await named.timeline.open(connection);
  await named.frame();
  expect([named.timeline.state?.rows, named.keys()[0]]).toEqual([400, 'f7']);
});

test('a trace that turns out to grow is followed, unless somebody looks around already', async () => {
  const { timeline } = setup(
    Array.from({ length: 200 }, (_, i) => frame(i + 1)),
    false,
  );
  await timeline.open(connection);
  timeline.grows();
  expect(timeline.follow).toBe(true);
  timeline.follow = false;
  timeline.want(20, 100, 40, 60);
  timeline.grows();
  expect(timeline.follow).toBe(false);
  timeline.want(0, 80, 0, 20);
  await timeline.select(seq(3));
  timeline.grows();
  expect(timeline.follow).toBe(false);
});

test('however often the trace grows, rows are fetched once a frame, and the newest are shown', async () => {
  const { timeline, trace, asked, state, frame: next, keys } = setup(many(100));
  await timeline.open(connection);
  await next();
  const before = asked.length;
  for (let i = 0; i < 50; i++) {
    trace.rows.push(frame(101 + i));
    trace.version++;
    timeline.receive(state());
  }
  await next();
  await next();
  expect(asked.length - before).toBeLessThanOrEqual(2);
  expect(keys().at(-1)).toBe('f150');
});

test('what came to a held list is not new any more once its end was on screen', async () => {
  const { timeline, trace, state, frame: next } = setup(many(10));
  await timeline.open(connection);
  await next();
  timeline.follow = false;
  trace.rows.push(...many(7, 11));
  trace.version++;
  timeline.receive(state());
  await next();
  await next();
  timeline.want(0, 17, 0, 15);
  expect(timeline.fresh).toBe(7);
  timeline.want(0, 17, 0, 16);
  expect(timeline.fresh).toBe(0);
  timeline.want(0, 17, 0, 9);
  expect(timeline.fresh).toBe(0);
});

test('a held list counts what came, and following again shows it', async () => {
  const { timeline, trace, state, frame: next, keys } = setup(many(100));
  await timeline.open(connection);
  await next();
  timeline.follow = false;
  trace.rows.push(...many(37, 101));
  trace.version++;
  timeline.receive(state());
  await next();
  await next();
  expect(timeline.fresh).toBe(37);
  timeline.follow = true;
  await next();
  await next();
  expect(timeline.fresh).toBe(0);
  expect(keys().at(-1)).toBe('f137');
});

test('rows added above do not move what is on screen', async () => {
  const { timeline, trace, state, frame: next } = setup(many(300, 101), false);
  await timeline.open(connection);
  await next();
  timeline.want(100, 160, 110, 140);
  await next();
  trace.rows.unshift(...many(3, 1));
  trace.version++;
  timeline.receive(state());
  await next();
  await next();
  expect(timeline.view?.keep).toEqual({ from: 110, to: 113 });
  expect(timeline.row(113)?.key).toBe('f211');
});

test('a row that went far away is found again', async () => {
  const { timeline, trace, state, frame: next } = setup(many(300, 1001), false);
  await timeline.open(connection);
  await next();
  timeline.want(100, 160, 110, 140);
  await next();
  trace.rows.unshift(...many(500, 1));
  trace.version++;
  timeline.receive(state());
  await next();
  await next();
  expect(timeline.view?.keep).toEqual({ from: 110, to: 610 });
  expect(timeline.row(610)?.key).toBe('f1111');
});

test('the selection outlives a query that hides it, and says which term does', async () => {
  const { timeline, trace, frame: next } = setup(many(100), false);
  await timeline.open(connection);
  await next();
  await timeline.select(seq(33));
  trace.rows = trace.rows.filter((row) => row.seq > 50);
  trace.version++;
  await timeline.setQuery('is:live');
  expect(timeline.selected).toBe(33);
  expect(timeline.hidden).toEqual({ seq: 33, terms: ['is:live'] });
  await timeline.jump(seq(60));
  expect(timeline.hidden).toBeUndefined();
});

test('steps, ends and the other frame of an exchange', async () => {
  const { timeline, frame: next } = setup(many(200), false);
  await timeline.open(connection);
  await next();
  await timeline.step(1);
  expect(timeline.selected).toBe(1);
  await timeline.step(3);
  expect(timeline.selected).toBe(4);
  await timeline.selectRow(Infinity);
  expect(timeline.selected).toBe(200);
  expect(timeline.target).toMatchObject({ row: 199, how: 'near' });
  await timeline.jump(seq(10));
  await timeline.jumpToPartner();
  expect(timeline.selected).toBe(60);
  expect(timeline.target).toMatchObject({ row: 59, how: 'third' });
});

test('keys act in the order pressed, however long one of them takes', async () => {
  const { timeline } = setup([1, 2, 3, 4, 5].map(frame));
  await timeline.open(connection);
  let found = (): void => {};
  const search = new Promise<void>((done) => (found = done));
  void timeline.inTurn(() => timeline.selectRow(0));
  void timeline.inTurn(() => search.then(() => timeline.jump(seq(3))));
  const last = timeline.inTurn(() => timeline.step(1));
  await Promise.resolve();
  found();
  await last;
  expect(timeline.selected).toBe(4);
  const failed = timeline.inTurn(() => Promise.reject(new Error('gone')));
  const after = timeline.inTurn(() => timeline.step(1));
  await expect(failed).rejects.toThrow('gone');
  await after;
  expect(timeline.selected).toBe(5);
});

test('a key pressed behind a query is about its rows, not about those still drawn', async () => {
  const { timeline, trace, frame: next } = setup(many(200), false);
  await timeline.open(connection);
  await next();
  Object.assign(trace, { rows: trace.rows.slice(76, 78), version: 2 });
  void timeline.setQuery('#77,78');
  await timeline.inTurn(() => timeline.selectRow(0));
  expect(timeline.selected).toBe(77);
  Object.assign(trace, { rows: many(200), version: 3 });
  void timeline.setQuery('');
  await timeline.inTurn(() => timeline.step(2));
  expect(timeline.selected).toBe(79);
});

test('a moment finds the last frame before it', async () => {
  const { timeline, frame: next } = setup(many(200), false);
  await timeline.open(connection);
  await next();
  await timeline.jumpToTime(1239);
  expect(timeline.selected).toBe(123);
  await timeline.jumpToTime(99_999);
  expect(timeline.selected).toBe(200);
});

test('a query belongs to its trace: another one begins without, and finds its own again', async () => {
  const { timeline } = setup(many(3));
  const other = connectionId('other');
  await timeline.open(connection);
  await timeline.setQuery('is:replay');
  await timeline.open(other);
  expect(timeline.query).toBe('');
  await timeline.setQuery('type:err');
  await timeline.open(connection);
  expect(timeline.query).toBe('is:replay');
  await timeline.open(other, 'is:late');
  expect(timeline.query).toBe('is:late');
});

test('a trace is found again where it was left', async () => {
  const { timeline, frame: next } = setup(many(500), false);
  await timeline.open(connection);
  await next();
  timeline.want(200, 260, 210, 240);
  await next();
  await timeline.select(seq(215));
  await timeline.open(connection);
  await next();
  await next();
  expect(timeline.selected).toBe(215);
  expect(timeline.view?.keep).toEqual({ to: 210 });
  expect(timeline.row(210)?.key).toBe('f211');
});

test('a trace that appears and is shown again at once has its rows when that is done', async () => {
  vi.stubGlobal('requestAnimationFrame', () => 0);
  let told: (state: TimelineState) => void = () => undefined;
  const { calls, state } = setup(many(500), false);
  const open = () => new Promise<TimelineState>((done) => (told = done));
  const app = new App(someEngine({ timeline: { ...calls.timeline, open } }), NO_SETTINGS);
  app.receive({ type: 'appeared', connection, mode: 'file' });
  const first = app.show(connection).then(() => app.timeline.selectRow(0));
  told(state());
  await first;
  expect(app.timeline.selected).toBe(1);
});
