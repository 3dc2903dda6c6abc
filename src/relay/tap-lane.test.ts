import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { connectionId, type Origin, type Side, type TraceEvent } from '../trace/event.ts';
import type { Interceptor } from './intercept.ts';
import { Recorder } from './spool/recorder.ts';
import { TapLane } from './tap-lane.ts';

function begin() {
  const path = join(mkdtempSync(join(tmpdir(), 'lane-')), 'a.acptrace.jsonl');
  const recorder = new Recorder({
    ...{ path, connection: connectionId('c'), tool: 'test', name: 't', mode: 'tap' },
    ...{ argv: [], cwd: '/' },
  });
  const written: Uint8Array[] = [];
  const sink = new Writable({
    write(chunk: Uint8Array, _, done) {
      written.push(chunk);
      done();
    },
  });
  const lane = new TapLane('agent', sink, recorder);
  const recorded = async () => {
    await recorder.close();
    const lines = readFileSync(path, 'utf8').split('\n').slice(1, -1);
    return lines.flatMap((line) => {
      const event = JSON.parse(line) as TraceEvent;
      return event.type === 'frame' && 'text' in event.line ? event.line.text : [];
    });
  };
  return { lane, written, recorded };
}

/** Lets every line cross at once. */
class Open implements Interceptor {
  isIdle = false;
  readonly taken: string[] = [];
  readonly #lane: TapLane;
  constructor(lane: TapLane) {
    this.#lane = lane;
  }
  take(_: Side, line: Uint8Array, origin: Origin): void {
    this.taken.push(Buffer.from(line).toString());
    this.#lane.send(line, origin, undefined);
  }
  ended(): Promise<void> {
    return Promise.resolve();
  }
  room(): undefined {
    return undefined;
  }
  off(): void {
    this.isIdle = true;
  }
}

test('R-62: while nothing is intercepted, the very chunk that came is handed on, before its line ends', () => {
  const { lane, written } = begin();
  const chunk = Buffer.from('{"half":');
  lane.take(chunk);
  expect(written[0]).toBe(chunk);
});

test('a line that had begun when the intercept came goes on as it began; the next is intercepted', async () => {
  const { lane, written, recorded } = begin();
  const open = new Open(lane);
  lane.take(Buffer.from('one\ntw'));
  lane.intercept(open);
  lane.take(Buffer.from('o\nthree\nfo'));
  expect(open.taken).toEqual(['three']);
  open.off();
  lane.take(Buffer.from('ur\nfi'));
  lane.take(Buffer.from('ve\n'));
  expect(open.taken).toEqual(['three', 'four']);
  await lane.end();
  expect(Buffer.concat(written).toString()).toBe('one\ntwo\nthree\nfour\nfive\n');
  expect(await recorded()).toEqual(['one', 'two', 'three', 'four', 'five']);
});

test('what the intercept sends of its own waits for the end of a line that has begun', async () => {
  const { lane, written } = begin();
  const open = new Open(lane);
  lane.intercept(open);
  open.isIdle = true;
  lane.take(Buffer.from('on'));
  open.isIdle = false;
  lane.send(Buffer.from('ours'), 'intercept', undefined);
  lane.take(Buffer.from('e\ntwo\n'));
  await lane.end();
  expect(Buffer.concat(written).toString()).toBe('one\nours\ntwo\n');
});

test('R-62: however it is cut into chunks, and wherever it is switched on and off, no byte changes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ text: fc.stringMatching(/^[ab\n]{0,6}$/), turn: fc.boolean() })),
      async (chunks) => {
        const { lane, written, recorded } = begin();
        let open: Open | undefined;
        for (const { text, turn } of chunks) {
          if (turn && (open === undefined || open.isIdle)) lane.intercept((open = new Open(lane)));
          else if (turn) open?.off();
          lane.take(Buffer.from(text));
        }
        await lane.end();
        const all = chunks.map(({ text }) => text).join('');
        expect(Buffer.concat(written).toString()).toBe(all);
        const lines = all.split('\n');
        expect(await recorded()).toEqual(lines.at(-1) === '' ? lines.slice(0, -1) : lines);
      },
    ),
    { numRuns: 40 },
  );
});
