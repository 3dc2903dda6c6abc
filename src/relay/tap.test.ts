import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { until } from '../test/programs/until.ts';
import { connectionId, type TraceEvent } from '../trace/event.ts';
import { lineBytes, lineText } from '../trace/line.ts';
import { TraceReader } from '../trace/read.ts';
import { Recorder } from './spool/recorder.ts';
import { runTap, type TapEnd } from './tap.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tap-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface Tapped {
  readonly end: TapEnd;
  readonly out: Buffer;
  readonly err: Buffer;
  readonly events: readonly TraceEvent[];
}

/** An editor that writes `input` in these chunks to an agent that is a small Node program. */
async function tap(
  code: string,
  input: readonly Uint8Array[],
  Recording: typeof Recorder = Recorder,
): Promise<Tapped> {
  const path = join(folder, 'tap.acptrace.jsonl');
  const argv = [process.execPath, '-e', code];
  const [editor, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  output.on('data', (chunk: Buffer) => out.push(chunk));
  errors.on('data', (chunk: Buffer) => err.push(chunk));
  const running = runTap({
    program: { argv, cwd: folder, env: {} },
    record: () =>
      new Recording({
        path,
        connection: connectionId('t'),
        tool: 'test',
        name: 't',
        mode: 'tap',
        argv,
        cwd: folder,
      }),
    input: editor,
    output,
    errors,
  });
  for (const chunk of input) editor.write(chunk);
  editor.end();
  const end = await running;
  const reader = new TraceReader();
  const items = end.kind === 'problem' ? [] : [...reader.push(readFileSync(path)), ...reader.end()];
  const events = items.flatMap((item) => ('event' in item ? [item.event] : []));
  return { end, out: Buffer.concat(out), err: Buffer.concat(err), events };
}

const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const recorded = (events: readonly TraceEvent[], from: string) =>
  Buffer.concat(
    events.flatMap((event) =>
      event.type === 'frame' && event.from === from
        ? [Buffer.from(lineBytes(event.line)), Buffer.from(event.cut ? '' : '\n')]
        : [],
    ),
  );

const ECHO = 'process.stdin.pipe(process.stdout)';

test('R-62 N3 any bytes pass unchanged, both ways, and are recorded exactly', async () => {
  const bytes = Buffer.concat([
    randomBytes(300_000),
    Buffer.from('\r\n\n{"a":"日本"}\nno newline'),
  ]);
  const chunks = Array.from({ length: 40 }, (_, i) =>
    bytes.subarray((i * bytes.length) / 40, ((i + 1) * bytes.length) / 40),
  );
  const { out, events, end } = await tap(
    ECHO,
    chunks.map((chunk) => Buffer.from(chunk)),
  );
  expect(end).toEqual({ kind: 'code', code: 0 });
  const whole = sha(Buffer.concat(chunks));
  expect(sha(out)).toBe(whole);
  expect(sha(recorded(events, 'client'))).toBe(whole);
  expect(sha(recorded(events, 'agent'))).toBe(whole);
});

const FLOOD = 'process.stdout.write(("y".repeat(99) + "\\n").repeat(20_000))';

test('R-21 a disk slower than the agent holds the agent back, and every line is recorded', async () => {
  let asked = 0;
  class Slow extends Recorder {
    override get full(): boolean {
      return ++asked % 4 === 0;
    }
    override async drained(): Promise<void> {
      await delay(20);
      await super.drained();
    }
  }
  const { out, events } = await tap(FLOOD, [], Slow);
  expect(asked).toBeGreaterThan(4);
  expect(out.length).toBe(2_000_000);
  expect(sha(recorded(events, 'agent'))).toBe(sha(out));
});

test('R-21 a disk that takes nothing holds nobody back', async () => {
  class Hanging extends Recorder {
    override get full(): boolean {
      return true;
    }
    override async drained(): Promise<void> {
      await new Promise(() => undefined);
    }
  }
  const { out, end } = await tap(FLOOD, [], Hanging);
  expect(out.length).toBe(2_000_000);
  expect(end).toEqual({ kind: 'code', code: 0 });
});

test('R-65 the end of the editor’s output is the end of the agent’s input', async () => {
  const { out } = await tap('process.stdin.on("end", () => console.log("ended")).resume()', []);
  expect(out.toString()).toBe('ended\n');
});

test('E-05 R-41 the exit code and everything before it are handed on', async () => {
  const { end, events } = await tap(
    'process.stdout.write("x".repeat(1e6)+"\\n", () => process.exit(3))',
    [],
  );
  expect(end).toEqual({ kind: 'code', code: 3 });
  expect(recorded(events, 'agent').length).toBe(1_000_001);
  expect(events.at(-1)).toMatchObject({ type: 'exit', code: 3 });
});

test('R-41 an agent that ends because its editor left was asked to by the client', async () => {
  const { end, events } = await tap(`process.stdin.on('end', () => process.exit(4)).resume();`, []);
  expect(end).toEqual({ kind: 'code', code: 4 });
  expect(events.at(-1)).toMatchObject({ code: 4, sent: 'stdin', by: 'client' });
});

test.skipIf(process.platform === 'win32')('R-41 so is the signal it died of', async () => {
  const { end, events } = await tap('process.kill(process.pid, "SIGKILL")', []);
  expect(end).toEqual({ kind: 'signal', signal: 'SIGKILL' });
  expect(events.at(-1)).toMatchObject({ type: 'exit', signal: 'SIGKILL' });
});

test('R-16 stderr goes on as it is, and stands in the recording beside the frames', async () => {
  const code = 'console.error("one"); console.log("two"); console.error("three")';
  const { out, err, events } = await tap(code, []);
  expect([out.toString(), err.toString()]).toEqual(['two\n', 'one\nthree\n']);
  const texts = (of: string) =>
    events.flatMap((event) =>
      (event.type === 'frame' || event.type === 'stderr') && event.type === of
        ? [lineText(event.line)]
        : [],
    );
  expect([texts('frame'), texts('stderr')]).toEqual([['two'], ['one', 'three']]);
  // One clock for all: what stands later was said later.
  const times = events.map(({ at }) => at ?? NaN);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

test('R-42 an agent that does not exist is a sentence', async () => {
  const { end } = await tapMissing();
  expect(end).toMatchObject({ kind: 'problem', problem: { code: 'not_found' } });
});

async function tapMissing() {
  const end = await runTap({
    program: { argv: ['acp-scope-no-such-agent'], cwd: folder, env: {} },
    record: () => {
      throw new Error('nothing to record');
    },
    input: new PassThrough(),
    output: new PassThrough(),
    errors: new PassThrough(),
  });
  return { end };
}

/** A tap of an editor that takes nothing until `take` is called. */
function tapSlowly(code: string) {
  const path = join(folder, 'slow.acptrace.jsonl');
  const argv = [process.execPath, '-e', code];
  let out = '';
  const waiting: (() => void)[] = [];
  const output = new Writable({
    write(chunk: Buffer, _, done) {
      out += chunk.toString();
      waiting.push(done);
    },
  });
  const facts = { connection: connectionId('t'), tool: 'test', name: 't', mode: 'tap' } as const;
  const ended = vi.fn();
  const running = runTap({
    program: { argv, cwd: folder, env: {} },
    record: () => new Recorder({ ...facts, path, argv, cwd: folder }),
    ...{ input: new PassThrough(), output, errors: new PassThrough() },
  });
  void running.then(ended);
  const isRecorded = () => until(() => expect(readFileSync(path, 'utf8')).toContain('"exit"'));
  const take = () => {
    for (const done of waiting.splice(0)) done();
  };
  return { running, ended, isRecorded, take, waiting, out: () => out };
}

test('R-62 R-41 the last words of an agent reach an editor that reads late, before the tap ends', async () => {
  const { running, ended, isRecorded, take, out } = tapSlowly(
    `process.stdout.write('one\\n', () => setTimeout(() => process.stdout.write('two\\n'), 100))`,
  );
  await isRecorded();
  await delay(200);
  expect([out(), ended.mock.calls]).toEqual(['one\n', []]);
  take();
  await until(() => expect(out()).toBe('one\ntwo\n'));
  const taking = setInterval(take, 10);
  expect(await running).toEqual({ kind: 'code', code: 0 });
  clearInterval(taking);
});

test.skipIf(process.platform === 'win32')(
  'R-65 an editor that ends the tap and reads no more does not keep it',
  async () => {
    const { running, waiting } = tapSlowly(`console.log('up'); setInterval(() => {}, 1000)`);
    await until(() => expect(waiting).toHaveLength(1));
    process.emit('SIGTERM');
    expect(await running).toEqual({ kind: 'signal', signal: 'SIGTERM' });
    const exit = readFileSync(join(folder, 'slow.acptrace.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .at(-1);
    expect(JSON.parse(exit ?? '')).toMatchObject({ sent: 'SIGTERM', by: 'client' });
  },
);
