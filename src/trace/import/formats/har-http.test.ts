// HAR files of HTTP: what is posted and what comes on event streams, in an order that may have been.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeUtf8 } from '../../../lib/utf8.ts';
import type { Frame, TraceEvent } from '../../event.ts';
import { lineText } from '../../line.ts';
import { AnyReader } from '../sniff.ts';

const T0 = Date.UTC(2026, 6, 29, 8);
const URL = 'http://127.0.0.1:3000/acp';

interface Entry {
  readonly at: number;
  readonly took?: number;
  readonly post?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly url?: string;
  /** The events of a stream, or the only body. */
  readonly events?: readonly string[];
  readonly body?: string;
  /** Times of the events. */
  readonly times?: readonly number[];
}

function har(entries: readonly Entry[]): string {
  const list = entries.map(
    ({ at, took = 1, post, status = 200, headers = {}, url = URL, events, body, times }) => ({
      startedDateTime: new Date(T0 + at).toISOString(),
      time: took,
      request: {
        method: post === undefined ? 'GET' : 'POST',
        url,
        headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
        ...(post !== undefined && { postData: { mimeType: 'application/json', text: post } }),
      },
      response: {
        status,
        headers: [],
        content: {
          mimeType: events ? 'text/event-stream' : 'application/json',
          ...(body !== undefined && { text: body }),
          ...(!times &&
            events?.length && { text: events.map((one) => `data: ${one}\n\n`).join('') }),
        },
      },
      ...(times && {
        _eventSourceMessages: events?.map((data, i) => ({
          ...{ data, time: (T0 + (times[i] ?? 0)) / 1000, eventName: 'message', eventId: '' },
        })),
      }),
    }),
  );
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'x' }, entries: list } });
}

function read(entries: readonly Entry[]) {
  const reader = new AnyReader();
  const items = [...reader.push(encodeUtf8(har(entries))), ...reader.end()];
  const events = items.flatMap((item): TraceEvent[] => ('event' in item ? [item.event] : []));
  const frames = events.filter((event): event is Frame => event.type === 'frame');
  return { reader, events, frames, shown: frames.map(shownFrame) };
}

