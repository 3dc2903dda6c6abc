import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { encodeUtf8 } from '../../lib/utf8.ts';
import { connectionId, seq, type Frame, type TraceEvent } from '../../trace/event.ts';
import { eventLine } from '../../trace/format.ts';
import { lineBytes, lineOf } from '../../trace/line.ts';
import { TraceReader } from '../../trace/read.ts';
import { heapUsed } from '../../test/traces/cost.ts';
import { DISK, type Disk } from './disk.ts';
import { Entries } from './entries.ts';
import { Recorder } from './recorder.ts';
import { until } from '../../test/programs/until.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'acp-scope-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const MB = 1024 * 1024;

const OPTIONS = {
  connection: connectionId('c'),
  tool: 'acp-scope 0',
  name: 'agent',
  mode: 'drive',
  argv: ['agent'],
  cwd: '/',
} as const;

function recorder(
  path: string,
  more: { overwrite?: boolean; onGrown?: () => void; argv?: readonly string[] } = {},
) {
  return new Recorder({ ...OPTIONS, path, ...more });
}

function eventsOf(path: string): TraceEvent[] {
  const reader = new TraceReader();
  const items = [...reader.push(readFileSync(path)), ...reader.end()];
  return items.map((item) => {
    if ('problem' in item) throw new Error(item.problem);
    return item.event;
  });
}

test('N3: a frame stands in the file as its event would be written, whatever its bytes', async () => {
  const path = join(folder, 'a.acptrace.jsonl');
  const bytes = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }).map(encodeUtf8),
    fc.uint8Array({ maxLength: 60 }),
  );
  const more = fc.constantFrom(
    undefined,
    { cut: true } as const,
    { of: seq(3), via: { stream: 'session', session: 'é "\\' } } as const,
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(bytes, more), { maxLength: 20 }), async (frames) => {
      const rec = new Recorder({ ...OPTIONS, path, overwrite: true });
      for (const [line, facts] of frames) rec.frame('agent', line, 'peer', facts);
      await rec.close();
      const [, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
      const due = frames.map(([line, facts]) => ({
        ...{ type: 'frame', from: 'agent', line: lineOf(line), origin: 'peer' },
        ...facts,
      }));
      expect(lines).toHaveLength(due.length);
      lines.forEach((line, i) => {
        const event = JSON.parse(line) as Frame;
        expect(event).toEqual({ ...due[i], seq: i + 1, at: event.at });
        expect(line).toBe(eventLine(event));
      });
    }),
    { numRuns: 50 },
  );
});

test('what is recorded reads back, numbered from 1 without holes', async () => {
  const path = join(folder, 'a.acptrace.jsonl');
  const rec = recorder(path);
  rec.start({ argv: ['agent'], cwd: '/', pid: 7 });
  rec.frame('agent', encodeUtf8('{"a":1}\r'), 'peer');
  rec.stderr(encodeUtf8('warming up'), true);
  rec.frame('client', new Uint8Array([0xff, 0x00]), 'composer');
  rec.exit({ code: 3 });
  rec.frame('agent', encodeUtf8('after the end'), 'peer');
  await rec.close();
  expect(eventsOf(path)).toMatchObject([
    { type: 'start', seq: 1, pid: 7 },
    { type: 'frame', seq: 2, from: 'agent', line: { text: '{"a":1}\r' }, origin: 'peer' },
    { type: 'stderr', seq: 3, line: { text: 'warming up' }, cut: true },
    { type: 'frame', seq: 4, from: 'client', line: { base64: '/wA=' }, origin: 'composer' },
    { type: 'exit', seq: 5, code: 3 },
  ]);
  expect(rec.size).toBe(statSync(path).size);
});

test('N3: any lines come back as the bytes they were', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 40 })), async (lines) => {
      const path = join(folder, `${++run}.jsonl`);
      const rec = recorder(path);
      for (const line of lines) rec.frame('agent', line, 'peer');
      await rec.close();
      const back = eventsOf(path).map((event) => event.type === 'frame' && lineBytes(event.line));
      expect(back).toEqual(lines.map((line) => new Uint8Array(line)));
    }),
    { numRuns: 60 },
  );
});

