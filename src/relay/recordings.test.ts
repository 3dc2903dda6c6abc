// What the relay keeps of a connection, and who gets it: its spool, and the pages that follow it.
import { spawn } from 'node:child_process';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ECHO, RelayTest, texts } from '../test/programs/relay-fixture.ts';
import type { TraceEvent } from '../trace/event.ts';
import { Follow } from './spool/follow.ts';
import { BATCH_BYTES } from './spool/spool-reader.ts';
import { writerOf } from '../test/programs/file-writer.ts';
import { newRecording } from './spool/spool.ts';

let here: RelayTest;
beforeEach(() => void (here = new RelayTest()));
afterEach(() => here.close());

test('N1 R-26: pages that come and go in mid-stream have everything, once and in order', async () => {
  const running = await here.relay();
  const first = await here.page(running);
  const connection = await first.start(
    here.launch(`let n = 0; const go = () => {
      for (let i = 0; i < 500; i++) console.log(JSON.stringify({ n: n++, pad: 'x'.repeat(150) }));
      if (n < 20000) setTimeout(go, 5);
    }; go();`),
  );
  const stored: TraceEvent[] = [];
  for (let visit = 0; stored.at(-1)?.type !== 'exit'; visit++) {
    const visitor = await here.page(running);
    visitor.events.set(connection, stored);
    visitor.follow(connection);
    const enough = stored.length + 1000 * (visit + 1);
    await visitor.until(() => stored.length >= enough || stored.at(-1)?.type === 'exit');
    visitor.client.close();
  }
  expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, i) => i + 1));
  expect(texts(stored).map((text) => (JSON.parse(text) as { n: number }).n)).toEqual(
    Array.from({ length: 20000 }, (_, i) => i),
  );
});

test('R-17 N6: a page that never acknowledges gets the window and no more, and the agent goes on', async () => {
  const running = await here.relay();
  const slow = await here.page(running);
  slow.acks = false;
  const read = vi.spyOn(Follow.prototype, 'next');
  const connection = await slow.start(
    here.launch(`for (let i = 0; i < 50000; i++) process.stdout.write('x'.repeat(199) + '\\n');`),
  );
  slow.follow(connection);
  const fast = await here.page(running);
  fast.follow(connection);
  const all = await fast.ended(connection);
  expect(texts(all)).toHaveLength(50_000);
  const got = slow.events.get(connection) ?? [];
  const bytes = got.reduce((sum, event) => sum + JSON.stringify(event).length + 1, 0);
  expect(bytes).toBeGreaterThan(3 * 1024 * 1024);
  expect(bytes).toBeLessThanOrEqual(4 * 1024 * 1024);
  // Nor is anything read, and held in memory, for a page that owes so much.
  const asked = read.mock.calls.map(([room, nothingFlies]) => nothingFlies || room >= BATCH_BYTES);
  expect(new Set(asked)).toEqual(new Set([true]));
  read.mockRestore();
  slow.acks = true;
  slow.command({ type: 'ack', connection, seq: got.at(-1)?.seq ?? (0 as never) });
  expect((await slow.ended(connection)).length).toBe(all.length);
});

test('R-26 N1 N2: whichever message is the last of a link, nothing is lost or stored twice', async () => {
  const running = await here.relay();
  const first = await here.page(running);
  // What one page has not acknowledged stays for the others.
  first.acks = false;
  const connection = await first.start(
    here.launch(`let n = 0; const more = () => {
      for (let i = 0; i < 300; i++) console.log(JSON.stringify({ n: n++, pad: 'x'.repeat(1000) }));
      if (n < 3000) setTimeout(more, 10);
    }; more();`),
  );
  first.follow(connection);
  const all = await first.ended(connection);
  for (let last = 1; last <= 12; last++) {
    const page = await here.page(running);
    page.breaksAfter = last;
    page.follow(connection);
    expect([last, (await page.ended(connection)).map(({ seq }) => seq)]).toEqual([
      last,
      all.map(({ seq }) => seq),
    ]);
    page.client.close();
  }
});

