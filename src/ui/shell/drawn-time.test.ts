import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { afterDrawing } from './drawn-time.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A page that draws only when it is told to. */
function page() {
  const wanted: (() => void)[] = [];
  const done = vi.fn();
  const off = afterDrawing(1000, done, (then) => wanted.push(then));
  const draw = () => wanted.splice(0).forEach((then) => then());
  return { done, off, draw };
}

test('time counts while the page draws', () => {
  const { done, draw } = page();
  for (let step = 1; step <= 4; step++) {
    expect(done).not.toHaveBeenCalled();
    vi.advanceTimersByTime(250);
    draw();
  }
  expect(done).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(10_000);
  draw();
  expect(done).toHaveBeenCalledTimes(1);
});

test('however long the page draws nothing, only the next frame counts', () => {
  const { done, draw } = page();
  for (let step = 1; step <= 3; step++) {
    vi.advanceTimersByTime(60_000);
    draw();
  }
  vi.advanceTimersByTime(60_000);
  expect(done).not.toHaveBeenCalled();
  draw();
  expect(done).toHaveBeenCalledTimes(1);
});

test('what is called off is not done, also between its timer and its frame', () => {
  const early = page();
  early.off();
  vi.advanceTimersByTime(10_000);
  early.draw();
  const late = page();
  for (let step = 1; step <= 3; step++) {
    vi.advanceTimersByTime(250);
    late.draw();
  }
  vi.advanceTimersByTime(250);
  late.off();
  late.draw();
  expect([early.done, late.done].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
});
