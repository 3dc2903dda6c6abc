import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PIECE_COST } from '../bytes.ts';
import { decodeLossy, encodeUtf8 } from '../utf8.ts';
import { SseParser, type SseEvent } from './sse.ts';

interface Said {
  readonly data: string;
  readonly id?: string;
  readonly event?: string;
  readonly cut?: true;
}

function said({ data, id, event }: SseEvent): Said {
  const text = data.map(decodeLossy).join('');
  return { data: text, ...(id !== undefined && { id }), ...(event !== undefined && { event }) };
}

function parsed(chunks: readonly Uint8Array[]): { events: readonly Said[]; parser: SseParser } {
  const parser = new SseParser();
  const events: Said[] = chunks.flatMap((chunk) => parser.push(chunk)).map(said);
  const rest = parser.end();
  return { events: rest ? [...events, { ...said(rest), cut: true }] : events, parser };
}

const whole = (text: string) => parsed([encodeUtf8(text)]);

test('each data event is one message, whatever comment, field or line end stands around it', () => {
  expect(whole('data: {"a":1}\n\n').events).toEqual([{ data: '{"a":1}' }]);
  expect(whole('data:{"a":1}\r\n\r\n').events).toEqual([{ data: '{"a":1}' }]);
  expect(whole('data:  two\r\rdata: x\r\r').events).toEqual([{ data: ' two' }, { data: 'x' }]);
  expect(whole('\ufeffdata: x\n\n').events).toEqual([{ data: 'x' }]);
  expect(whole(':\n\n: keep\n\nfoo: bar\n\n').events).toEqual([]);
  expect(whole('data\n\ndata:\ndata:\n\n').events).toEqual([{ data: '' }, { data: '\n' }]);
  expect(whole('event: message\nid: 7\ndata: a\ndata: b\n\n').events).toEqual([
    { data: 'a\nb', id: '7', event: 'message' },
  ]);
});

test('an id counts until the next, also of an event without data; one with a NUL does not', () => {
  expect(whole('id: 1\n\n').parser.lastId).toBe('1');
  expect(whole('id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n')).toMatchObject({
    events: [{ data: 'a', id: '1' }, { data: 'b' }],
    parser: { lastId: '1' },
  });
  expect(whole('retry: 50\nretry: soon\n\n').parser.retry).toBe(50);
});

test('an event that the end of the stream cuts is not lost', () => {
  expect(whole('data: a\n\ndata: {"b"').events).toEqual([
    { data: 'a' },
    { data: '{"b"', cut: true },
  ]);
});

test('what is cut is not what a reconnect goes on behind: it is due again', () => {
  expect(whole('id: 1\ndata: a\n\nid: 2\ndata: {"b"').parser.lastId).toBe('1');
  expect(whole('id: 1\ndata: a\n\nid: 2\ndata: b\n').parser.lastId).toBe('1');
});

const bytes = (text: string) => encodeUtf8(text);
const dataLine = fc
  .string({ unit: 'binary', maxLength: 12 })
  .map((text) => text.replace(/[\r\n]/g, ''));
const ending = fc.constantFrom('\n', '\r\n', '\r');
const eventText = fc
  .record({
    data: fc.array(dataLine, { minLength: 1, maxLength: 3 }),
    id: fc.option(fc.stringMatching(/^[a-z0-9]{1,5}$/), { nil: undefined }),
    comment: fc.boolean(),
  })
  .map((event) => event);

test('however the bytes are cut, the same events come out', () => {
  fc.assert(
    fc.property(
      fc.array(eventText, { maxLength: 6 }),
      ending,
      fc.array(fc.nat({ max: 400 }), { maxLength: 20 }),
      (events, end, cuts) => {
        const text = events
          .map(
            ({ data, id, comment }) =>
              (comment ? `: hello${end}` : '') +
              (id === undefined ? '' : `id: ${id}${end}`) +
              data.map((line) => `data: ${line}${end}`).join('') +
              end,
          )
          .join('');
        const all = bytes(text);
        const places = [...new Set(cuts)].filter((at) => at < all.length).sort((a, b) => a - b);
        const chunks = [0, ...places].map((at, i) => all.subarray(at, places[i] ?? all.length));
        const expected = events.map(({ data, id }) => ({
          data: data.map((line) => decodeLossy(bytes(line))).join('\n'),
          ...(id !== undefined && { id }),
        }));
        expect(parsed(chunks).events).toEqual(expected);
        expect(parsed([...all].map((byte) => new Uint8Array([byte]))).events).toEqual(expected);
      },
    ),
  );
});

test('no bytes make it throw, and what it holds is what came', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 10 }), (chunks) => {
      const parser = new SseParser();
      let sum = 0;
      for (const chunk of chunks) {
        parser.push(chunk);
        sum += chunk.length;
        // The shortest line of data has five bytes.
        expect(parser.held).toBeLessThanOrEqual(sum * (1 + PIECE_COST / 5));
      }
      parser.end();
      expect(parser.held).toBe(0);
    }),
  );
});

test('N5: an event of many short lines counts for what they take, not for their bytes alone', () => {
  const parser = new SseParser();
  for (let said = 0; said < 10; said++) parser.push(encodeUtf8('data\n'.repeat(1000)));
  expect(parser.held).toBeGreaterThan(1_000_000);
  expect(parser.push(encodeUtf8('\n'))).toHaveLength(1);
  expect(parser.held).toBe(0);
});

test('N5: a long line stays in the pieces it came in, whatever stands before and behind it', () => {
  const long = 'y'.repeat(300_000);
  for (const first of ['d', 'data: ', `data: ${'x'.repeat(5000)}`, '\ufeffda']) {
    const text = `${first}${first.endsWith('d') ? 'ata:' : ''}${first.endsWith('da') ? 'ta:' : ''}${long}`;
    const value = text.replace(/^\ufeff?data: ?/, '');
    const parser = new SseParser();
    const chunks = [first, text.slice(first.length, 9000), text.slice(9000)];
    const cut = [...chunks.slice(0, 2), ...((chunks[2] ?? '').match(/.{1,10000}/gs) ?? [])];
    const all = [...cut, '\ndata: b\nid: 7\n\ndata: c\n\n'].map(encodeUtf8);
    const events = all.flatMap((chunk) => parser.push(chunk));
    expect(events.map(said)).toEqual([{ data: `${value}\nb`, id: '7' }, { data: 'c' }]);
    // A joined line would be one piece of all its bytes.
    expect(Math.max(...(events[0]?.data ?? []).map(({ length }) => length))).toBeLessThan(80_000);
  }
  const other = new SseParser();
  other.push(encodeUtf8(`:${long}`));
  other.push(encodeUtf8(`\nid: 1${long}\ndata: x\n\nid: 2\0`));
  expect(other.lastId).toHaveLength(1024);
  other.push(encodeUtf8(`${long}\0\n\nid: ${long}`));
  other.push(encodeUtf8(`${long}\0\ndata: z\n\n`));
  expect(other.lastId).toHaveLength(1024);
  expect(other.held).toBe(0);
  other.push(encodeUtf8(`data: ${long}`));
  expect(said(other.end() as SseEvent)).toEqual({ data: long });
});