test('R-18: a page whose socket takes nothing is owed the window and no more, and the agent goes on', async () => {
  const running = await here.relay();
  const stalled = await here.page(running);
  stalled.acks = false;
  const connection = await stalled.start(
    here.launch(`for (let i = 0; i < 200000; i++) process.stdout.write('x'.repeat(199) + '\\n');`),
  );
  stalled.follow(connection);
  stalled.stall();
  const fast = await here.page(running);
  fast.follow(connection);
  expect(texts(await fast.ended(connection))).toHaveLength(200_000);
  expect(stalled.events.get(connection)).toEqual([]);
  stalled.read();
  // Its answer comes behind all that waited for the page.
  await stalled.start(here.launch(ECHO));
  const got = stalled.events.get(connection) ?? [];
  expect(got.length).toBeGreaterThan(0);
  expect(got.reduce((sum, event) => sum + JSON.stringify(event).length + 1, 0)).toBeLessThanOrEqual(
    4 * 1024 * 1024,
  );
});

test('R-22: an ended recording leaves the spool when every open page has it, and not before', async () => {
  const running = await here.relay();
  const one = await here.page(running);
  const two = await here.page(running);
  const connection = await one.start(here.launch(`console.log('{}')`));
  one.follow(connection);
  await one.ended(connection);
  expect(here.spooled()).toHaveLength(1);
  two.follow(connection);
  await two.told1('gone');
  expect(here.spooled()).toEqual([]);
  one.command({ type: 'send', connection, line: { text: '{}' }, origin: 'composer' });
  expect((await one.told1('problem')).problem.code).toBe('ended');
});

test('a forgotten recording leaves the spool as soon as it ends', async () => {
  const one = await here.page(await here.relay());
  const connection = await one.start(here.launch(ECHO));
  one.command({ type: 'forget', connection });
  one.command({ type: 'stop', connection, how: 'end' });
  await one.told1('gone');
  expect(here.spooled()).toEqual([]);
});

test('R-44 R-50: a recording left by a relay that was killed is listed, ended and complete', async () => {
  const { connection, path } = newRecording(here.folders.state);
  mkdirSync(join(here.folders.state, 'spool'), { recursive: true, mode: 0o700 });
  const header = { format: 'acptrace', version: 1, created: '2026-01-01T00:00:00.000Z', tool: 't' };
  const more = { connection, name: 'old', mode: 'drive', writer: 2 ** 22 + 1, clock: 'monotonic' };
  const frame = {
    type: 'frame',
    seq: 1,
    at: 5,
    from: 'agent',
    line: { text: '{}' },
    origin: 'peer',
  };
  writeFileSync(
    path,
    [{ ...header, ...more }, frame].map((line) => JSON.stringify(line) + '\n').join('') +
      '{"type":"fra',
    { mode: 0o600 },
  );
  const one = await here.page(await here.relay());
  const { connections } = await one.told1('welcome');
  expect(connections).toMatchObject([{ id: connection, name: 'old', state: 'ended', last: 2 }]);
  one.follow(connection);
  expect(await one.ended(connection)).toMatchObject([
    { seq: 1, line: { text: '{}' } },
    { type: 'exit', seq: 2, at: 5, problem: expect.stringContaining('relay') as string },
  ]);
  await one.told1('gone');
});

/** A recording of an earlier run, whose last byte is so old. */
function left(name: string, days: number): string {
  const { connection, path } = newRecording(here.folders.state);
  mkdirSync(join(here.folders.state, 'spool'), { recursive: true, mode: 0o700 });
  const header = { format: 'acptrace', version: 1, created: '2026-01-01T00:00:00.000Z', tool: 't' };
  const more = { connection, name, mode: 'drive', writer: 2 ** 22 + 1, clock: 'monotonic' };
  writeFileSync(path, `${JSON.stringify({ ...header, ...more })}\n{"type":"fra`, { mode: 0o600 });
  const written = Date.now() / 1000 - days * 24 * 3600;
  utimesSync(path, written, written);
  return basename(path);
}

