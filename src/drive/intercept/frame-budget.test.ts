// What rules may take of a frame's time, counted by what a finder is given.
import { expect, test } from 'vitest';
import { encodeUtf8 } from '../../lib/utf8.ts';
import type { FindAnswer, FindAsk } from '../../model/query/find.ts';
import { seq } from '../../trace/event.ts';
import { Intercepting } from './intercepting.ts';

/** Takes all that it is given on what looks for `endless`, and a tenth of a second on anything else. */
function counting() {
  const given: number[] = [];
  const find = ({ sought, most, texts }: FindAsk): Promise<FindAnswer> => {
    given.push(most);
    const found = new Uint8Array('ends' in texts ? texts.ends.length : texts.length);
    const isEndless = sought.kind === 'pattern' && sought.pattern.source.includes('endless');
    const took = isEndless ? most : 100;
    return Promise.resolve(
      took < most || !isEndless
        ? { kind: 'found', found, took }
        : { kind: 'stopped', at: 0, found: found.slice(0, 0), took },
    );
  };
  return { given, finder: { find } };
}

function under(finder: ReturnType<typeof counting>['finder'], rules: readonly object[]) {
  let crossed = 0;
  const off: { readonly rule: string | undefined; readonly problem: string | undefined }[] = [];
  const through = new Intercepting({
    outlet: {
      send: () => void crossed++,
      tell: ({ did, rule, problem }) =>
        seq(did === 'off' ? off.push({ rule, problem }) : off.length + 1),
      cut: () => undefined,
    },
    timers: { now: () => 0, later: () => () => undefined },
    finder,
    newId: () => 'ours',
  });
  expect(through.on(JSON.stringify({ rules }))).toBeUndefined();
  const say = async () => {
    through.take('client', encodeUtf8('{"jsonrpc":"2.0","id":1,"method":"m"}'), 'peer');
    await through.ended('client');
    return crossed;
  };
  return { say, off };
}

const rule = (name: string, ...patterns: readonly string[]) => ({
  name,
  on: ['side:client', ...patterns.map((one) => `text:/${one}/`)].join(' '),
  drop: true,
});

test('P-15: all patterns of all rules share one budget for a frame: endless ones hold it as long as one does', async () => {
  const { given, finder } = counting();
  const endless = Array.from({ length: 25 }, (_, at) =>
    rule(`r${at}`, `endless${at}a`, `endless${at}b`),
  );
  const { say, off } = under(finder, endless);
  expect(await say()).toBe(1);
  expect(given).toHaveLength(1);
  expect(given[0]).toBeGreaterThan(500);
  expect(given[0]).toBeLessThan(1100);
  expect(off.map(({ rule }) => rule)).toEqual(endless.map(({ name }) => name));
  expect(off[0]?.problem).toContain('/endless0a/ was stopped');
  expect(off[24]?.problem).toContain('the rules before it used up the time');
  expect(await say()).toBe(2);
  expect(given).toHaveLength(1);
});

test('a pattern that others left no time is not the one that takes too long, and the next frame has all of it again', async () => {
  const { given, finder } = counting();
  const { say, off } = under(finder, [
    ...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => rule(name, name)),
    rule('late', 'endless'),
    rule('after', 'h'),
  ]);
  expect(await say()).toBe(1);
  expect(given).toHaveLength(8);
  expect(off.map(({ rule }) => rule)).toEqual(['late', 'after']);
  for (const { problem } of off) expect(problem).toContain('the rules before it');
  expect(await say()).toBe(2);
  expect(given).toHaveLength(15);
  expect(off).toHaveLength(2);
});
