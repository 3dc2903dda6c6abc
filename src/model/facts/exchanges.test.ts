import fc from 'fast-check';
import { expect, test } from 'vitest';
import { millis } from '../../lib/time.ts';
import { draw } from '../../test/traces/draw.ts';
import { seq, type TraceEvent } from '../../trace/event.ts';
import { FLAG } from '../columns.ts';
import { indexed } from '../../test/traces/indexed.ts';

/** Seq pairs of request and answer. */
function pairs(picture: string): [number, number][] {
  const { index } = indexed(picture);
  const found: [number, number][] = [];
  for (let at = 0; at < index.length; at++) {
    const partner = index.columns.partnerOf(at);
    if (index.columns.kindOf(at) === 'req' && partner !== undefined)
      found.push([at + 1, partner + 1]);
  }
  return found;
}

test('both sides count from 0, and their ids are not confused', () => {
  expect(
    pairs(`
      client →0 session/prompt s1 "go"
      agent  →0 session/request_permission s1
      client ←0 result {"outcome":{"outcome":"cancelled"}}
      agent  ←0 result {"stopReason":"end_turn"}
    `),
  ).toEqual([
    [1, 4],
    [2, 3],
  ]);
});

test('R-12: an id used again after its answer is another exchange', () => {
  expect(
    pairs(`
      client →1 session/list
      agent  ←1 result {"sessions":[]}
      client →1 session/new
      agent  ←1 error -32000 Authentication required
    `),
  ).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

test('R-12 E-03: 2, "2" and 2.0 are three ids', () => {
  expect(
    pairs(`
      client →2 session/list
      client →"2" session/list
      client →2.0 session/list
      agent  ←2.0 result {}
      agent  ←"2" result {}
      agent  ←2 result {}
    `),
  ).toEqual([
    [1, 6],
    [2, 5],
    [3, 4],
  ]);
});

test('R-12: of two requests that wait under one id, the older is answered first', () => {
  const picture = `
    client →5 session/list
    client →5 session/list
    agent  ←5 result {}
    agent  ←5 result {}
  `;
  expect(pairs(picture)).toEqual([
    [1, 3],
    [2, 4],
  ]);
  expect(indexed(picture).frame(2).summary).toBe('first page · its id was still waiting');
});

test('R-12 E-03: a second answer answers nothing, says so, and is of the method asked under its id', () => {
  const { frame } = indexed(`
    client →0 session/list
    agent  ←0 result {"sessions":[]}
    agent  ←0 result {"sessions":[]}
    agent  ←7 error -32603 Internal error
  `);
  expect(frame(2)).toMatchObject({ method: 'session/list', latency: 1 });
  expect(frame(3)).toMatchObject({ method: 'session/list', id: '→0' });
  expect(frame(3).summary).toContain('answers no open request');
  expect(frame(3).latency).toBeUndefined();
  expect(frame(4).method).toBe('answer');
  expect(frame(4).summary).toBe('−32603 Internal error · answers no open request');
});

test('R-11: integers that JSON.parse would confuse are different ids', () => {
  const ask = 'client →9007199254740993 session/list';
  expect(pairs(`${ask}\nagent ←9007199254740992 result {}`)).toEqual([]);
  expect(pairs(`${ask}\nagent ←9007199254740993 result {}`)).toEqual([[1, 2]]);
});

test('R-12: a null id is an id, and an error under it answers nothing else', () => {
  expect(pairs('client →null session/list\nagent ←null result {}')).toEqual([[1, 2]]);
  expect(pairs('client →1 session/list\nagent ←null error -32700 Parse error')).toEqual([]);
});

test('a request waits until its answer, and no longer than the agent lives', () => {
  const open = indexed('client →0 session/list');
  expect(open.frame(1).waits).toBe(true);
  const dead = indexed('client →0 session/list\nexit 1');
  expect(dead.frame(1).waits).toBeUndefined();
});

test('a response finds its request if both write one whole number in other ways', () => {
  const answered = (asked: string, answer: string) =>
    pairs(`client →${asked} session/list\nagent ←${answer} result {}`).length === 1;
  fc.assert(
    fc.property(fc.integer(), fc.nat({ max: 9 }), (number, zeros) => {
      const spelled = [`${number}.${'0'.repeat(zeros + 1)}`, `${number}e0`, `${number}E+0`];
      for (const one of spelled) {
        expect(answered(one, String(number))).toBe(true);
        expect(answered(String(number), one)).toBe(true);
        expect(answered(one, String(number + 1))).toBe(false);
      }
    }),
  );
  expect(answered('1.5', '1')).toBe(false);
  expect(answered('1e30', '1e31')).toBe(false);
});

test('ids reused in any order pair as a queue per asking side and token would', () => {
  const step = fc.record({
    side: fc.constantFrom('client' as const, 'agent' as const),
    ask: fc.boolean(),
    id: fc.constantFrom('0', '1', '"0"', '1.5'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const picture = steps
        .map(({ side, ask, id }) => `${side} ${ask ? `→${id} m` : `←${id} result {}`}`)
        .join('\n');
      const queues = new Map<string, number[]>();
      const expected: [number, number][] = [];
      steps.forEach(({ side, ask, id }, i) => {
        const asker = ask ? side : side === 'client' ? 'agent' : 'client';
        const queue = queues.get(asker + id) ?? [];
        queues.set(asker + id, queue);
        const request = ask ? undefined : queue.shift();
        if (ask) queue.push(i + 1);
        else if (request !== undefined) expected.push([request, i + 1]);
      });
      expect(pairs(picture)).toEqual(expected.sort(([a], [b]) => a - b));
    }),
  );
});

test('S-13: of a flood of questions the oldest hundred are listed, and the rest is counted', () => {
  const ask = (n: number) =>
    `agent →${n} session/request_permission s1 {"toolCall":{},"options":[]}`;
  const { index } = indexed(Array.from({ length: 300 }, (_, n) => ask(n)).join('\n'));
  const { open, unlisted } = index.facts();
  expect([open.length, open[0]?.seq, open.at(-1)?.seq, unlisted]).toEqual([100, 1, 100, 200]);
  const few = indexed(ask(0)).index.facts();
  expect([few.open.length, few.unlisted]).toEqual([1, undefined]);
});

test('a request that its transport could not hand over waits no more, and an answer after all is its own', () => {
  const refused: TraceEvent = {
    ...{ type: 'transport', seq: seq(2), at: millis(1), step: 'answered', method: 'POST' },
    ...{ stream: 'post', of: seq(1), status: 500, problem: 'x answered 500.' },
  };
  const { index } = indexed([...draw('client →1 session/list'), refused]);
  expect(index.facts().open).toEqual([]);
  expect(index.waits(0)).toBe(false);
  const late = draw(
    'client →1 session/list\nclient session/cancel s1\nagent ←1 result {"sessions":[]}',
  );
  const answered = indexed([late[0] as TraceEvent, refused, late[2] as TraceEvent]).index;
  expect(answered.columns.partnerOf(0)).toBe(2);
});

test('of two answers in the place of the agent that are on their way at once neither answers nothing', () => {
  const line = (text: string) => ({ line: { text } });
  const did = { type: 'intercept', did: 'answer', from: 'client', rule: 'r' } as const;
  const asked = (at: number, id: number): TraceEvent => ({
    ...{ ...did, seq: seq(at), at: millis(at) },
    ...line(`{"jsonrpc":"2.0","id":${id},"method":"session/list"}`),
  });
  const answer = (at: number, id: number): TraceEvent => ({
    ...{ type: 'frame', seq: seq(at), at: millis(at), from: 'agent', origin: 'intercept' },
    ...{ of: seq(id), ...line(`{"jsonrpc":"2.0","id":${id},"result":{}}`) },
  });
  const { index } = indexed([asked(1, 1), asked(2, 2), answer(3, 1), answer(4, 2), answer(5, 2)]);
  const stray = (at: number) => index.columns.has(at, FLAG.orphan);
  expect([stray(2), stray(3), stray(4)]).toEqual([false, false, true]);
});

test('the turn of a prompt that its transport could not hand over does not go on', () => {
  const refused: TraceEvent = {
    ...{ type: 'transport', seq: seq(3), at: millis(1), step: 'answered', method: 'POST' },
    ...{ stream: 'post', of: seq(2), status: 500, problem: 'x answered 500.' },
  };
  const [named, prompt, behind] = draw(`
    client session/cancel s1
    client →1 session/prompt s1 "go"
    client session/cancel s1
    client session/cancel s1
  `).filter((_, at) => at !== 2);
  const { index } = indexed(
    [named, prompt, refused, behind].filter((event) => event !== undefined),
  );
  expect(index.facts().sessions[0]?.turn).not.toBe('running');
  expect([1, 3].map((at) => index.columns.turn.get(at))).toEqual([1, 0]);
});