test('R-50: of what earlier runs left, the relay removes what is seven days old and no page takes', async () => {
  left('old', 8);
  const kept = [left('taken', 8), left('young', 6)];
  const clock = vi.spyOn(Date, 'now');
  const one = await here.page(await here.relay());
  const { connections } = await one.told1('welcome');
  expect(connections.map(({ name }) => name).sort()).toEqual(['old', 'taken', 'young']);
  one.acks = false;
  // Taken is what the relay was asked for before the clock moves on.
  for (const { name, id } of connections)
    if (name === 'taken') {
      one.follow(id);
      await one.ended(id);
    }
  // A relay counts from when it saw that they had ended.
  for (const { id, state } of connections)
    await one.until(
      () =>
        state === 'ended' ||
        one.told.some(
          (e) => e.type === 'connection' && e.info.id === id && e.info.state === 'ended',
        ),
    );
  clock.mockReturnValue(Date.now() + 11 * 60_000);
  const other = await one.start(here.launch(`console.log('{}')`));
  one.command({ type: 'forget', connection: other });
  await one.until(() => here.spooled().length === kept.length);
  clock.mockRestore();
  expect(here.spooled().sort()).toEqual(kept.sort());
});

/** A recording that a relay began, whose number `writer` gives. */
function begun(writer: (path: string) => number): void {
  const { connection, path } = newRecording(here.folders.state);
  mkdirSync(join(here.folders.state, 'spool'), { recursive: true, mode: 0o700 });
  const header = { format: 'acptrace', version: 1, created: '2026-01-01T00:00:00.000Z', tool: 't' };
  const more = { connection, mode: 'drive', writer: writer(path), clock: 'monotonic' };
  writeFileSync(path, JSON.stringify({ ...header, ...more }) + '\n');
}

test('what another live relay records is its own affair', async () => {
  begun(writerOf);
  const one = await here.page(await here.relay());
  expect((await one.told1('welcome')).connections).toEqual([]);
});

test.skipIf(process.platform !== 'linux')(
  'R-44 R-48: what a killed relay recorded is listed and has ended, also where another process has its number by now',
  async () => {
    begun(() => process.ppid);
    const one = await here.page(await here.relay());
    expect((await one.told1('welcome')).connections).toMatchObject([{ state: 'ended', last: 1 }]);
  },
);

test('R-63: what another process records appears while it is written', async () => {
  const running = await here.relay();
  const one = await here.page(running);
  const { connection, path } = newRecording(here.folders.state);
  const script = `
    const fs = require('fs');
    const file = fs.openSync(process.argv[1], 'a');
    const line = (value) => fs.writeSync(file, JSON.stringify(value) + '\\n');
    line({ format: 'acptrace', version: 1, created: new Date().toISOString(), tool: 't',
           connection: ${JSON.stringify(connection)}, name: 'editor', mode: 'tap',
           argv: ['x'], cwd: '/', writer: process.pid, clock: 'monotonic' });
    let seq = 0;
    const timer = setInterval(() => {
      line({ type: 'frame', seq: ++seq, at: seq, from: 'agent', line: { text: String(seq) }, origin: 'peer' });
      if (seq === 20) { clearInterval(timer); line({ type: 'exit', seq: 21, at: 21, code: 0 }); }
    }, 10);`;
  spawn(process.execPath, ['-e', script, path], { stdio: 'ignore' });
  const { info } = await one.told1('connection');
  expect(info).toMatchObject({ id: connection, mode: 'tap', name: 'editor' });
  one.follow(connection);
  expect(texts(await one.ended(connection))).toEqual(
    Array.from({ length: 20 }, (_, i) => `${i + 1}`),
  );
});