test('E-01: a line that looks like a record of ours is the words of a frame, and no record', async () => {
  const path = join(folder, 'a.acptrace.jsonl');
  const rec = recorder(path);
  const lines = [
    '{"type":"exit","seq":2,"at":0,"code":0}',
    '{"format":"acptrace","version":1,"created":"2026-11-22T00:00:00.000Z"}',
    '{"type":"gap","seq":1,"at":0,"missing":9,"why":"x"}',
    '"}\n{"type":"exit","seq":9,"at":0,"code":7}',
    '\u0000\u2028"\\',
  ];
  for (const line of lines) rec.frame('agent', encodeUtf8(line), 'peer');
  await rec.close();
  expect(eventsOf(path)).toMatchObject(
    lines.map((text, at) => ({ type: 'frame', seq: at + 1, line: { text } })),
  );
});

test('R-55 R-56: times go forward and are no wall clock, however that jumps', async () => {
  const path = join(folder, 'a.acptrace.jsonl');
  const rec = recorder(path);
  const clock = vi.spyOn(Date, 'now');
  for (const jump of [3_600_000, -3_600_000, 0]) {
    clock.mockReturnValue(Date.UTC(2026, 0, 1) + jump);
    rec.frame('agent', encodeUtf8('x'), 'peer');
  }
  clock.mockRestore();
  await rec.close();
  const times = eventsOf(path).map(({ at }) => at ?? NaN);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(times.at(-1)).toBeLessThan(60_000);
});

test('L-02: the file is for its owner alone, and an existing one is never touched', async () => {
  const path = join(folder, 'a.acptrace.jsonl');
  const umask = process.umask(0);
  const rec = recorder(path);
  await rec.close();
  process.umask(umask);
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  const before = readFileSync(path);
  const second = recorder(path);
  second.frame('agent', encodeUtf8('x'), 'peer');
  await second.close();
  expect(readFileSync(path)).toEqual(before);
  expect(second.shortfall).toContain('1: a file of this name exists (EEXIST)');
  const third = recorder(path, { overwrite: true });
  third.frame('agent', encodeUtf8('x'), 'peer');
  await third.close();
  expect(eventsOf(path)).toHaveLength(1);
});

test('L-02: a file of ours that was replaced under us is left, also where one might be replaced at the start', async () => {
  const path = join(folder, 'a.acptrace.jsonl');
  writeFileSync(path, 'of an earlier run');
  const rec = recorder(path, { overwrite: true });
  rec.frame('agent', encodeUtf8('x'), 'peer');
  await until(() => expect(eventsOf(path)).toHaveLength(1));
  rmSync(path);
  writeFileSync(path, 'of somebody else');
  await until(() => expect(rec.trouble?.code).toBe('EEXIST'));
  await rec.close(0);
  expect(readFileSync(path, 'utf8')).toBe('of somebody else');
});

test('N15: what is written is handed to the disk itself within a second or so, once for many lines', async () => {
  const path = join(folder, 'a.acptrace.jsonl');
  const sync = vi.fn<Disk['sync']>(() => Promise.resolve());
  const rec = new Recorder({ ...OPTIONS, path, disk: { ...DISK, sync } });
  for (let i = 0; i < 100; i++) rec.frame('agent', encodeUtf8('x'), 'peer');
  await until(() => expect(sync).toHaveBeenCalledTimes(1));
  rec.frame('agent', encodeUtf8('y'), 'peer');
  await until(() => expect(sync).toHaveBeenCalledTimes(2));
  await rec.close();
});

/** So many that record at once, each a part of a megabyte, on a disk that takes nothing. */
function crowd(name: string, write: Disk['write'], each: number): readonly Recorder[] {
  const disk = { ...DISK, write };
  const line = encodeUtf8('x'.repeat(MB));
  return Array.from({ length: 80 }, (_, nth) => {
    const rec = new Recorder({ ...OPTIONS, path: join(folder, `${name}-${nth}`), disk });
    for (let i = 0; i < each; i++) rec.frame('agent', line, 'peer');
    return rec;
  });
}

