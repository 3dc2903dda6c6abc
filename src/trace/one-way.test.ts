// Two logs of one direction each, as one trace.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seq, type Frame, type Side, type TraceEvent } from './event.ts';
import { lineText } from './line.ts';
import { areOneConnection, joinedDirections, onlySideOf } from './one-way.ts';

const frame = (from: Side, text: string, at: number): Frame => ({
  ...{ type: 'frame', seq: seq(at + 1), from, line: { text }, origin: 'peer' },
});
const of = (from: Side, texts: readonly string[]): readonly Frame[] =>
  texts.map((text, at) => frame(from, text, at));
const shown = (events: readonly TraceEvent[]) =>
  events.flatMap((event) =>
    event.type === 'frame' ? [`${event.from[0]}${lineText(event.line)}`] : [],
  );

const ask = (id: number) => `{"id":${id},"method":"m"}`;
const answer = (id: number) => `{"id":${id},"result":{}}`;
const note = (text: string) => `{"method":"${text}"}`;

test('requests and responses order the two, and an event says that the rest is concluded', () => {
  const client = of('client', [ask(0), ask(1), answer(7), note('cancel'), ask(2)]);
  const agent = of('agent', [answer(0), note('update'), ask(7), answer(1), answer(2)]);
  const events = joinedDirections(client, agent);
  expect(events[0]).toMatchObject({ type: 'gap', hole: 'order', count: 1 });
  expect(shown(events)).toEqual([
    ...[`c${ask(0)}`, `a${answer(0)}`, `c${ask(1)}`, `a${note('update')}`, `a${ask(7)}`],
    ...[`c${answer(7)}`, `c${note('cancel')}`, `a${answer(1)}`, `c${ask(2)}`, `a${answer(2)}`],
  ]);
});

test('what names another event names that event by its new number, and a gap keeps its places', () => {
  const [held, sent] = of('agent', [answer(0), answer(0)]);
  const gap = { type: 'gap', seq: seq(3), count: 5, reason: 'cut' } as const;
  const agent = [held, { ...sent, of: seq(1) }, gap, { ...frame('agent', note('u'), 7) }];
  const events = joinedDirections(of('client', [ask(0)]), agent as readonly TraceEvent[]);
  expect(events.map((event) => [event.seq, 'of' in event ? event.of : undefined])).toEqual([
    ...[[1], [2], [3], [4, 3], [5], [10]].map(([number, named]) => [number, named]),
  ]);
});

/** The messages of both sides, in a possible order: no response before its request. */
const traffic = fc
  .array(fc.tuple(fc.boolean(), fc.nat(3), fc.nat(4)), { maxLength: 40 })
  .map((steps) => {
    const open: Record<Side, number[]> = { client: [], agent: [] };
    const next: Record<Side, number> = { client: 0, agent: 0 };
    return steps.map(([isClient, kind, which], at) => {
      const [from, to] = isClient ? (['client', 'agent'] as const) : (['agent', 'client'] as const);
      const waiting = open[to];
      if (kind === 0) return frame(from, note(`n${at}`), at);
      if (kind > 1 && waiting.length > 0)
        return frame(from, answer(waiting.splice(which % waiting.length, 1)[0] ?? 0), at);
      open[from].push(next[from]);
      return frame(from, ask(next[from]++), at);
    });
  });

test('each direction stays as it was, and no response comes before its request', () => {
  fc.assert(
    fc.property(traffic, (frames) => {
      const side = (from: Side) => frames.filter((one) => one.from === from);
      const joined = shown(joinedDirections(side('client'), side('agent')));
      for (const from of ['client', 'agent'] as const)
        expect(joined.filter((text) => text.startsWith(from.slice(0, 1)))).toEqual(
          shown(side(from)),
        );
      const places = new Map(joined.map((text, at) => [text, at]));
      for (const [text, at] of places) {
        const id = /"id":(\d+),"result"/.exec(text)?.[1];
        if (id === undefined) continue;
        const asked = `${text.startsWith('c') ? 'a' : 'c'}${ask(Number(id))}`;
        expect(places.get(asked) ?? -1).toBeLessThan(at);
      }
    }),
  );
});

test('only files whose messages answer each other are of one connection', () => {
  const [client, agent] = [of('client', [ask(0)]), of('agent', [answer(0)])];
  expect(areOneConnection(client, agent)).toBe(true);
  expect(areOneConnection(client, of('agent', [answer(5), note('x')]))).toBe(false);
  expect(onlySideOf(client)).toBe('client');
  expect(onlySideOf([...client, ...agent])).toBeUndefined();
  expect(
    onlySideOf([{ type: 'start', seq: seq(1), argv: [], cwd: '' }, ...client]),
  ).toBeUndefined();
});
