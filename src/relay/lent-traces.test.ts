import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import fc from 'fast-check';
import { lentName, lentTrace, playedTrace } from '../link/lent-name.ts';
import { fullDisk, works } from '../test/programs/refusing-disk.ts';
import { connectionId } from '../trace/event.ts';
import {
  isLentReplay,
  lentFolder,
  LentTraces,
  noteUse,
  sweep,
  type LentLimits,
} from './lent-traces.ts';

const TRACE = connectionId('20261121-ab');
const LIMITS: LentLimits = { one: 1000, all: 1500, age: 60_000 };
const COMMAND = ['node', 'scope.js'];

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'acp-scope-'));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

function lend(text: string, trace = TRACE, name = 'A trace', limits = LIMITS) {
  const lent = new LentTraces(state, limits);
  const begun = lent.call({ op: 'begin', trace, name });
  if ('problem' in begun) return begun;
  const part = lent.call({ op: 'part', base64: Buffer.from(text).toString('base64') });
  return 'problem' in part ? part : lent.call({ op: 'end' });
}

function lentPath(text: string, trace = TRACE): string {
  const lent = lend(text, trace);
  if ('problem' in lent || lent.path === undefined) throw new Error(JSON.stringify(lent));
  return lent.path;
}

const files = () => readdirSync(lentFolder(state)).sort();

test('what a page lends is a file of its bytes, under a path that stays when it is lent again', () => {
  const path = lentPath('one');
  expect(readFileSync(path, 'utf8')).toBe('one');
  expect(lentPath('one and two')).toBe(path);
  expect(readFileSync(path, 'utf8')).toBe('one and two');
  expect(files()).toEqual(['a-trace.20261121-ab.acptrace.jsonl']);
});

test.runIf(process.platform !== 'win32')(
  'L-02: the folder and its files are their owner’s alone, and an open folder is refused',
  () => {
    const path = lentPath('one');
    expect(statSync(lentFolder(state)).mode & 0o777).toBe(0o700);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    chmodSync(lentFolder(state), 0o755);
    expect(lend('two')).toMatchObject({
      problem: { message: expect.stringContaining('unsafe permissions') as string },
    });
  },
);

test('I-07: whatever a trace is called, its file is one plain name in that folder', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), fc.string(), (name, id) => {
      const file = lentName(connectionId(id), name);
      if (file === undefined) return;
      expect(file).toMatch(/^[a-z0-9-]{1,40}\.[\w-]{1,64}\.acptrace\.jsonl$/);
      expect(lentTrace(join('/some/where', file))).toBe(id);
    }),
  );
  for (const id of ['../../x', 'a/b', 'a\\b', '', '.', 'a b', 'x'.repeat(65)])
    expect(lend('one', connectionId(id))).toMatchObject({ problem: { code: 'bad_message' } });
  expect(existsSync(lentFolder(state)) ? files() : []).toEqual([]);
});

test('T-18: a trace over the limit is refused with a way out, and leaves nothing', () => {
  expect(lend('x'.repeat(1001))).toMatchObject({
    problem: { code: 'io', message: expect.stringContaining('acp-scope replay') as string },
  });
  expect(files()).toEqual([]);
  const lent = new LentTraces(state, LIMITS);
  for (const call of [{ op: 'part', base64: '' }, { op: 'end' }] as const)
    expect(lent.call(call)).toMatchObject({ problem: { code: 'bad_message' } });
});

test('a trace that cannot take its place is told with the folder, and leaves nothing half written', () => {
  const path = lentPath('one');
  rmSync(path);
  mkdirSync(path);
  expect(lend('two')).toMatchObject({
    problem: { code: 'io', message: expect.stringContaining(lentFolder(state)) as string },
  });
  expect(files()).toEqual(['a-trace.20261121-ab.acptrace.jsonl']);
});

test('what a page that goes has begun goes with it', () => {
  const lent = new LentTraces(state, LIMITS);
  lent.call({ op: 'begin', trace: TRACE, name: 'a' });
  expect(files()).toHaveLength(1);
  lent.clear();
  expect(files()).toEqual([]);
});

test('where there are too many the least lately used goes, and never the one just lent', () => {
  const [one, two, three] = ['one', 'two', 'three'].map((id) => connectionId(id));
  if (!one || !two || !three) return;
  const old = lentPath('x'.repeat(600), one);
  const now = Date.now() / 1000;
  utimesSync(old, now - 20, now - 20);
  const used = lentPath('x'.repeat(600), two);
  utimesSync(used, now - 10, now - 10);
  expect(files()).toHaveLength(2);
  const lent = lend('x'.repeat(600), three);
  expect(lent).toMatchObject({ path: expect.stringContaining('three') as string });
  expect(files()).toHaveLength(2);
  expect(existsSync(old)).toBe(false);
  expect(existsSync(used)).toBe(true);
});

