import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writerOf } from '../../test/programs/file-writer.ts';
import { keptRecordings } from './listing.ts';

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'listing-'));
  mkdirSync(join(state, 'spool'));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

function recording(name: string, header: object, ...events: readonly object[]): void {
  const head = { format: 'acptrace', version: 1, tool: 't', clock: 'monotonic', ...header };
  const text = [head, ...events].map((line) => `${JSON.stringify(line)}\n`).join('');
  writeFileSync(join(state, 'spool', name), text);
}
/** One that a process writes now. */
const live = (name: string) =>
  recording(name, { created: '', writer: writerOf(join(state, 'spool', name)) }, frame(1));
const frame = (seq: number) => ({
  ...{ type: 'frame', seq, at: seq, from: 'client', line: { text: '{}' }, origin: 'peer' },
});

test('a state folder that no relay has used keeps nothing', async () => {
  expect(await keptRecordings(join(state, 'none'))).toEqual([]);
});

test('each recording is told with what its first line and its end say, oldest first', async () => {
  const created = '2026-11-22T10:00:00.000Z';
  const later = '2026-11-22T11:00:00.000Z';
  recording('b.acptrace.jsonl', { created: later, name: 'tapped', mode: 'tap' }, frame(1));
  recording(
    'a.acptrace.jsonl',
    { created, argv: ['agent'], mode: 'drive' },
    ...[frame(1), frame(2), { type: 'exit', seq: 3, at: 9, code: 0 }],
  );
  writeFileSync(join(state, 'spool', 'c.acptrace.jsonl'), 'no trace\n');
  writeFileSync(join(state, 'spool', 'notes.txt'), 'nothing of ours\n');
  mkdirSync(join(state, 'spool', 'd.acptrace.jsonl'));
  expect(await keptRecordings(state)).toMatchObject([
    { facts: { name: 'a', argv: ['agent'] }, last: 3, state: 'ended' },
    { facts: { name: 'tapped' }, last: 1, state: 'cut' },
  ]);
});

test('R-50: each is told with the time until which it is kept, but not while it is written', async () => {
  recording('a.acptrace.jsonl', { created: '' }, frame(1));
  live('b.acptrace.jsonl');
  const written = Date.UTC(2026, 10, 20) / 1000;
  utimesSync(join(state, 'spool', 'a.acptrace.jsonl'), written, written);
  const goes = (await keptRecordings(state)).map(({ state: is, goesAt }) => [is, goesAt]);
  expect(goes).toContainEqual(['cut', Date.UTC(2026, 10, 27)]);
  expect(goes).toContainEqual(['live', undefined]);
});

test('what a running process writes is live', async () => {
  live('a.acptrace.jsonl');
  expect(await keptRecordings(state)).toMatchObject([{ state: 'live', last: 1 }]);
});

test.skipIf(process.platform !== 'linux')(
  'R-48: what a killed tap wrote is not live, though another process has its number by now',
  async () => {
    recording('a.acptrace.jsonl', { created: '', writer: process.ppid }, frame(1));
    expect(await keptRecordings(state)).toMatchObject([{ state: 'cut', last: 1 }]);
  },
);
