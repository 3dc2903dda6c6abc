import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { millis } from '../../lib/time.ts';
import { decodeUtf8, encodeUtf8 } from '../../lib/utf8.ts';
import { draw } from '../../test/traces/draw.ts';
import { connectionId, seq, type TraceEvent } from '../../trace/event.ts';
import { eventLine } from '../../trace/format.ts';
import { OpenTrace } from './open-trace.ts';

const CONNECTION = connectionId('c');
const never = () => false;
const trace = () => new OpenTrace(CONNECTION, () => 'S1', 'not there any more');
const frame = (number: number): TraceEvent => ({
  type: 'frame',
  seq: seq(number),
  at: millis(number),
  from: 'agent',
  line: { text: `frame ${number} é` },
  origin: 'peer',
});
const bytesOf = (events: readonly TraceEvent[]) =>
  encodeUtf8(events.map((event) => `${eventLine(event)}\n`).join(''));
const shown = (open: OpenTrace) =>
  Array.from({ length: open.lines.length }, (_, i) => open.lines.event(i)).map((event) =>
    event.type === 'gap' ? `gap ${event.seq}×${event.count}` : event.seq,
  );
function stored(open: OpenTrace): string {
  const batch = open.lines.batch(CONNECTION, seq(0), 0, Infinity);
  return batch ? (decodeUtf8(batch.bytes) ?? '') : '';
}

