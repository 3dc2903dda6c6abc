import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HeldLines } from './held-lines.ts';
import { decodeUtf8, encodeUtf8 } from './utf8.ts';

const chunks = fc.array(
  fc.tuple(
    fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r'), maxLength: 8 }).map(encodeUtf8),
    fc.boolean(),
  ),
);

test('what goes on is what came, however the chunks are cut and whenever a line is let go', () => {
  fc.assert(
    fc.property(chunks, fc.integer({ min: 0, max: 6 }), (pieces, most) => {
      const held = new HeldLines(most);
      let out = '';
      const write = (bytes: Uint8Array | undefined) => (out += decodeUtf8(bytes ?? encodeUtf8('')));
      const seen: (string | undefined)[] = [];
      for (const [chunk, lets] of pieces) {
        for (const { line, rest } of held.push(chunk)) {
          write(rest);
          seen.push(line && decodeUtf8(line));
        }
        if (lets) held.letGo().forEach(write);
        if (lets) expect(held.held).toBe(0);
      }
      const last = held.end();
      write(last?.rest);
      const all = pieces.map(([chunk]) => decodeUtf8(chunk)).join('');
      expect(out).toBe(all);
      const lines = all.split('\n').slice(0, -1);
      expect(seen).toEqual(lines.map((line) => (line.length > most ? undefined : line)));
    }),
  );
});

test('a line says whether its beginning went on', () => {
  const held = new HeldLines(100);
  held.push(encodeUtf8('one'));
  held.letGo();
  const [first, second] = held.push(encodeUtf8(' line\ntwo\n'));
  expect(first).toMatchObject({ isGone: true, rest: encodeUtf8(' line\n') });
  expect(first?.line && decodeUtf8(first.line)).toBe('one line');
  expect(second?.isGone).toBe(false);
});
