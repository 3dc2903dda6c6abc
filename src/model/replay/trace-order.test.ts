import { expect, test } from 'vitest';
import { draw } from '../../test/traces/draw.ts';
import { V1, V1_SESSION } from '../../test/traces/rule-case.ts';
import { indexedTrace, type IndexedTrace } from '../indexed-trace.ts';
import { orderOf, setsInOrder } from './trace-order.ts';

const LOAD = 'client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}';
const lived = (name: string, began?: number) =>
  indexedTrace(draw(`${V1_SESSION}client →2 session/prompt s1 "Hello"`), name, { began });
const restored = (name: string, began?: number) =>
  indexedTrace(draw(`${V1}${LOAD}\nagent update s1 user_message_chunk "Hello"`), name, { began });
const other = (name: string, began?: number) => indexedTrace(draw(V1), name, { began });

const setNames = (sources: readonly IndexedTrace[]) =>
  setsInOrder(sources).map((set) => set.map(({ connection }) => String(connection)));
const names = (sources: readonly IndexedTrace[]) => setNames(sources).flat();

test('traces stand by their clocks, and where one has none, by the sessions they share', () => {
  expect(names([restored('b', 2), lived('a', 1)])).toEqual(['a', 'b']);
  expect(names([restored('b', 1), lived('a')])).toEqual(['a', 'b']);
  expect(names([restored('b'), lived('a')])).toEqual(['a', 'b']);
});

test('those that know their time keep to it beside one that does not', () => {
  const order = names([other('late', 9), restored('b'), other('early', 3), lived('a', 5)]);
  expect(order.filter((name) => name !== 'b')).toEqual(['early', 'a', 'late']);
  expect(order.indexOf('b')).toBeGreaterThan(order.indexOf('a'));
});

test('what nothing tells stays as given, and is not said to be sure', () => {
  const [one, two] = [other('one'), other('two')];
  expect(names([one, two])).toEqual(['one', 'two']);
  const { isSure } = orderOf([restored('b'), restored('c')], 's1');
  expect([isSure(one, two), isSure(two, one)]).toEqual([false, false]);
});

test('traces that share a session are one set, unless nothing says which of them is older', () => {
  expect(setNames([restored('b'), lived('a'), other('c')])).toEqual([['a', 'b'], ['c']]);
  expect(setNames([restored('b'), restored('c')])).toEqual([['b'], ['c']]);
  expect(setNames([restored('b'), restored('c'), lived('a')])).toEqual([['a', 'b'], ['c']]);
  expect(setNames([restored('b', 2), restored('c', 1), lived('a', 3)])).toEqual([['c', 'b', 'a']]);
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
  expect(names(two)).toEqual(['b', 'a']);
  expect(reads).toBe(6000);
});

test('two recordings that make the same session are different sets, also if their clocks are known', () => {
  const traces = [lived('tap', 1), lived('agent', 2), restored('b', 3), other('c', 4)];
  expect(setNames(traces)).toEqual([['tap', 'b', 'c'], ['agent']]);
  expect(setNames([lived('tap'), lived('agent')])).toEqual([['tap'], ['agent']]);
});
