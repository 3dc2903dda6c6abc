import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../acp/message.ts';
import { Children } from './children.ts';
import { ChipBook } from './chips.ts';

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

test('below a session, and at the root, is who was announced so, in whatever order', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
  fc.assert(
    fc.property(fc.array(fc.tuple(name, name, name)), (steps) => {
      const children = new Children<string>();
      const lineOf = (of: string): string[] => {
        const parent = children.parentOf(of);
        return parent === undefined ? [of] : [of, ...lineOf(parent)];
      };
      for (const [at, [parent, child, asked]] of steps.entries()) {
        children.announce(parent, child, {}, at + 1, false);
        expect(children.rootOf(asked)).toBe(lineOf(asked).at(-1));
        const below = [...children.all()].filter(({ parent }) => lineOf(parent).includes(asked));
        expect(children.below(asked, true)).toEqual(below);
      }
    }),
  );
});

test('S-14: children of children without end are read like any others, and called by short names', () => {
  const children = new Children<number>();
  const chips = new ChipBook();
  let chip = chips.of('0');
  for (let n = 1; n <= 100_000; n++) {
    children.announce(n - 1, n, {}, n, false);
    chip = chips.of(String(n), chip);
  }
  expect(children.rootOf(100_000)).toBe(0);
  children.announce(100_000, 0, {}, 1, false);
  expect(children.claims).toMatchObject([{ why: 'above' }]);
  expect(children.below(0, true)).toHaveLength(100_000);
  expect(chip.length).toBeLessThan(50);
  expect(new Set([...Array(100_000).keys()].map((n) => chips.get(String(n)))).size).toBe(100_000);
});
