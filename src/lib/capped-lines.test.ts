import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { computed } from '../test/traces/cost.ts';
import { bytesOf, CappedLines, type CappedLine } from './capped-lines.ts';
import { LineSplitter } from './lines.ts';
import { encodeUtf8 } from './utf8.ts';

const CAPS = { whole: 20, head: 8, tail: 4 };
const sha256 = () => createHash('sha256');

function split(chunks: readonly Uint8Array[]): CappedLine[] {
  const lines = new CappedLines(sha256, CAPS);
  const done = chunks.flatMap((chunk) => lines.push(chunk));
  const rest = lines.end();
  return rest ? [...done, rest] : done;
}

const plain = (line: CappedLine) =>
  line.kind === 'whole'
    ? { line: [...bytesOf(line)] }
    : { ...line, head: [...line.head], tail: [...line.tail] };

/** What is due for a line, from the line itself. */
const due = (line: Uint8Array) =>
  line.length <= CAPS.whole
    ? { line: [...line] }
    : {
        kind: 'long',
        bytes: line.length,
        sha256: sha256().update(line).digest('hex'),
        head: [...line.slice(0, CAPS.head)],
        tail: [...line.slice(-CAPS.tail)],
      };

describe('lines with a cap', () => {
  test('R-08 of a line longer than the cap, head, tail, length and hash are kept', () => {
    const long = encodeUtf8('0123456789'.repeat(3));
    expect(split([encodeUtf8('a\n'), long, encodeUtf8('\nb\n')]).map(plain)).toEqual([
      due(encodeUtf8('a')),
      due(long),
      due(encodeUtf8('b')),
    ]);
  });

  test('R-08 a long line that the stream cuts off is told as well', () => {
    const long = encodeUtf8('x'.repeat(50));
    expect(split([long.subarray(0, 30), long.subarray(30)]).map(plain)).toEqual([due(long)]);
  });

  test('N5 R-07 a line of many chunks stays in pieces of a fair size, however small the chunks', () => {
    const lines = new CappedLines(sha256);
    const chunk = encodeUtf8('x'.repeat(1000));
    for (let i = 0; i < 3000; i++) expect(lines.push(chunk)).toEqual([]);
    const [line] = lines.push(encodeUtf8('y\nz'));
    const sizes = line?.kind === 'whole' ? line.pieces.map(({ length }) => length) : [];
    expect(sizes.reduce((sum, size) => sum + size)).toBe(3_000_001);
    expect(sizes.length).toBeLessThan(60);
    expect(Math.max(...sizes)).toBeLessThan(1 << 20);
    expect(line && bytesOf(line).at(-1)).toBe(0x79);
  });

  test('N5 a large chunk is held as it is; of a small part of one, a copy that costs its bytes', () => {
    const lines = new CappedLines(sha256);
    const [large, other] = [Buffer.alloc(65_536, 'x'), Buffer.alloc(65_536, '\n')];
    other.fill('y', 40_000);
    lines.push(large);
    lines.push(other.subarray(40_000));
    lines.push(large);
    const [line] = lines.push(encodeUtf8('z\n'));
    const pieces = line?.kind === 'whole' ? line.pieces : [];
    expect(pieces.map(({ length }) => length)).toEqual([65_536, 25_536, 65_536, 1]);
    const [first, second, third] = pieces.map(({ buffer }) => buffer);
    expect([first, third].map((buffer) => buffer === large.buffer)).toEqual([true, true]);
    expect(second?.byteLength).toBeLessThanOrEqual(65_536);
    expect(second === other.buffer).toBe(false);
  });

  test('N7 a million lines are cut within half a second of computing', async () => {
    // Each chunk ends within a line.
    const chunk = Buffer.alloc(65_536, `${'x'.repeat(199)}\n`);
    const cut = () => {
      const lines = new CappedLines(sha256);
      for (let seen = 0; seen < 1_000_000;) seen += lines.push(chunk).length;
    };
    expect(await computed(cut)).toBeLessThan(500);
  });

  test('R-01 R-08 any bytes cut anywhere give the lines an uncapped splitter gives, each as is due', () => {
    const bytes = fc
      .uint8Array({ maxLength: 300 })
      .map((array) => array.map((byte) => (byte % 29 === 0 ? 10 : byte)));
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(300), { maxLength: 12 }), (all, cuts) => {
        const at = [0, ...cuts.filter((cut) => cut < all.length).sort((a, b) => a - b), all.length];
        const chunks = at.slice(1).map((end, i) => all.slice(at[i], end));
        const whole = new LineSplitter();
        const lines = [...whole.push(all)];
        const rest = whole.end();
        if (rest) lines.push(rest);
        expect(split(chunks).map(plain)).toEqual(lines.map(due));
      }),
    );
  });
});
