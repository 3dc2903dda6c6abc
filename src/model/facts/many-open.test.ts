// Requests without an answer, more of them than anybody can mean: what is kept of them has a bound.
import { expect, test } from 'vitest';
import { checkTrace } from '../../rules/check-trace.ts';
import { heapUsed } from '../../test/traces/cost.ts';
import { draw } from '../../test/traces/draw.ts';
import { indexed } from '../../test/traces/indexed.ts';
import type { Request, RequestId } from '../../acp/message.ts';
import { FLAG } from '../columns.ts';
import { Exchanges } from './exchanges.ts';

const idOf = (n: number): RequestId => ({ type: 'number', token: String(n) });

function asking(exchanges: Exchanges, from: number, to: number, id = idOf): void {
  for (let n = from; n < to; n++) {
    const request: Request = { kind: 'request', id: id(n), method: 'm', params: { path: `/${n}` } };
    exchanges.ask({ index: n, from: 'client', request, size: 60 });
  }
}

test('E-04: however many requests wait, they take less than 100 MB, and are counted', () => {
  const before = heapUsed();
  const exchanges = new Exchanges();
  asking(exchanges, 0, 400_000);
  expect(heapUsed() - before).toBeLessThan(100e6);
  expect(exchanges.count('client')).toBe(400_000);
  expect(exchanges.answer('agent', idOf(399_999))?.index).toBe(399_999);
});

test('R-24: of a hundred thousand requests that wait each is paired with its answer', () => {
  const exchanges = new Exchanges();
  asking(exchanges, 0, 100_000);
  for (let n = 99_999; n >= 0; n--)
    if (exchanges.answer('agent', idOf(n))?.index !== n) expect.fail(`${n} is not paired`);
  expect(exchanges.count('client')).toBe(0);
});

test('R-24 E-04: of long requests the newest sixty megabytes are kept, one in any case, and all are counted', () => {
  const exchanges = new Exchanges();
  const ask = (n: number, size: number) => {
    const request: Request = { kind: 'request', id: idOf(n), method: 'm' };
    exchanges.ask({ index: n, from: 'client', request, size });
  };
  for (let n = 0; n < 200; n++) ask(n, 1_000_000);
  const kept = [...exchanges.of('client')].map(({ index }) => index);
  expect(kept.length).toBeGreaterThan(50);
  expect(kept.length).toBeLessThanOrEqual(60);
  expect(kept).toEqual(kept.map((_, at) => 200 - kept.length + at));
  expect(exchanges.count('client')).toBe(200);
  expect([exchanges.answer('agent', idOf(0)), exchanges.excuses('agent')]).toEqual([
    undefined,
    true,
  ]);
  ask(200, 100_000_000);
  expect(exchanges.answer('agent', idOf(200))?.index).toBe(200);
});

test('E-04: of requests under one id a hundred are kept; an answer to one that is not is no fault, one more is', () => {
  const times = (line: string, count: number) => `${line}\n`.repeat(count);
  const events = draw(times('client →0 _vendor', 102) + times('agent ←0 result {}', 103));
  const { index } = indexed(events);
  const orphans = events.flatMap(({ seq }, at) => (index.columns.has(at, FLAG.orphan) ? seq : []));
  expect(orphans).toEqual([events.length]);
  const found = checkTrace(events).findings.filter(({ rule }) => rule === 'rpc/response-duplicate');
  expect(found.flatMap(({ seqs }) => seqs)).toEqual([events.length]);
});
