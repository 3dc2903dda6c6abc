import { expect, test } from 'vitest';
import { permission, rpc, settled } from '../test/programs/acting-client.ts';
import type { Seq } from '../trace/event.ts';

const cancelled = { outcome: { outcome: 'cancelled' } };

test('S-13: of ten thousand a hundred wait in their order, each other is answered cancelled, and a person is told once', () => {
  const { peer, acting, notes } = settled();
  const asked = Array.from({ length: 10_000 }, (_, n) =>
    peer.frame('agent', permission(`${n + 1}`)),
  );
  expect(peer.sent).toEqual(
    Array.from({ length: 9900 }, (_, n) => ({ jsonrpc: '2.0', id: n + 101, result: cancelled })),
  );
  expect(peer.lines[0]?.origin).toBe('script');
  expect(notes).toEqual([expect.stringMatching(/^More than 100 permission requests .* cancelled/)]);
  for (const place of asked.slice(0, 100)) expect(acting.select(place, 'no')).toBe(true);
  expect(acting.select(asked[100] as Seq, 'no')).toBe(false);
});

test('S-13: where some were answered or are left open on purpose, as many more wait', () => {
  const { peer, acting, notes } = settled();
  const asked = Array.from({ length: 100 }, (_, n) => peer.frame('agent', permission(`${n}`)));
  acting.select(asked[3] as Seq, 'once');
  acting.leaveOpen(asked[4] as Seq);
  for (const id of ['"a"', '"b"', '"c"']) peer.frame('agent', permission(id));
  expect(peer.sent).toMatchObject([{ id: 3 }, { id: 'c', result: cancelled }]);
  expect(notes).toHaveLength(1);
});

test('S-13: after a reload the same hundred wait, and none is answered that was not', () => {
  const { peer, acting } = settled();
  acting.pause();
  for (let id = 0; id < 150; id++) peer.frame('agent', permission(`${id}`));
  for (let id = 100; id < 149; id++)
    peer.frame('client', `{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(cancelled)}}`);
  expect(peer.sent).toEqual([]);
  acting.act();
  acting.act();
  expect(peer.sent).toEqual([{ jsonrpc: '2.0', id: 149, result: cancelled }]);
});

test('S-13: nothing is answered by itself that other rules leave open, nor what is no permission', () => {
  const never = settled({ permission: 'never' });
  const others = settled({ others: 'ask' });
  for (let id = 0; id < 150; id++) {
    never.peer.frame('agent', permission(`${id}`));
    others.peer.frame('agent', rpc(`${id}`, '_own/method'));
  }
  expect([never.peer.sent, others.peer.sent]).toEqual([[], []]);
});
