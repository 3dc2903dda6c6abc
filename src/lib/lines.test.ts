import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineSplitter } from './lines.ts';
import { decodeUtf8, encodeUtf8 } from './utf8.ts';

function split(chunks: readonly Uint8Array[]): {
  lines: Uint8Array[];
  rest: Uint8Array | undefined;
} {
  const splitter = new LineSplitter();
  const lines = chunks.flatMap((chunk) => splitter.push(chunk));
  return { lines, rest: splitter.end() };
}
const texts = (chunks: readonly string[]) => {
  const { lines, rest } = split(chunks.map(encodeUtf8));
  return { lines: lines.map(decodeUtf8), rest: rest && decodeUtf8(rest) };
};

describe('lines', () => {
  test('R-02 several lines in one chunk, empty lines and CRs are kept as they are', () => {
    expect(texts(['a\n\nb\r\n\rc\n'])).toEqual({ lines: ['a', '', 'b\r', '\rc'], rest: undefined });
  });

  test('R-06 what stands after the last 0x0A comes out at the end', () => {
    expect(texts(['{"partial":'])).toEqual({ lines: [], rest: '{"partial":' });
  });

  test('R-01 a character cut in the middle survives', () => {
    const bytes = encodeUtf8('日本\n');
    for (let cut = 0; cut <= bytes.length; cut++)
      expect(split([bytes.subarray(0, cut), bytes.subarray(cut)]).lines.map(decodeUtf8)).toEqual([
        '日本',
      ]);
  });

  test('a chunk may be overwritten after push', () => {
    const splitter = new LineSplitter();
    const chunk = encodeUtf8('abc');
    splitter.push(chunk);
    chunk.fill(0x7a);
    expect(splitter.push(encodeUtf8('d\n')).map(decodeUtf8)).toEqual(['abcd']);
  });

  test('R-01 R-62 any bytes cut anywhere give the same lines, and joined again the same bytes', () => {
    const bytes = fc
      .uint8Array({ maxLength: 300 })
      .map((array) => array.map((byte) => (byte % 7 === 0 ? 10 : byte)));
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(300), { maxLength: 12 }), (all, cuts) => {
        const at = [0, ...cuts.filter((cut) => cut < all.length).sort((a, b) => a - b), all.length];
        const chunks = at.slice(1).map((end, i) => all.slice(at[i], end));
        const whole = split([all]);
        expect(split(chunks)).toEqual(whole);
        const joined = [...whole.lines.flatMap((line) => [...line, 10]), ...(whole.rest ?? [])];
        expect(joined).toEqual([...all]);
      }),
    );
  });
});
