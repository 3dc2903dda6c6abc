import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { until } from '../../test/programs/until.ts';
import { connectionId, seq } from '../../trace/event.ts';
import { Recording } from './recording.ts';
import { Retention } from './retention.ts';

const MINUTE = 60_000;

const DAY = 24 * 60 * MINUTE;

function recording(state: 'running' | 'ended', written?: number): Recording {
  const facts = {
    id: connectionId('c'),
    name: 'a',
    mode: 'drive',
    argv: [],
    cwd: '/',
    startedAt: '',
  } as const;
  const made = new Recording(facts, '/none');
  made.update({ last: seq(9), size: 1, state, ...(written !== undefined && { written }) });
  return made;
}

test('a running recording stays, whoever has it', () => {
  const retention = new Retention<object>();
  const [page, running] = [{}, recording('running')];
  retention.acked(page, running, seq(9));
  expect(retention.mayGo(running, [page], 0)).toBe(false);
  retention.forgotten(running);
  expect(retention.mayGo(running, [page], 0)).toBe(false);
});

test('an ended one goes when every open page has its last event', () => {
  const retention = new Retention<object>();
  const [one, two, ended] = [{}, {}, recording('ended')];
  retention.acked(one, ended, seq(8));
  expect(retention.mayGo(ended, [one], 0)).toBe(false);
  retention.acked(one, ended, seq(9));
  expect(retention.mayGo(ended, [one, two], 0)).toBe(false);
  retention.acked(two, ended, seq(9));
  expect(retention.mayGo(ended, [one, two], 0)).toBe(true);
});

test('R-22: a page that never comes around holds it for ten minutes, and no page for as long as it is kept', () => {
  const retention = new Retention<object>();
  const [one, dead, ended] = [{}, {}, recording('ended')];
  expect(retention.mayGo(ended, [], 99 * MINUTE)).toBe(false);
  expect(retention.mayGo(ended, [dead], 99 * MINUTE)).toBe(false);
  retention.acked(one, ended, seq(9));
  expect(retention.mayGo(ended, [one, dead], 100 * MINUTE)).toBe(false);
  expect(retention.mayGo(ended, [], 109 * MINUTE)).toBe(false);
  expect(retention.mayGo(ended, [dead], 110 * MINUTE)).toBe(true);
});

test('R-50: what no page took goes seven days after its last byte, and ten minutes after that was seen', () => {
  const retention = new Retention<object>();
  const [page, old] = [{}, recording('ended', 5 * DAY)];
  expect(retention.mayGo(old, [page], 12 * DAY - 1)).toBe(false);
  expect(retention.mayGo(old, [page], 12 * DAY)).toBe(false);
  expect(retention.mayGo(old, [page], 12 * DAY + 10 * MINUTE - 1)).toBe(false);
  expect(retention.mayGo(old, [page], 12 * DAY + 10 * MINUTE)).toBe(true);
  // Nobody knows how old it is.
  expect(retention.mayGo(recording('ended'), [], 99 * DAY)).toBe(false);
});

test('R-50: one that is written stays, and one that a page takes, from when it comes until it goes', () => {
  const retention = new Retention<object>();
  const [page, running, old] = [{}, recording('running', 0), recording('ended', 0)];
  expect(retention.mayGo(running, [], 8 * DAY)).toBe(false);
  expect(retention.mayGo(running, [], 9 * DAY)).toBe(false);
  expect(retention.mayGo(old, [page], 8 * DAY)).toBe(false);
  // It follows it, and has not all of it.
  retention.acked(page, old, seq(3));
  expect(retention.mayGo(old, [page], 9 * DAY)).toBe(false);
  expect(retention.mayGo(old, [], 10 * DAY)).toBe(false);
  expect(retention.mayGo(old, [], 10 * DAY + 10 * MINUTE)).toBe(true);
});

test('R-50 R-55: a clock that is set forward and back again removes nothing', () => {
  const retention = new Retention<object>();
  const old = recording('ended', 0);
  expect(retention.mayGo(old, [], 99 * DAY)).toBe(false);
  expect(retention.mayGo(old, [], 1 * DAY)).toBe(false);
  expect(retention.mayGo(old, [], 100 * DAY)).toBe(false);
});

test('R-51: what has gone is held by nobody, however long a page stays', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const retention = new Retention<object>();
  const page = {};
  const gone = (() => {
    const ended = recording('ended');
    retention.acked(page, ended, seq(9));
    expect(retention.mayGo(ended, [page], 0)).toBe(true);
    retention.drop(ended);
    return new WeakRef(ended);
  })();
  await until(() => {
    collect();
    expect(gone.deref() === undefined).toBe(true);
  });
  expect(retention.mayGo(recording('ended'), [page], 0)).toBe(false);
});
