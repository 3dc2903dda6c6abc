import { expect, test } from 'vitest';
import { millis } from '../../lib/time.ts';
import { connectionId, seq, type Seq } from '../../trace/event.ts';
import { Several } from './several.svelte.ts';

const C = connectionId('c');
const NOTHING = { agent: 0, stderr: 0, others: 0, bytes: 0, from: millis(0), to: millis(0) };
/** Row n stands for frame n, row 5 for three frames. */
function several() {
  return new Several({
    framesIn: (_, from, to) =>
      Promise.resolve(
        Array.from({ length: to - from }, (_, i) => from + i).flatMap((row) =>
          row === 5 ? [seq(50), seq(51), seq(52)] : [seq(row)],
        ),
      ),
    sum: (_, seqs) => Promise.resolve({ ...NOTHING, client: seqs.length }),
    lines: (_, seqs) => Promise.resolve({ text: seqs.join(), lossy: false }),
  });
}

test('a stretch goes from where it began to the row, to either side, and forgets what it left', async () => {
  const all = several();
  await all.stretch(C, 3, 4);
  expect([all.seqs, all.end, all.sum?.client]).toEqual([[3, 4], 4, 2]);
  await all.stretch(C, 99, 1);
  expect(all.seqs).toEqual([1, 2, 3]);
  expect(all.has(3 as Seq)).toBe(true);
  await all.stretch(C, 99, 3);
  expect(all.seqs).toEqual([]);
});

test('single rows are added and taken away, with all they stand for', async () => {
  const all = several();
  await all.toggle(C, 5, seq(2));
  expect(all.seqs).toEqual([2, 50, 51, 52]);
  expect((await all.lines()).text).toBe('2,50,51,52');
  await all.toggle(C, 5, seq(2));
  expect(all.seqs).toEqual([]);
});

test('what comes too late is dropped', async () => {
  const all = several();
  const late = all.stretch(C, 1, 9);
  all.clear();
  await late;
  expect(all.seqs).toEqual([]);
});
