import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joined } from './bytes.ts';
import { fromBase64, fromLongBase64, toBase64 } from './utf8.ts';

const pause = () => Promise.resolve();

test('long base64 read in pieces gives its bytes, also where it breaks lines', async () => {
  const size = fc.integer({ min: 0, max: 500_000 });
  await fc.assert(
    fc.asyncProperty(size, fc.integer({ min: 5, max: 100_000 }), async (length, line) => {
      const bytes = Uint8Array.from({ length }, (_, at) => (at * 31) % 251);
      const whole = toBase64(bytes);
      const lines = Array.from({ length: Math.ceil(whole.length / line) }, (_, at) =>
        whole.slice(at * line, (at + 1) * line),
      );
      const text = lines.join('\r\n');
      const pieces = (await fromLongBase64(text, pause)) ?? [];
      expect(Buffer.compare(joined(pieces), bytes)).toBe(0);
    }),
    { numRuns: 20 },
  );
});

test('what is no base64 gives no bytes, wherever it is wrong', async () => {
  const text = `${'AAAA'.repeat(200_000)}?AAA`;
  expect(fromBase64('?')).toBeUndefined();
  expect(await fromLongBase64(text, pause)).toBeUndefined();
});