describe('an open trace', () => {
  test('tells its index and who listens of every event, in order', () => {
    const events = draw(`
      start agent
      client →0 initialize {"protocolVersion":1}
      agent ←0 result {"protocolVersion":1}
      stderr words
      exit 0`);
    const open = trace();
    const heard: string[] = [];
    open.listen((event, message) => heard.push(message?.kind ?? event.type));
    open.take(bytesOf(events), 0, never);
    expect(heard).toEqual(['start', 'request', 'success', 'stderr', 'exit']);
    expect(open.index.length).toBe(5);
    expect(open.index.facts().handshake?.version).toBe(1);
    expect(shown(open)).toEqual([1, 2, 3, 4, 5]);
  });

  test('gives the messages of an array places of their own, also after they were stored', () => {
    const ask = '{"jsonrpc":"2.0","id":1,"method":"session/list","params":{}}';
    const events = draw(`
      client raw [${ask}, 5]
      agent raw [{"jsonrpc":"2.0","id":1,"result":{}}]`);
    const open = trace();
    const heard: number[] = [];
    open.listen((event) => heard.push(event.seq));
    open.take(bytesOf(events), 0, never);
    const again = trace();
    again.listen((event) => heard.push(event.seq));
    const bytes = bytesOf(events);
    const block = { size: bytes.length, read: () => bytes } as never;
    again.recall(structuredClone(open.keep()), [block], bytes.length);
    for (const one of [open, again]) {
      expect(shown(one)).toEqual([1, 1, 2, 2]);
      expect(one.index.length).toBe(one.lines.length);
      expect(one.index.columns.partnerOf(3)).toBe(1);
      expect(one.lines.event(1)).toMatchObject({ seq: 1, member: 0, line: { text: ask } });
      expect(one.lines.after(1)).toBe(2);
    }
    expect(heard).toEqual([1, 2, 1, 2]);
    expect(stored(open)).toBe(decodeUtf8(bytes));
  });

  test('knows the bytes of each frame as it crossed, however its line was written here', () => {
    const line = fc.string({ unit: fc.constantFrom('a', '\\', 'u', '0', '"', '\n', 'é', '😀') });
    fc.assert(
      fc.property(fc.array(fc.tuple(line, fc.boolean()), { maxLength: 20 }), (lines) => {
        const events = lines.map(([text], at) => ({ ...frame(at + 1), line: { text } }));
        const written = events.map((event, at) => {
          const text = eventLine(event as TraceEvent);
          const escaped = (of: string) => `\\u${of.charCodeAt(0).toString(16).padStart(4, '0')}`;
          return `${lines[at]?.[1] ? text.replace(/[^ -~]/g, escaped) : text}\n`;
        });
        const open = trace();
        open.take(encodeUtf8(written.join('')), 0, never);
        expect(events.map((_, at) => open.index.columns.size.get(at))).toEqual(
          lines.map(([text]) => encodeUtf8(text).length),
        );
      }),
    );
  });

  test('a late listener is told all that was', () => {
    const open = trace();
    open.take(bytesOf([frame(1), frame(2)]), 0, never);
    const heard: number[] = [];
    open.retell((event) => heard.push(event.seq));
    expect(heard).toEqual([1, 2]);
  });

  test('goes on where the time was up', () => {
    const open = trace();
    const bytes = bytesOf(Array.from({ length: 100 }, (_, i) => frame(i + 1)));
    let slices = 0;
    for (let offset = 0; offset < bytes.length; slices++)
      offset = open.take(bytes, offset, () => true);
    expect(slices).toBeGreaterThan(2);
    expect(open.lines.length).toBe(100);
  });

  test('R-34 a hole in the numbers is a gap with why, and nothing is renumbered', () => {
    const open = trace();
    open.take(bytesOf([frame(3), frame(7)]), 0, never);
    expect(shown(open)).toEqual(['gap 1×2', 3, 'gap 4×3', 7]);
    expect(open.lines.event(0)).toMatchObject({ reason: 'not there any more' });
    expect(open.missing).toBe(5);
    expect(open.lines.indexOf(seq(7))).toBe(3);
    expect(open.lines.indexOf(seq(5))).toBeUndefined();
  });

  test("a recorder's own gap stands for the events it names", () => {
    const gap: TraceEvent = { type: 'gap', seq: seq(2), at: millis(2), count: 3, reason: 'full' };
    const open = trace();
    open.take(bytesOf([frame(1), gap, frame(5), frame(6)]), 0, never);
    expect(shown(open)).toEqual([1, 'gap 2×3', 5, 6]);
    expect(open.missing).toBe(0);
  });

  test('R-39 a line that is no event is the reason of the gap it leaves', () => {
    const open = trace();
    const bytes = encodeUtf8(`${eventLine(frame(1))}\n{"seq":2}\n${eventLine(frame(3))}\n`);
    open.take(bytes, 0, never);
    expect(shown(open)).toEqual([1, 'gap 2×1', 3]);
    expect(open.lines.event(1)).toMatchObject({
      reason: expect.stringContaining('unknown event type'),
    });
  });

  test('R-57 a cut last line of a file is a gap at the end', () => {
    const open = trace();
    open.take(encodeUtf8(`${eventLine(frame(1))}\n{"type":"fra`), 0, never);
    open.finish();
    open.finish();
    expect(shown(open)).toEqual([1, 'gap 2×1']);
  });

  test('N1 N2 any batches, repeated, cut and with holes: every event that came is in once, unchanged', () => {
    const some = fc.record({
      from: fc.integer({ min: 1, max: 60 }),
      size: fc.integer({ min: 1, max: 12 }),
      slow: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(some, { maxLength: 12 }), (batches) => {
        const open = trace();
        const came: number[] = [];
        for (const { from, size, slow } of batches) {
          const events = Array.from({ length: size }, (_, i) => frame(from + i));
          const bytes = bytesOf(events);
          for (let offset = 0; offset < bytes.length;)
            offset = open.take(bytes, offset, () => slow);
          for (const { seq } of events) if (seq > (came.at(-1) ?? 0)) came.push(seq);
        }
        expect(stored(open)).toBe(came.map((number) => `${eventLine(frame(number))}\n`).join(''));
        // Shown events and gaps together cover every number from 1 to the last.
        const covered = Array.from({ length: open.lines.length }, (_, i) => open.lines.event(i));
        let due = 1;
        for (const event of covered) {
          expect(event.seq).toBe(due);
          due += event.type === 'gap' ? event.count : 1;
        }
        expect(due - 1).toBe(came.at(-1) ?? 0);
      }),
    );
  });

  test('a line that is not UTF-8 costs itself alone among those read with it', () => {
    const open = trace();
    const bytes = bytesOf([1, 2, 3, 4].map(frame));
    const second = bytes.indexOf(0x0a) + 1;
    bytes[second + 5] = 0xff;
    open.take(bytes, 0, never);
    expect(shown(open)).toEqual([1, 'gap 2×1', 3, 4]);
    expect(open.lines.event(3)).toEqual(frame(4));
  });
});
