import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BETWEEN, NO_END, Stretches } from './stretches.ts';

/** The rows that show, by the whole list: what the arithmetic must agree with. */
function drawn(owners: readonly number[], closed: ReadonlySet<number>): number[] {
  const owned = owners.map((owner, at) => {
    if (owner !== BETWEEN) return owner;
    const before = owners.slice(0, at).findLast((one) => one !== BETWEEN);
    const after = owners.slice(at + 1).find((one) => one !== BETWEEN);
    return before !== undefined && before === after ? before : NO_END;
  });
  return owned.flatMap((owner, row) => (closed.has(owner) ? [] : [row]));
}

const owner = fc.constantFrom(NO_END, 1, 2, 3, BETWEEN);
const owners = fc.array(owner, { maxLength: 60 });
const closing = fc.array(fc.constantFrom(1, 2, 3), { maxLength: 4 });

function check(list: Stretches, expected: readonly number[]): void {
  expect(list.shown).toBe(expected.length);
  expect(expected.map((_, at) => list.rowAt(at))).toEqual(expected);
  for (let row = 0; row < list.length; row++) {
    expect(list.isHidden(row)).toBe(!expected.includes(row));
    expect(list.shownBefore(row)).toBe(expected.filter((shown) => shown < row).length);
  }
}

test('whatever is closed, and whenever, the sums agree with the list itself', () => {
  fc.assert(
    fc.property(owners, closing, owners, closing, (first, early, then, late) => {
      const list = new Stretches();
      const closed = new Set<number>();
      const flip = (ones: readonly number[]) => {
        for (const one of ones) {
          list.close(one, !closed.delete(one));
          if (list.isClosed(one)) closed.add(one);
        }
        list.settle();
      };
      for (const one of first) list.push(one);
      flip(early);
      check(list, drawn(first, closed));
      for (const one of then) list.push(one);
      check(list, drawn([...first, ...then], closed));
      flip(late);
      check(list, drawn([...first, ...then], closed));
    }),
  );
});

test('rows that are cut off and pushed again are where they were', () => {
  fc.assert(
    fc.property(owners, fc.nat(60), closing, (all, at, ones) => {
      const list = new Stretches();
      for (const one of ones) list.close(one, true);
      for (const one of all) list.push(one);
      const length = Math.min(at, all.length);
      list.truncate(length);
      // What stood between rows of one owner is that owner's until those behind it are pushed again.
      if (all[length] !== BETWEEN && all[length - 1] !== BETWEEN)
        check(list, drawn(all.slice(0, length), new Set(ones)));
      for (const one of all.slice(length)) list.push(one);
      expect(list.length).toBe(all.length);
    }),
  );
});

test('five thousand stretches of two hundred rows are closed by one pass over the stretches', () => {
  const list = new Stretches();
  for (let turn = 1; turn <= 5000; turn++) {
    list.push(NO_END);
    for (let row = 0; row < 200; row++) list.push(turn);
  }
  for (let turn = 1; turn <= 5000; turn++) list.close(turn, true);
  list.settle();
  expect(list.shown).toBe(5000);
  expect([list.rowAt(0), list.rowAt(2500), list.rowAt(4999)]).toEqual([0, 2500 * 201, 4999 * 201]);
});