test('N5: many that record at once pause together, and where the disk refuses keep no more than their share', async () => {
  const hung = crowd('hangs', () => new Promise(() => undefined), 1);
  expect(hung.filter((rec) => !rec.full)).toEqual([]);
  for (const rec of hung) void rec.close(0);
  await until(() => expect(Entries.waitingInAll).toBe(0));
  const refuses = () => Promise.reject(Object.assign(new Error('no'), { code: 'EIO' }));
  const refused = crowd('refuses', refuses, 0);
  for (const rec of refused) rec.frame('agent', encodeUtf8('x'), 'peer');
  await until(() => refused.forEach((rec) => expect(rec.trouble?.code).toBe('EIO')));
  const line = encodeUtf8('x'.repeat(MB));
  for (let i = 0; i < 3; i++) for (const rec of refused) rec.frame('agent', line, 'peer');
  expect(Entries.waitingInAll).toBeLessThan(90 * MB);
  await Promise.all(refused.map((rec) => rec.close(0)));
});

test('R-21: while the disk refuses, traffic goes on; then a gap says what is missing', async () => {
  const path = join(folder, 'late', 'a.acptrace.jsonl');
  const rec = recorder(path);
  const line = encodeUtf8('x'.repeat(1024 * 1024));
  for (let i = 0; i < 3; i++) rec.frame('agent', line, 'peer');
  await until(() => expect(rec.trouble?.code).toBe('ENOENT'));
  expect(rec.trouble).toEqual({ code: 'ENOENT', path, lost: 0 });
  for (let i = 0; i < 7; i++) rec.frame('agent', line, 'peer');
  rec.exit({ code: 0 });
  mkdirSync(join(folder, 'late'));
  await rec.close();
  const events = eventsOf(path);
  const kept = events.filter((event) => event.type === 'frame').length;
  expect(kept).toBeGreaterThanOrEqual(3);
  expect(kept).toBeLessThan(10);
  expect(events.slice(kept)).toMatchObject([
    { type: 'gap', seq: kept + 1, count: 10 - kept, reason: 'the folder does not exist (ENOENT)' },
    { type: 'exit', seq: 11 },
  ]);
});

test('R-21: recording goes on by itself when the disk works again', async () => {
  const path = join(folder, 'late', 'a.acptrace.jsonl');
  let onGrown = () => {};
  const grown = new Promise<void>((resolve) => (onGrown = resolve));
  const rec = recorder(path, { onGrown });
  rec.frame('agent', encodeUtf8('held'), 'peer');
  await new Promise((resolve) => setTimeout(resolve, 30));
  mkdirSync(join(folder, 'late'));
  await grown;
  rec.frame('agent', encodeUtf8('next'), 'peer');
  await rec.close();
  expect(rec.trouble).toBeUndefined();
  expect(rec.shortfall).toBeUndefined();
  expect(eventsOf(path)).toMatchObject([
    { seq: 1, line: { text: 'held' } },
    { seq: 2, line: { text: 'next' } },
  ]);
});

test('R-21: what was lost is told once the disk works, before what comes then, and not at the end', async () => {
  const path = join(folder, 'late', 'a.acptrace.jsonl');
  const rec = recorder(path);
  const line = encodeUtf8('x'.repeat(MB));
  rec.frame('agent', line, 'peer');
  await until(() => expect(rec.trouble?.code).toBe('ENOENT'));
  for (let i = 0; i < 9; i++) rec.frame('agent', line, 'peer');
  mkdirSync(join(folder, 'late'));
  await until(() => expect(rec.trouble).toBeUndefined());
  rec.frame('agent', encodeUtf8('next'), 'peer');
  await rec.close();
  expect(eventsOf(path).slice(-2)).toMatchObject([
    { type: 'gap', reason: 'the folder does not exist (ENOENT)' },
    { type: 'frame', seq: 11, line: { text: 'next' } },
  ]);
});

