// A page that asks for more than anybody can want: the others go on.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { PageCommand } from '../link/messages.ts';
import { ECHO, RelayTest } from '../test/programs/relay-fixture.ts';
import { until } from '../test/programs/until.ts';
import { connectionId } from '../trace/event.ts';
import { Host } from './host/host.ts';

let here: RelayTest;
beforeEach(() => void (here = new RelayTest()));
afterEach(() => here.close());

const MANY = 20_000;
/** Requests of the page itself have lower numbers. */
const FIRST = 10_000;
const connection = connectionId('filled in');
const file = () => join(here.folders.work, 'file');
const read = () => ({ op: 'fs/read_text_file', path: file() }) as const;

test.each([
  ['a file', 'host', (request) => ({ type: 'host', request, connection, call: read() })],
  ['the known agents', 'presets', (request) => ({ type: 'presets', request })],
] as const satisfies [string, string, (request: number) => PageCommand][])(
  'T-18: a page that asks twenty thousand times for %s stalls no other, and each is answered or refused',
  async (_, answer, flood) => {
    writeFileSync(file(), 'text');
    const relay = await here.relay();
    const [mad, other] = [await here.page(relay), await here.page(relay)];
    const connection = await mad.start(here.launch(ECHO, { roots: [here.folders.work] }));
    for (let request = FIRST; request < FIRST + MANY; request++) {
      const command = flood(request);
      mad.command('connection' in command ? { ...command, connection } : command);
    }
    other.command({ type: 'host', request: 1, connection, call: read() });
    expect(await other.told1('host')).toMatchObject({ result: { ok: true } });
    // What asks for work of the disk would be done one after the other, and the other's behind all that.
    expect(mad.told.filter(({ type }) => type === answer).length).toBeLessThan(MANY / 4);
    const answered = await mad.until(() => {
      const all = mad.told.filter((event) => 'request' in event && (event.request ?? 0) >= FIRST);
      return all.length >= MANY && all;
    });
    expect(new Set(answered.map((event) => 'request' in event && event.request)).size).toBe(MANY);
    for (const event of answered)
      if (event.type === 'problem')
        expect(event.problem.message).toBe(
          'The relay cannot take this command: a thousand others of this page are under way. Nothing was done.',
        );
  },
);

test('T-18 (N5): of large answers that a page does not take, the relay holds few, however many were asked for', async () => {
  const large = 'x'.repeat(1_500_000);
  writeFileSync(file(), large);
  const relay = await here.relay();
  const [mad, other] = [await here.page(relay), await here.page(relay)];
  const launch = here.launch(ECHO, { roots: [here.folders.work] });
  const connection = await mad.start(launch);
  const elsewhere = await other.start(launch);
  const made = vi.spyOn(Host.prototype, 'call');
  onTestFinished(() => made.mockRestore());
  mad.stall();
  for (let request = FIRST; request < FIRST + 60; request++)
    mad.command({ type: 'host', request, connection, call: read() });
  for (let request = 1; request <= 20; request++) {
    other.command({ type: 'host', request, connection: elsewhere, call: read() });
    await other.until(() =>
      other.told.some((event) => event.type === 'host' && event.request === request),
    );
  }
  // Beside what the system holds of a socket.
  expect(made.mock.calls.length).toBeLessThan(20 + 20);
  mad.read();
  const answers = await mad.until(() => {
    const all = mad.told.flatMap((event) => (event.type === 'host' ? [event.result] : []));
    return all.length === 60 && all;
  });
  for (const result of answers) expect(result).toMatchObject({ ok: true });
});

test.runIf(process.platform !== 'win32')(
  'T-18: no page starts agents without end; one more may start where one has ended',
  async () => {
    const relay = await here.relay();
    const page = await here.page(relay);
    const launch = here.launch('', { argv: ['cat'] });
    const started = await Promise.allSettled(Array.from({ length: 140 }, () => page.start(launch)));
    const [first, ...rest] = started.flatMap((one) =>
      one.status === 'fulfilled' ? [one.value] : [],
    );
    if (first === undefined) throw new Error('No agent was started.');
    // One that is just being listed counts twice.
    expect(rest.length).toBeLessThan(128);
    expect(rest.length).toBeGreaterThan(100);
    for (const one of started)
      if (one.status === 'rejected') expect(String(one.reason)).toContain('128 agents run already');
    page.follow(first);
    page.command({ type: 'stop', connection: first, how: 'kill' });
    await page.ended(first);
    await until(() => page.start(launch));
  },
);
