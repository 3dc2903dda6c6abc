import { EventEmitter } from 'node:events';
import type { ReadStream, WriteStream } from 'node:tty';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RelayTerminal } from './terminal.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

function terminal() {
  const input = Object.assign(new EventEmitter(), {
    setRawMode: () => undefined,
    pause: () => undefined,
  });
  const said: string[] = [];
  const keys = { onEnter: vi.fn(), onInterrupt: vi.fn() };
  const output = Object.assign(new EventEmitter(), { write: (text: string) => said.push(text) });
  const own = new RelayTerminal(
    input as unknown as ReadStream,
    output as unknown as WriteStream,
    keys,
  );
  return { own, said, keys, press: (text: string) => input.emit('data', Buffer.from(text)) };
}

const never = new AbortController().signal;

test('a question is answered with y, and refused with any other key', async () => {
  for (const [key, yes] of [
    ['y', true],
    ['Y', true],
    ['n', false],
    ['\r', false],
  ] as const) {
    const { own, press, said, keys } = terminal();
    const answer = own.confirm('Start it?', never);
    vi.advanceTimersByTime(1000);
    press(key);
    expect(await answer).toBe(yes);
    expect(said.join('')).toBe(`\nStart it? ${yes ? 'yes' : 'no'}\n`);
    expect(keys.onEnter).not.toHaveBeenCalled();
  }
});

test('P-01: a y on its way to one question does not answer the next, put under it by the page', async () => {
  const { own, press } = terminal();
  const first = new AbortController();
  const harmless = own.confirm('node agent.js', first.signal);
  vi.advanceTimersByTime(5000);
  first.abort();
  expect(await harmless).toBe(false);
  const swapped = own.confirm('sh -c …', never);
  vi.advanceTimersByTime(150);
  press('y');
  vi.advanceTimersByTime(1000);
  press('n');
  expect(await swapped).toBe(false);
});

test('Ctrl-C ends at any time, and Enter asks for a link when no question stands', () => {
  const { own, press, keys } = terminal();
  press('\r');
  void own.confirm('Start it?', never);
  press('\u0003');
  expect(keys.onEnter).toHaveBeenCalledTimes(1);
  expect(keys.onInterrupt).toHaveBeenCalledTimes(1);
});