test('what is not used for long goes, what is read stays, and files of others are left alone', () => {
  const [old, read] = [lentPath('1'), lentPath('2', connectionId('read'))];
  const own = join(lentFolder(state), 'notes.txt');
  writeFileSync(own, '');
  for (const path of [old, read, own]) utimesSync(path, 1, 1);
  noteUse(read, state);
  noteUse(own, state);
  sweep(lentFolder(state), LIMITS);
  expect(existsSync(old)).toBe(false);
  expect(existsSync(read)).toBe(true);
  expect(existsSync(own)).toBe(true);
});

test('P-01: a page may start the replay of a trace it lent, and no other command line of ours', () => {
  const path = lentPath('one');
  const replay = [...COMMAND, 'replay', path, '--as', 'agent'];
  for (const argv of [
    replay,
    [...replay, '--loose'],
    [...replay, '--strict', '--speed', 'real'],
    [...replay, '--speed', '0.5'],
  ])
    expect(isLentReplay(argv, COMMAND, state)).toBe(true);
  const outside = join(state, 'a-trace.20261121-ab.acptrace.jsonl');
  writeFileSync(outside, '');
  const inside = join(lentFolder(state), 'sub');
  mkdirSync(inside);
  const deeper = join(inside, 'a.b.acptrace.jsonl');
  writeFileSync(deeper, '');
  const link = join(lentFolder(state), 'a.link.acptrace.jsonl');
  if (process.platform !== 'win32') symlinkSync('/etc/passwd', link);
  const as = (file: string) => [...COMMAND, 'replay', file, '--as', 'agent'];
  for (const argv of [
    [...replay, '--report', '/tmp/x'],
    [...replay, '--speed'],
    [...replay, '--speed', '--report'],
    [...replay, '--speed', '1', '--report'],
    [...replay, '--loose', '--strict'],
    [...replay, '--', 'sh'],
    [...COMMAND, 'replay', path, '--as', 'client', '--', 'sh'],
    [...COMMAND, 'record', path, '--as', 'agent'],
    ['node', 'other.js', 'replay', path, '--as', 'agent'],
    ['replay', path, '--as', 'agent'],
    COMMAND,
    [],
    as(outside),
    as(deeper),
    as(link),
    as(`${lentFolder(state)}/../a-trace.20261121-ab.acptrace.jsonl`),
    as(`${lentFolder(state)}/./a-trace.20261121-ab.acptrace.jsonl`),
    as('a-trace.20261121-ab.acptrace.jsonl'),
    as(join(lentFolder(state), 'never.lent.acptrace.jsonl')),
  ])
    expect([argv, isLentReplay(argv, COMMAND, state)]).toEqual([argv, false]);
});

test('a command line says which trace it plays', () => {
  const path = lentPath('one');
  expect(playedTrace([...COMMAND, 'replay', path, '--as', 'agent'])).toBe(TRACE);
  for (const argv of [
    [...COMMAND, 'replay', path, '--as', 'client'],
    [...COMMAND, 'replay', '/home/me/session.acptrace.jsonl', '--as', 'agent'],
    [path],
    [],
  ])
    expect(playedTrace(argv)).toBeUndefined();
  expect(playedTrace(['x', 'replay', `C:\\s\\a.${TRACE}.acptrace.jsonl`, '--as', 'agent'])).toBe(
    TRACE,
  );
});

test('every write can fail (R-21): whichever step of lending does, the page is told, what was lent before is whole, and nothing beside it', () => {
  const sync = ['openSync', 'writeSync', 'closeSync', 'renameSync'];
  const path = lentPath('before');
  let refused = 0;
  for (let nth = 1, left = 0; left < 1; nth++) {
    const rest = fullDisk(nth, { sync });
    const told = lend('after, and more than a half');
    left = rest();
    works();
    if ('problem' in told) {
      refused++;
      expect(told.problem).toMatchObject({
        code: 'io',
        message: expect.stringMatching(/cannot be kept in .*no space left/) as string,
      });
      expect(readFileSync(path, 'utf8')).toBe('before');
    } else expect(readFileSync(path, 'utf8')).toBe('after, and more than a half');
    expect(files()).toEqual(['a-trace.20261121-ab.acptrace.jsonl']);
  }
  expect(refused).toBe(sync.length);
});
