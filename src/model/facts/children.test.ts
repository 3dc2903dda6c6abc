import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../acp/message.ts';
import { Children } from './children.ts';

function told(...steps: readonly [parent: string, child: string, update?: JsonObject][]) {
  const children = new Children<string>();
  steps.forEach(([parent, child, update = {}], i) => {
    children.announce(parent, child, update, i + 1, child.startsWith('made'));
  });
  return children;
}

test('the first announcement makes a child, later ones patch it, and it has its whole line above', () => {
  const children = told(
    ['root', 'a', { capabilities: { cancel: {} }, state: { state: 'running' } }],
    ['a', 'b'],
    ['root', 'a', { title: 'x' }],
    ['root', 'a', { state: { state: 'idle', stopReason: 'end_turn' }, capabilities: 7 }],
  );
  expect(children.of('a')).toEqual({
    session: 'a',
    parent: 'root',
    announced: 1,
    now: {
      told: 4,
      capabilities: { cancel: {} },
      state: { state: 'idle', stopReason: 'end_turn' },
    },
    past: undefined,
  });
  expect(children.rootOf('b')).toBe('root');
  expect(children.below('root').map(({ session }) => session)).toEqual(['a']);
  expect(children.below('root', true).map(({ session }) => session)).toEqual(['a', 'b']);
});

test('null clears what a child allows and does: not confirmed, which is not idle', () => {
  const children = told(
    ['root', 'a', { capabilities: { cancel: {} }, state: { state: 'idle' } }],
    ['root', 'a', { capabilities: null, state: null }],
  );
  expect(children.of('a')?.now).toEqual({ told: 2, capabilities: undefined, state: undefined });
});

test('once its root is restored, what was told of a child is past until it is announced again', () => {
  const children = told(
    ['root', 'a', { capabilities: { cancel: {} } }],
    ['a', 'b'],
    ['other', 'c', { state: { state: 'running' } }],
  );
  children.settle('root');
  expect(children.of('a')).toMatchObject({
    announced: 1,
    now: { told: undefined, capabilities: undefined },
    past: { told: 1, capabilities: { cancel: {} } },
  });
  expect(children.of('b')?.now.told).toBeUndefined();
  expect(children.of('c')?.now.told).toBe(3);
  children.announce('root', 'a', {}, 9, false);
  expect(children.of('a')).toMatchObject({ now: { told: 9, capabilities: undefined } });
});

test('a claim that makes no child is kept beside the tree, with why', () => {
  const children = told(['root', 'a'], ['x', 'a'], ['y', 'y'], ['a', 'root'], ['x', 'made1']);
  expect(children.claims).toEqual([
    { child: 'a', by: 'x', frame: 2, why: 'other parent' },
    { child: 'y', by: 'y', frame: 3, why: 'itself' },
    { child: 'root', by: 'a', frame: 4, why: 'above' },
    { child: 'made1', by: 'x', frame: 5, why: 'ordinary' },
  ]);
  expect(children.parentOf('a')).toBe('root');
  expect([...'y root made1'.split(' ')].map((one) => children.of(one))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('whatever is announced in whatever order, nothing is above itself', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  fc.assert(
    fc.property(fc.array(fc.tuple(name, name)), (steps) => {
      const children = told(...steps);
      for (const one of 'abcde') {
        expect(children.below(one, true).map(({ session }) => session)).not.toContain(one);
        expect(children.parentOf(children.rootOf(one))).toBeUndefined();
      }
    }),
  );
});
