import { expect, test } from 'vitest';
import { StderrLines } from './stderr-lines.ts';

test('N5: stderr that never ends a line is given out in parts, and no byte of it is held for long', () => {
  const given: number[] = [];
  const lines = new StderrLines((line, cut) => {
    expect(cut).toBe(true);
    given.push(line.length);
  });
  const chunk = Buffer.from('é'.repeat(32_768));
  for (let i = 0; i < 64; i++) lines.push(chunk);
  expect(Math.max(...given)).toBeLessThan(1.2 * 1024 * 1024);
  lines.end();
  expect(given.reduce((sum, size) => sum + size)).toBe(64 * 65_536);
});
