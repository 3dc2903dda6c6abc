import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EngineNotice } from './messages.ts';
import { Notices } from './notices.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const link = (since: number): EngineNotice => ({
  type: 'link',
  state: { status: 'lost', since, retryAt: 0 },
});

test('of a flood of one kind the page hears at most one per interval, and the last', () => {
  const heard: EngineNotice[] = [];
  const notices = new Notices((notice) => heard.push(notice));
  let looks = 0;
  for (let time = 0; time < 160; time++) {
    notices.soon('link', () => (looks++, link(time)));
    vi.advanceTimersByTime(1);
  }
  vi.advanceTimersByTime(100);
  expect(heard.length).toBeLessThanOrEqual(12);
  expect(looks).toBe(heard.length);
  expect(heard.at(-1)).toEqual(link(159));
});

test('kinds do not wait for each other, and what is told at once is told at once', () => {
  const heard: string[] = [];
  const notices = new Notices(({ type }) => heard.push(type));
  notices.soon('traces', () => ({ type: 'traces', traces: [] }));
  notices.soon('link', () => link(1));
  notices.tell({ type: 'news', tone: 'info', text: '' });
  expect(heard).toEqual(['news']);
  vi.advanceTimersByTime(1);
  expect(heard).toEqual(['news', 'traces', 'link']);
});

test('what turns out to be nothing is not told', () => {
  const heard: EngineNotice[] = [];
  const notices = new Notices((notice) => heard.push(notice));
  notices.soon('timeline', () => undefined);
  vi.advanceTimersByTime(50);
  expect(heard).toEqual([]);
});
