import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Intake } from './intake.ts';

/** Takes one byte for each look at the clock, and each look is a millisecond. */
class Slow {
  readonly taken: string[];
  readonly name: string;
  constructor(name: string, taken: string[]) {
    this.name = name;
    this.taken = taken;
  }
  take(bytes: Uint8Array, offset: number, isTimeUp: () => boolean): number {
    let at = offset;
    while (at < bytes.length) {
      this.taken.push(`${this.name}${bytes[at]}`);
      at++;
      if (isTimeUp()) break;
    }
    return at;
  }
}

describe('the intake', () => {
  let now = 0;
  beforeEach(() => void vi.spyOn(performance, 'now').mockImplementation(() => now++));
  afterEach(() => void vi.restoreAllMocks());

  test('feeds several traces in turns, each in its order, and tells after every slice', async () => {
    const taken: string[] = [];
    const grown: string[] = [];
    const intake = new Intake<Slow>(({ name }) => grown.push(name));
    const [a, b] = [new Slow('a', taken), new Slow('b', taken)];
    const bytes = (from: number) => Uint8Array.from({ length: 20 }, (_, i) => from + i);
    await Promise.all([intake.add(a, bytes(0)), intake.add(a, bytes(20)), intake.add(b, bytes(0))]);
    const of = (name: string) => taken.filter((entry) => entry.startsWith(name));
    expect(of('a')).toEqual(Array.from({ length: 40 }, (_, i) => `a${i}`));
    expect(of('b')).toEqual(Array.from({ length: 20 }, (_, i) => `b${i}`));
    expect(taken.indexOf('b0')).toBeLessThan(taken.indexOf('a20'));
    expect(grown.slice(0, 4)).toEqual(['a', 'b', 'a', 'b']);
  });

  test('goes on after it was empty', async () => {
    const taken: string[] = [];
    const intake = new Intake<Slow>(() => undefined);
    const a = new Slow('a', taken);
    await intake.add(a, Uint8Array.of(1));
    await intake.add(a, Uint8Array.of(2));
    expect(taken).toEqual(['a1', 'a2']);
  });
});
