import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeUtf8 } from '../../lib/utf8.ts';
import { millis } from '../../lib/time.ts';
import { seq, type Frame } from '../../trace/event.ts';
import { eventLine } from '../../trace/format.ts';
import { lineOf } from '../../trace/line.ts';
import { longFrameLine } from './long-line.ts';

const FRAME: Frame = {
  ...({ type: 'frame', seq: seq(7), at: millis(1.5), from: 'agent' } as const),
  ...({ line: { text: '' }, origin: 'peer', cut: true } as const),
};

const written = (pieces: readonly Uint8Array[]) =>
  Buffer.concat([...longFrameLine(FRAME, pieces)]).toString();

test('N3 R-07: made in pieces, the line is the one that would be made of the whole', () => {
  const text = fc.string({ unit: 'binary', maxLength: 200 }).map(encodeUtf8);
  const bytes = fc.oneof(text, fc.uint8Array({ maxLength: 200 }));
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(200), { maxLength: 8 }), (all, cuts) => {
      const at = [0, ...cuts.map((cut) => Math.min(cut, all.length)).sort((a, b) => a - b)];
      const pieces = at.map((from, i) => all.subarray(from, at[i + 1]));
      expect(written(pieces)).toBe(eventLine({ ...FRAME, line: lineOf(all) }) + '\n');
    }),
  );
});

test('N5: a line that escapes would make longer than any text is cut down, and says so', () => {
  const piece = new Uint8Array(1024 * 1024);
  const pieces = Array.from({ length: 45 }, () => piece);
  const hash = createHash('sha256');
  for (const each of pieces) hash.update(each);
  const { oversize } = JSON.parse(written(pieces)) as Frame;
  expect(oversize).toMatchObject({ bytes: 45 * 1024 * 1024, sha256: hash.digest('hex') });
});
