import { describe, expect, test } from 'vitest';
import { LIST_KEYS, rowByKey, runKey, typeAhead } from './list-keys.ts';

/** `inside`: a button of the list has the focus. */
function press(key: string, { shiftKey = false, inside = false } = {}) {
  const list = new EventTarget();
  let taken = false;
  return {
    ...{ key, code: '', shiftKey, metaKey: false, ctrlKey: false, altKey: false },
    ...{ currentTarget: list, target: inside ? new EventTarget() : list },
    preventDefault: () => (taken = true),
    isTaken: () => taken,
  };
}

describe('keys of a list', () => {
  const to = (key: string, how = {}) => rowByKey(press(key), 3, 20, how);

  test('arrows go to the next row and the one before, Home and End to the ends, pages stop there', () => {
    expect([to('ArrowDown'), to('ArrowUp'), to('Home'), to('End')]).toEqual([4, 2, 0, 19]);
    expect([to('PageDown', { page: 8 }), to('PageUp', { page: 8 })]).toEqual([11, 0]);
    expect(rowByKey(press('ArrowDown'), 19, 20)).toBe(19);
    expect(rowByKey(press('ArrowDown', { shiftKey: true }), 3, 20)).toBeUndefined();
  });

  test('J and K move only where single letters are on', () => {
    expect([to('j'), to('k')]).toEqual([undefined, undefined]);
    expect([to('j', { letters: true }), to('k', { letters: true })]).toEqual([4, 2]);
  });

  test('in a menu the first comes after the last, from wherever one begins', () => {
    const wraps = (key: string, at: number) => rowByKey(press(key), at, 4, { wraps: true });
    expect([wraps('ArrowDown', 3), wraps('ArrowUp', 0)]).toEqual([0, 3]);
    expect([wraps('ArrowDown', -1), wraps('ArrowUp', -1)]).toEqual([0, 3]);
  });

  test('in a text field Home and End stay with the caret', () => {
    const end = press('End');
    expect(rowByKey(end, 3, 20, { typing: true })).toBeUndefined();
    expect(end.isTaken()).toBe(false);
    expect(to('ArrowDown', { typing: true })).toBe(4);
  });

  test('a key of the place is taken from the page; others, and those of its buttons, are not', () => {
    const done: string[] = [];
    const keys = [
      ...LIST_KEYS,
      { keys: ['↵'], does: 'Open it', run: () => done.push('open') },
      { keys: ['⇧F10'], alsoKey: 'ContextMenu', does: 'Menu', run: () => done.push('menu') },
    ];
    const run = (event: ReturnType<typeof press>) =>
      runKey(keys, event, false, { page: 5, move: (by) => done.push(`${by}`) }) && event.isTaken();
    expect(run(press('PageDown'))).toBe(true);
    expect(run(press('Enter'))).toBe(true);
    expect(run(press('ContextMenu'))).toBe(true);
    expect(run(press('Enter', { inside: true }))).toBe(false);
    expect(run(press('q'))).toBe(false);
    expect(done).toEqual(['5', 'open', 'menu']);
  });

  test('what is typed quickly is one word, the same letter again goes on, a pause begins anew', () => {
    const rows = ['Stored', 'S1 one', 'S2 two', 'Bundled'].map((textContent) => ({ textContent }));
    const go = typeAhead(/^\p{L}$/u);
    const type = (key: string, timeStamp: number, at: number) =>
      go({ ...press(key), timeStamp }, at, rows);
    expect([type('s', 1000, 3), type('2', 1100, 0)]).toEqual([0, 2]);
    expect([type('s', 3000, 0), type('s', 3100, 1), type('s', 3200, 2)]).toEqual([1, 2, 0]);
    expect([type('b', 5000, 0), type('x', 7000, 3), type('2', 9000, 3)]).toEqual([3, 3, undefined]);
    expect([type('s', 9500, 3), type('Enter', 9510, 0), type('b', 9520, 0)]).toEqual([
      0,
      undefined,
      3,
    ]);
  });
});
