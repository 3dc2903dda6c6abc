import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PersistentList } from './persistent-list.ts';
import { PersistentMap } from './persistent-map.ts';

const all = (list: PersistentList<number>) => list.slice(0, list.length);

test('a list does what an array does, and every list before stays as it was', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('push' as const), times: fc.integer({ min: 1, max: 200 }) }),
    fc.record({ do: fc.constant('set' as const), at: fc.nat() }),
    fc.record({ do: fc.constant('take' as const), at: fc.nat() }),
    fc.record({ do: fc.constant('without' as const), at: fc.nat() }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let list = PersistentList.empty<number>();
      let array: number[] = [];
      const before: [PersistentList<number>, number[]][] = [];
      let value = 1;
      for (const one of steps) {
        before.push([list, array]);
        array = [...array];
        if (one.do === 'push')
          for (let n = 0; n < one.times; n++) {
            list = list.push(value);
            array.push(value++);
          }
        else if (one.do === 'take') {
          const count = one.at % (array.length + 1);
          list = list.take(count);
          array = array.slice(0, count);
        } else if (array.length > 0) {
          const at = one.at % array.length;
          if (one.do === 'set') {
            list = list.set(at, value);
            array[at] = value++;
          } else {
            list = list.without(at);
            array.splice(at, 1);
          }
        }
        expect(list.length).toBe(array.length);
        expect(list.last).toBe(array.at(-1));
      }
      for (const [then, copy] of [...before, [list, array] as const]) {
        expect(all(then)).toEqual(copy);
        const changed = new Set(list.changedSince(then));
        array.forEach((item, at) => {
          expect(changed.has(at)).toBe(at >= copy.length || item !== copy[at]);
        });
      }
    }),
  );
});

test('a list of many keeps each at its place', () => {
  let list = PersistentList.empty<number>();
  for (let n = 0; n < 40_000; n++) list = list.push(n);
  const other = list.set(7, -7).set(39_999, -1);
  expect([list.get(7), list.get(39_999), list.get(40_000), list.get(-1)]).toEqual([
    7,
    39_999,
    undefined,
    undefined,
  ]);
  expect(other.changedSince(list)).toEqual([7, 39_999]);
  expect(other.changedSince(list, 8)).toEqual([39_999]);
  expect(list.slice(31, 34)).toEqual([31, 32, 33]);
});

test('a map does what a Map does, and every map before stays as it was', () => {
  // These two have one hash.
  const keys = fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('costarring', 'liquid'));
  fc.assert(
    fc.property(fc.array(fc.tuple(keys, fc.option(fc.nat())), { maxLength: 300 }), (steps) => {
      let map = PersistentMap.empty<number>();
      const plain = new Map<string, number>();
      const before: [PersistentMap<number>, Map<string, number>][] = [];
      for (const [key, value] of steps) {
        before.push([map, new Map(plain)]);
        if (value === null) {
          map = map.delete(key);
          plain.delete(key);
        } else {
          map = map.set(key, value);
          plain.set(key, value);
        }
      }
      for (const [then, copy] of [...before, [map, plain] as const]) {
        for (const [key] of steps) expect(then.get(key)).toBe(copy.get(key));
        expect(then.values().sort()).toEqual([...copy.values()].sort());
      }
    }),
    { numRuns: 30 },
  );
});
