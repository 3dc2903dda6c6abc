import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { encodeUtf8 } from '../../lib/utf8.ts';
import { connectionId } from '../../trace/event.ts';
import { parseEvent } from '../../trace/format.ts';
import { Awake, type Clocks } from './awake.ts';
import { Recorder } from './recorder.ts';

const HOUR = 3_600_000;

/** Clocks that are moved by hand: by how much each. */
function clocks() {
  const at = { steady: 7, wall: Date.UTC(2026, 10, 25), machine: 9000 };
  const pass = (ms: { steady?: number; wall?: number; machine?: number }) => {
    for (const name of ['steady', 'wall', 'machine'] as const) at[name] += ms[name] ?? 0;
  };
  /** As it goes while all runs. */
  const run = (ms: number) => pass({ steady: ms, wall: ms, machine: ms });
  const read: Clocks = {
    steady: () => at.steady,
    wall: () => at.wall,
    machine: () => at.machine,
  };
  return { read, pass, run };
}

test('R-30: a sleep is told by the clocks that go on in it, and which of them count it', () => {
  const { read, pass, run } = clocks();
  const awake = new Awake(read);
  run(500);
  expect(awake.look()).toBeUndefined();
  // Where the clock of the events stands still in a sleep.
  pass({ wall: 8 * HOUR, machine: 8 * HOUR });
  run(10);
  expect(awake.look()).toEqual({ ms: 8 * HOUR, counted: 0 });
  run(500);
  expect(awake.look()).toBeUndefined();
  // Where it goes on; or this process alone was stopped.
  run(60_000);
  expect(awake.look()).toEqual({ ms: 60_000, counted: 60_000 });
  // Stopped, and then the machine slept.
  run(60_000);
  pass({ wall: HOUR, machine: HOUR });
  expect(awake.look()).toEqual({ ms: HOUR + 60_000, counted: 60_000 });
  expect(awake.look()).toBeUndefined();
});

test('R-30 R-55: a clock on the wall that goes forward may have been set, and one that goes back was', () => {
  const { read, pass, run } = clocks();
  const awake = new Awake(read);
  pass({ wall: HOUR });
  run(100);
  expect(awake.look()).toEqual({ ms: HOUR, counted: 0, unsure: true });
  pass({ wall: -HOUR });
  run(100);
  expect(awake.look()).toBeUndefined();
  run(500);
  expect(awake.look()).toBeUndefined();
});

test('R-30: a machine that is busy, or whose clock is put right bit by bit, has not slept', () => {
  const step = fc.record({ late: fc.integer({ min: 1, max: 4700 }), slew: fc.double({ min: -0.05, max: 0.05, noNaN: true }) }); // prettier-ignore
  fc.assert(
    fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
      const { read, pass } = clocks();
      const awake = new Awake(read);
      for (const { late, slew } of steps) {
        pass({ steady: late, machine: late, wall: late * (1 + slew) });
        expect(awake.look()).toBeUndefined();
      }
    }),
  );
});

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'acp-scope-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('R-30 R-56: it stands before what came after it, also where no look came between, and times go forward', async () => {
  const path = join(folder, 'a.acptrace.jsonl');
  const { read, pass, run } = clocks();
  const recorder = new Recorder({
    ...{ path, connection: connectionId('c'), tool: 'acp-scope 0', name: 'agent', mode: 'tap' },
    ...{ argv: [], cwd: '/', clocks: read },
  });
  recorder.frame('client', encodeUtf8('before'), 'peer');
  run(6000);
  recorder.lines('agent', encodeUtf8('one\ntwo\n'));
  pass({ wall: HOUR, machine: HOUR });
  recorder.stderr(encodeUtf8('woken'));
  run(9000);
  recorder.exit({ code: 0 });
  run(9000);
  await recorder.close();
  const [, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => parseEvent(line, 1))).toMatchObject([
    { type: 'frame', seq: 1, at: 0 },
    { type: 'sleep', seq: 2, at: 6000, ms: 6000, counted: 6000 },
    { type: 'frame', seq: 3, at: 6000 },
    { type: 'frame', seq: 4, at: 6000 },
    { type: 'sleep', seq: 5, at: 6000, ms: HOUR, counted: 0 },
    { type: 'stderr', seq: 6, at: 6000 },
    { type: 'sleep', seq: 7, at: 15_000, ms: 9000 },
    { type: 'exit', seq: 8, at: 15_000 },
  ]);
});