const shownFrame = ({ from, line }: Frame) => `${from[0]}${lineText(line)}`;
const ask = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"m"}`;
const answer = (id: number) => `{"jsonrpc":"2.0","id":${id},"result":{}}`;
const note = (text: string) => `{"jsonrpc":"2.0","method":"${text}"}`;
const CONNECTION = { 'ACP-Connection-Id': 'c1' };
const SESSION = { ...CONNECTION, 'acp-session-id': 's1' };

test('events without times come after the request that their next response answers, and a gap says so', () => {
  const { events, shown, frames, reader } = read([
    { at: 0, post: ask(0), body: answer(0), took: 5 },
    { at: 10, headers: CONNECTION, events: [answer(1)] },
    { at: 20, post: ask(1), headers: CONNECTION, status: 202 },
    { at: 30, headers: SESSION, events: [note('a'), ask(7), note('b'), answer(2), note('c')] },
    { at: 40, post: ask(2), headers: SESSION, status: 202 },
    { at: 90, post: answer(7), headers: SESSION, status: 202 },
  ]);
  expect(shown).toEqual([
    ...[`c${ask(0)}`, `a${answer(0)}`, `c${ask(1)}`, `a${answer(1)}`, `c${ask(2)}`],
    ...[`a${note('a')}`, `a${ask(7)}`, `c${answer(7)}`, `a${note('b')}`, `a${answer(2)}`],
    `a${note('c')}`,
  ]);
  expect(events[0]).toMatchObject({ type: 'start', argv: [URL], at: 0 });
  expect(events[1]).toMatchObject({ type: 'gap', hole: 'order' });
  expect(frames.map(({ at }) => at)).toEqual([
    ...[0, 5, 20, undefined, 40, undefined, undefined, 90, undefined, undefined, undefined],
  ]);
  expect(frames[1]?.via).toEqual({ stream: 'post' });
  expect(frames[3]?.via).toEqual({ stream: 'connection' });
  expect(frames[4]?.via).toEqual({ stream: 'post', session: 's1' });
  expect(frames[5]?.via).toEqual({ stream: 'session', session: 's1' });
  expect(reader.format).toBe('har-http');
});

test('a history comes after the request to load its session, though its stream was open before', () => {
  const { shown } = read([
    { at: 0, headers: SESSION, events: [note('history')] },
    { at: 1, headers: CONNECTION, events: [answer(1)] },
    { at: 2, post: ask(1), headers: SESSION, status: 202 },
  ]);
  expect(shown).toEqual([`c${ask(1)}`, `a${note('history')}`, `a${answer(1)}`]);
});

test('a response that came in the millisecond of the next request is before that', () => {
  const { shown } = read([
    { at: 3, post: ask(0), body: answer(0), took: 4.6 },
    { at: 7, post: ask(1), body: answer(1), took: 0.2 },
    { at: 7, post: ask(2), body: answer(2), took: 0.1 },
  ]);
  expect(shown).toEqual([0, 1, 2].flatMap((id) => [`c${ask(id)}`, `a${answer(id)}`]));
});

test('a rejected post, a stream without content, a truncated event and a foreign body are reported', () => {
  const { events, reader } = read([
    { at: 0, post: ask(0), status: 403, body: '<p>no</p>' },
    { at: 5, headers: CONNECTION, events: [] },
    { at: 6, post: ask(1), headers: CONNECTION, events: [note('a').slice(0, -4)] },
  ]);
  expect(events).toMatchObject([
    { type: 'start' },
    { type: 'gap', hole: 'order' },
    { type: 'frame', seq: 3 },
    { type: 'transport', status: 403, of: 3, stream: 'post', problem: expect.any(String) },
    { type: 'gap', reason: expect.stringContaining('does not have') },
    { type: 'frame', from: 'client' },
  ]);
  expect(reader.report).toMatchObject({ odd: 2, frames: 2 });
});

test('what else a page does is ignored, and each connection is followed by an exit', () => {
  const { shown, events, reader } = read([
    { at: 0, url: 'http://x/', body: '{"a":1}' },
    { at: 1, url: 'http://x/log', post: '{"level":"info"}', body: '{}' },
    { at: 2, url: 'http://x/news', events: ['{"headline":1}'] },
    { at: 3, post: ask(0), body: answer(0) },
    { at: 5, post: ask(0), body: answer(0), url: `${URL}/other?a=b` },
  ]);
  expect(shown).toEqual([0, 0].flatMap((id) => [`c${ask(id)}`, `a${answer(id)}`]));
  expect(events.map(({ type }) => type)).toEqual([
    ...['start', 'frame', 'frame', 'exit', 'start', 'frame', 'frame'],
  ]);
  expect(events.at(-1)).not.toHaveProperty('via');
  expect(reader.report?.odd).toBe(0);
});

/** A conversation over one connection stream and two session streams: `at` is when each message came. */
const traffic = fc
  .array(fc.tuple(fc.boolean(), fc.nat(3), fc.nat(4), fc.nat(2), fc.nat(2)), { maxLength: 40 })
  .map((steps) => {
    const asked = { client: [] as number[], agent: [] as number[] };
    const next = { client: 0, agent: 1000 };
    let at = 1;
    return steps.map(([isClient, kind, which, stream, pause], i) => {
      const [from, to] = isClient ? (['client', 'agent'] as const) : (['agent', 'client'] as const);
      at += 1 + pause;
      if (kind === 0) return { from, text: note(`n${i}`), stream, at };
      const waiting = asked[to];
      if (kind > 1 && waiting.length > 0) {
        const [id = 0] = waiting.splice(which % waiting.length, 1);
        return { from, text: answer(id), stream, at };
      }
      asked[from].push(next[from]);
      return { from, text: ask(next[from]++), stream, at };
    });
  });
const STREAMS = [CONNECTION, SESSION, { ...CONNECTION, 'acp-session-id': 's2' }];

test('every message is there once, in the order of its stream, and no response before its request', () => {
  fc.assert(
    fc.property(traffic, fc.boolean(), (messages, isTimed) => {
      const streams = STREAMS.map((headers, stream) => {
        const mine = messages.filter((one) => one.from === 'agent' && one.stream === stream);
        const events = mine.map(({ text }) => text);
        return { at: 0, headers, events, ...(isTimed && { times: mine.map(({ at }) => at) }) };
      });
      const posts = messages
        .filter(({ from }) => from === 'client')
        .map(({ text, at, stream }) => ({
          at,
          post: text,
          headers: STREAMS[stream] ?? {},
          status: 202,
        }));
      const { shown, frames } = read([...streams, ...posts]);
      const expected = messages.map(({ from, text }) => `${from[0]}${text}`);
      expect(shown.toSorted()).toEqual(expected.toSorted());
      if (isTimed) expect(shown).toEqual(expected);
      for (const [, stream] of STREAMS.entries()) {
        const session = 'acp-session-id' in stream ? stream['acp-session-id'] : undefined;
        const of = frames.filter(({ from, via }) => from === 'agent' && via?.session === session);
        const sent = streams.find(({ headers }) => headers === stream)?.events ?? [];
        expect(of.map(({ line }) => lineText(line))).toEqual(sent);
      }
      const places = new Map(shown.map((text, at) => [text, at]));
      for (const { from, text } of messages.filter(({ text: one }) => one.includes('result'))) {
        const id = Number(/"id":(\d+)/.exec(text)?.[1]);
        const asked = `${from === 'client' ? 'a' : 'c'}${ask(id)}`;
        expect(places.get(asked)).toBeLessThan(places.get(`${from[0]}${text}`) ?? -1);
      }
    }),
  );
});