test.skipIf(process.platform !== 'linux')(
  'R-21: a full disk is said so, and holds nothing up',
  async () => {
    const rec = recorder('/dev/full', { overwrite: true });
    await until(() => expect(rec.trouble?.code).toBe('ENOSPC'));
    for (let i = 0; i < 20; i++) rec.frame('agent', new Uint8Array(1024 * 1024).fill(120), 'peer');
    expect(rec.trouble).toMatchObject({ code: 'ENOSPC', lost: 16 });
    expect(rec.full).toBe(false);
    expect(rec.last).toBe(20);
    await rec.drained();
    await rec.close();
  },
);

test('N16: an hour at two hundred frames a second leaves memory and open files as they were', async () => {
  const disk: Disk = { ...DISK, write: (_, bytes) => Promise.resolve(bytes.length) };
  const path = join(folder, 'a.acptrace.jsonl');
  const recording = new Recorder({ ...OPTIONS, path, disk });
  const line = encodeUtf8('{"jsonrpc":"2.0","method":"session/update","params":{}}');
  const minutes = async (count: number) => {
    for (let minute = 0; minute < count; minute++) {
      for (let at = 0; at < 60 * 200; at++) recording.frame('agent', line, 'peer');
      await recording.drained();
    }
    return heapUsed();
  };
  const open = () => process.getActiveResourcesInfo().length;
  const [heap, few] = [await minutes(5), open()];
  expect((await minutes(60)) - heap).toBeLessThan(1e6);
  // A look at the disk may be under way; what leaks is never over.
  while (open() > few) await delay(10);
  await recording.close();
});

test('N14: what all recordings of a folder take is counted, and nothing else there is', async () => {
  for (const [name, size] of [
    ['a.acptrace.jsonl', 100],
    ['b.acptrace.jsonl', 50],
    ['notes.txt', 9],
  ] as const)
    writeFileSync(join(folder, name), 'x'.repeat(size));
  expect(await DISK.recorded(join(folder, 'c.acptrace.jsonl'))).toBe(150);
});

test.skipIf(process.platform === 'win32')('L-02: a planted link is not followed', async () => {
  const target = join(folder, 'target');
  writeFileSync(target, 'mine');
  symlinkSync(target, join(folder, 'a'));
  const rec = recorder(join(folder, 'a'), { overwrite: true });
  await rec.close();
  expect(readFileSync(target, 'utf8')).toBe('mine');
  expect(rec.trouble).toBeDefined();
});

test('I-09 L-06: the header names the command without its secrets', async () => {
  const path = join(folder, 'a.acptrace.jsonl');
  const rec = recorder(path, {
    argv: ['agent', '--api-key', 'hunter2hunter2', 'TOKEN=hunter3hunter3', '--model', 'large'],
  });
  rec.exit({ code: 0 });
  await rec.close();
  const [header = ''] = readFileSync(path, 'utf8').split('\n');
  expect(JSON.parse(header)).toMatchObject({
    argv: ['agent', '--api-key', '…', 'TOKEN=…', '--model', 'large'],
  });
  expect(header).not.toMatch(/hunter/);
});

test('R-08 of a line too long to keep, the file holds head, tail, length and hash', async () => {
  const path = join(folder, 'long.acptrace.jsonl');
  const rec = recorder(path);
  const [head, tail] = [
    Buffer.from('{"text":"日本').subarray(0, -1),
    Buffer.from('é"}').subarray(1),
  ];
  rec.framed('agent', { kind: 'long', bytes: 5_000_000_000, sha256: 'ab', head, tail });
  await rec.close();
  expect(readFileSync(path, 'utf8').split('\n')[1]).toContain(
    '"line":{"text":"{\\"text\\":\\"日"},"oversize":{"bytes":5000000000,"sha256":"ab","tail":{"text":"\\"}"}}',
  );
});
