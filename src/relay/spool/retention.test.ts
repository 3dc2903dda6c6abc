import { expect, test } from 'vitest';
import { connectionId, seq } from '../../trace/event.ts';
import { Recording } from './recording.ts';
import { Retention } from './retention.ts';

const MINUTE = 60_000;

function recording(state: 'running' | 'ended'): Recording {
  const facts = {
    id: connectionId('c'),
    name: 'a',
    mode: 'drive',
    argv: [],
    cwd: '/',
    startedAt: '',
  } as const;
  const made = new Recording(facts, '/none');
  made.update({ last: seq(9), size: 1, state });
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

test('R-22: a page that never comes around holds it for ten minutes, and no page for ever', () => {
  const retention = new Retention<object>();
  const [one, dead, ended] = [{}, {}, recording('ended')];
  expect(retention.mayGo(ended, [], 99 * MINUTE)).toBe(false);
  expect(retention.mayGo(ended, [dead], 99 * MINUTE)).toBe(false);
  retention.acked(one, ended, seq(9));
  expect(retention.mayGo(ended, [one, dead], 100 * MINUTE)).toBe(false);
  expect(retention.mayGo(ended, [], 109 * MINUTE)).toBe(false);
  expect(retention.mayGo(ended, [dead], 110 * MINUTE)).toBe(true);
});
