import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseMessage } from '../../acp/message.ts';
import { decodeLossy, encodeUtf8 } from '../../lib/utf8.ts';
import { otherSide, type Side } from '../../trace/event.ts';
import { InterceptEngine, type Arrived, type Effect } from './engine.ts';
import type { InterceptAction, InterceptRule } from './table.ts';

const rule = (action: InterceptAction, more: Partial<InterceptRule> = {}): InterceptRule => ({
  ...{ name: action.kind, on: [], action, times: Infinity, every: 1, skip: 0 },
  ...more,
});
const frame = (
  from: Side,
  text: string,
  matched: readonly InterceptRule[] = [],
  behind: readonly InterceptRule[] = [],
) =>
  ({
    ...{ from, line: encodeUtf8(text), origin: 'peer', message: parseMessage(text) },
    ...{ matched, behind },
  }) satisfies Arrived;
const request = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"session/prompt"}`;
const engine = () => {
  let count = 0;
  return new InterceptEngine(() => `ours-${++count}`);
};
const sent = (effects: readonly Effect[], side?: Side) =>
  effects.flatMap((effect) =>
    effect.do === 'send' && (side === undefined || effect.from === side)
      ? decodeLossy(effect.line)
      : [],
  );
const told = (effects: readonly Effect[]) =>
  effects.flatMap((effect) => (effect.do === 'tell' ? effect.fact.did : []));

const anyAction: fc.Arbitrary<InterceptAction> = fc.oneof(
  fc.record({ kind: fc.constant('hold' as const), deadline: fc.integer({ min: 0, max: 50 }) }),
  fc.record({ kind: fc.constant('delay' as const), ms: fc.integer({ min: 0, max: 50 }) }),
  fc.record({ kind: fc.constant('duplicate' as const), more: fc.integer({ min: 1, max: 3 }) }),
  fc.record({
    ...{ kind: fc.constant('reorder' as const), behind: fc.constant(undefined) },
    deadline: fc.integer({ min: 0, max: 50 }),
  }),
  fc.constant<InterceptAction>({ kind: 'drop' }),
  fc.constant<InterceptAction>({
    ...{ kind: 'inject', to: 'agent' },
    what: { kind: 'request', method: 'x', params: {} },
  }),
);
/** Frames of both sides, each with what befalls it, a moment apart. */
const anyRun = fc.array(
  fc.record({
    from: fc.constantFrom<Side>('client', 'agent'),
    action: fc.option(anyAction, { nil: undefined, freq: 3 }),
    after: fc.integer({ min: 0, max: 30 }),
  }),
  { maxLength: 40 },
);

test('whatever the rules, each frame is sent once, is the copy of one, or was named by a drop', () => {
  fc.assert(
    fc.property(anyRun, (run) => {
      const one = engine();
      const out: Effect[] = [];
      let now = 0;
      run.forEach(({ from, action, after }, at) => {
        now += after;
        out.push(...one.tick(now));
        out.push(...one.take(frame(from, request(at), action ? [rule(action)] : []), now));
      });
      out.push(...one.flush());
      expect(one.isEmpty).toBe(true);
      for (const [at, { from, action }] of run.entries()) {
        const times = sent(out, from).filter((line) => line === request(at)).length;
        expect(times).toBe(
          action?.kind === 'drop' ? 0 : action?.kind === 'duplicate' ? 1 + action.more : 1,
        );
      }
    }),
  );
});

test('frames that are not held or moved keep the order of their side, however long one takes', () => {
  fc.assert(
    fc.property(anyRun, (run) => {
      const one = engine();
      const out: Effect[] = [];
      let now = 0;
      const kept = run.map((step) =>
        step.action?.kind === 'hold' || step.action?.kind === 'reorder'
          ? { ...step, action: undefined }
          : step,
      );
      kept.forEach(({ from, action, after }, at) => {
        now += after;
        out.push(...one.tick(now));
        out.push(...one.take(frame(from, request(at), action ? [rule(action)] : []), now));
      });
      out.push(...one.flush());
      for (const side of ['client', 'agent'] as const) {
        const numbers = sent(out, side).flatMap((line) => {
          const id: unknown = (JSON.parse(line) as { id: unknown }).id;
          return typeof id === 'number' ? id : [];
        });
        expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
      }
    }),
  );
});

test('without a rule that matches, the very same bytes go on at once, and nothing is told', () => {
  const one = engine();
  const taken = frame('agent', request(1));
  expect(one.take(taken, 0)).toEqual([
    { do: 'send', from: 'agent', line: taken.line, origin: 'peer' },
  ]);
  const [effect] = one.take(taken, 0);
  expect(effect?.do === 'send' && effect.line).toBe(taken.line);
});

test('what answers an injected request never reaches the other side, however often it comes', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<Side>('client', 'agent'),
      fc.integer({ min: 1, max: 5 }),
      (to, times) => {
        const one = engine();
        const inject = rule({
          ...{ kind: 'inject', to },
          what: { kind: 'request', method: 'session/list', params: {} },
        });
        const from = otherSide(to);
        const [own = ''] = sent(one.take(frame(from, request(1), [inject]), 0)).slice(1);
        const { id } = JSON.parse(own) as { id: string };
        expect(id).toBe('ours-1');
        expect(one.expects).toBe(true);
        for (const body of ['"result":{}', '"error":{"code":1,"message":""}'])
          for (let left = times; left > 0; left--) {
            const answer = frame(to, `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${body}}`);
            const effects = one.take(answer, 0);
            expect(sent(effects)).toEqual([]);
            expect(told(effects)).toEqual(['keep']);
          }
        expect(one.expects).toBe(false);
        // The same id, asked by the other side, is not ours.
        const strange = frame(from, `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{}}`);
        expect(sent(one.take(strange, 0))).toHaveLength(1);
      },
    ),
  );
});

test('a held frame waits until it is released, as it was or as another line, or its time is over', () => {
  const one = engine();
  const hold = rule({ kind: 'hold', deadline: 100 });
  const take = (id: number) => one.take(frame('agent', request(id), [hold]), 0);
  expect([take(1), take(2), take(3), take(4)].flatMap((effects) => sent(effects))).toEqual([]);
  expect(sent(one.take(frame('agent', request(5)), 10))).toEqual([request(5)]);
  expect(one.release(1, undefined, 20)).toMatchObject([{ origin: 'peer', of: 1 }]);
  expect(one.release(2, encodeUtf8('{}'), 20)).toMatchObject([{ origin: 'intercept', of: 2 }]);
  expect(told(one.discard(3))).toEqual(['drop']);
  expect(one.next).toBe(100);
  expect(sent(one.tick(99))).toEqual([]);
  expect(sent(one.tick(100))).toEqual([request(4)]);
  expect(one.release(4, undefined, 101)).toEqual([]);
});

test('an answer in its place goes to who asked, under the id as it was written', () => {
  const answer = rule({ kind: 'answer', key: 'error', value: { code: -32603, message: 'no' } });
  const asked = '{"jsonrpc":"2.0","id":1.0,"method":"fs/read_text_file"}';
  const effects = engine().take(frame('agent', asked, [answer]), 0);
  expect(effects).toMatchObject([
    { do: 'tell' },
    { do: 'send', from: 'client', origin: 'intercept' },
  ]);
  expect(sent(effects)).toEqual([
    '{"jsonrpc":"2.0","id":1.0,"error":{"code":-32603,"message":"no"}}',
  ]);
  const update = frame('agent', '{"jsonrpc":"2.0","method":"session/update"}', [answer]);
  expect(engine().take(update, 0)).toMatchObject([
    { do: 'tell', fact: { problem: expect.stringContaining('no request') as string } },
    { do: 'send', origin: 'peer' },
  ]);
});

test('each of several rules on one line tells that line, and what it sends names it', () => {
  const slow = rule({ kind: 'delay', ms: 50 });
  const answer = rule({ kind: 'answer', key: 'result', value: {} });
  const add = rule({ kind: 'inject', to: 'client', what: { kind: 'line', text: '{}' } });
  const hold = rule({ kind: 'hold', deadline: 100 });
  const line = encodeUtf8(request(1));
  const run = (rules: readonly InterceptRule[]) => {
    const one = engine();
    const effects = one.take(frame('client', request(1), rules), 0);
    return [...effects, ...one.flush()];
  };
  const told = { do: 'tell', key: 2, fact: { line, of: 1 } };
  expect(run([slow, answer])).toMatchObject([{ key: 1 }, told, { from: 'agent', of: 2 }]);
  expect(run([slow, add])).toMatchObject([
    ...[{ key: 1 }, told, { from: 'agent', of: 2 }],
    { from: 'client', of: 1 },
  ]);
  expect(run([slow, hold])).toMatchObject([{ key: 1 }, told, { from: 'client', of: 2 }]);
});

test('a rule acts on one frame in so many, after so many, and so often', () => {
  const one = engine();
  const lose = rule({ kind: 'drop' }, { every: 3, skip: 2, times: 2 });
  const passed = Array.from({ length: 14 }, (_, at) => at + 1).filter(
    (at) => sent(one.take(frame('agent', request(at), [lose]), 0)).length > 0,
  );
  expect(passed).toEqual([1, 2, 3, 4, 6, 7, 9, 10, 11, 12, 13, 14]);
});

test('frames that wait for an answer go right behind it, in their order', () => {
  const one = engine();
  const late = rule({ kind: 'reorder', behind: [], deadline: 1000 });
  expect(sent(one.take(frame('agent', 'a', [late]), 0))).toEqual([]);
  expect(sent(one.take(frame('agent', 'b', [late]), 0))).toEqual([]);
  expect(sent(one.take(frame('agent', 'c'), 0))).toEqual(['c']);
  expect(sent(one.take(frame('agent', 'answer', [], [late]), 0))).toEqual(['answer', 'a', 'b']);
});

test('the stream is cut behind all that waits', () => {
  const one = engine();
  one.take(frame('client', 'late', [rule({ kind: 'delay', ms: 50 })]), 0);
  const effects = one.take(frame('agent', 'last', [rule({ kind: 'cut' })]), 0);
  expect(effects.map((effect) => effect.do)).toEqual(['tell', 'send', 'cut']);
  expect(sent(effects)).toEqual(['late']);
});

test('behind a delay an answer comes later and holds nothing up, and what is held goes on later', () => {
  const one = engine();
  const delay = rule({ kind: 'delay', ms: 100 });
  const answer = rule({ kind: 'answer', key: 'result', value: {} });
  expect(told(one.take(frame('client', request(1), [delay, answer]), 0))).toEqual([
    'delay',
    'answer',
  ]);
  expect(sent(one.take(frame('agent', request(2)), 50), 'agent')).toEqual([request(2)]);
  expect(one.next).toBe(100);
  expect(sent(one.tick(99))).toEqual([]);
  expect(sent(one.tick(100), 'agent')).toEqual(['{"jsonrpc":"2.0","id":1,"result":{}}']);
  const hold = rule({ kind: 'hold', deadline: 1000 });
  const held = one.take(frame('agent', request(3), [delay, hold]), 200);
  const [, key] = held.flatMap((effect) => (effect.do === 'tell' ? effect.key : []));
  expect(held).toContainEqual(
    expect.objectContaining({ fact: expect.objectContaining({ deadline: 1100 }) as unknown }),
  );
  expect(sent(one.release(key ?? 0, undefined, 210))).toEqual([]);
  expect(sent(one.tick(300))).toEqual([request(3)]);
  one.take(frame('agent', request(4), [delay, hold]), 400);
  expect(sent(one.tick(1400))).toEqual([]);
  expect(sent(one.tick(1500))).toEqual([request(4)]);
  one.take(frame('client', request(5), [delay, answer]), 1600);
  one.take(frame('agent', request(6), [delay, hold]), 1600);
  expect(sent(one.flush())).toHaveLength(2);
  expect(one.isEmpty).toBe(true);
});
