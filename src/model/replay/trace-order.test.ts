import { expect, test } from 'vitest';
import { draw } from '../../test/traces/draw.ts';
import { V1, V1_SESSION } from '../../test/traces/rule-case.ts';
import { indexedTrace } from '../indexed-trace.ts';
import { inOrder, orderOf } from './trace-order.ts';

const LOAD = 'client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}';
const lived = (name: string, began?: number) =>
  indexedTrace(draw(`${V1_SESSION}client →2 session/prompt s1 "Hello"`), name, { began });
const restored = (name: string, began?: number) =>
  indexedTrace(draw(`${V1}${LOAD}\nagent update s1 user_message_chunk "Hello"`), name, { began });
const other = (name: string, began?: number) => indexedTrace(draw(V1), name, { began });

const names = (order: ReturnType<typeof inOrder>) =>
  order.map(({ connection }) => String(connection));

test('traces stand by their clocks, and where one has none, by the sessions they share', () => {
  expect(names(inOrder([restored('b', 2), lived('a', 1)]))).toEqual(['a', 'b']);
  expect(names(inOrder([restored('b', 1), lived('a')]))).toEqual(['a', 'b']);
  expect(names(inOrder([restored('b'), lived('a')]))).toEqual(['a', 'b']);
});

test('those that know their time keep to it beside one that does not', () => {
  const order = names(inOrder([other('late', 9), restored('b'), other('early', 3), lived('a', 5)]));
  expect(order.filter((name) => name !== 'b')).toEqual(['early', 'a', 'late']);
  expect(order.indexOf('b')).toBeGreaterThan(order.indexOf('a'));
});

test('what nothing tells stays as given, and is not said to be sure', () => {
  const [one, two] = [other('one'), other('two')];
  expect(names(inOrder([one, two]))).toEqual(['one', 'two']);
  const { isSure } = orderOf([restored('b'), restored('c')], 's1');
  expect([isSure(one, two), isSure(two, one)]).toEqual([false, false]);
});

test('files that share thousands of sessions are read once, whatever their number', () => {
  const many = Array.from(
    { length: 3000 },
    (_, at) => `client →${at + 1} session/prompt s${at} "Hello ${at}"`,
  ).join('\n');
  let reads = 0;
  const counted = (source: ReturnType<typeof lived>) => ({
    ...source,
    eventAt: (place: number) => (reads++, source.eventAt(place)),
  });
  const two = ['b', 'a'].map((name) => counted(indexedTrace(draw(`${V1}${many}`), name)));
  expect(names(inOrder(two))).toEqual(['b', 'a']);
  expect(reads).toBe(6000);
});
