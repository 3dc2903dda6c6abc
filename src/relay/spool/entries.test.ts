import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Entries } from './entries.ts';

const lengths = fc.oneof(fc.nat(40), fc.integer({ min: 30_000, max: 90_000 }));
const steps = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant('text' as const),
      size: lengths,
      char: fc.constantFrom('x', 'ä', '€'),
    }),
    fc.record({ do: fc.constant('long' as const), size: lengths }),
    // A part of a chunk, in thousandths; 1000: all of it.
    fc.record({
      do: fc.constant('write' as const),
      share: fc.oneof(fc.nat(1000), fc.constant(1000)),
    }),
    fc.record({ do: fc.constant('fail' as const) }),
    fc.record({ do: fc.constant('new file' as const) }),
  ),
  { maxLength: 60 },
);

test('R-21: whatever a disk takes and refuses, each file has its opening and every entry once, in order', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const entries = new Entries();
      let file = '';
      let [made, kept] = [0, 0];
      const waiting: string[] = [];
      const begin = () => {
        file = '';
        kept = made - waiting.length;
        entries.restart(`opening ${kept}\n`, kept);
      };
      const write = (share: number) => {
        const chunk = entries.chunk();
        const to = chunk.at + Math.ceil(((chunk.bytes.length - chunk.at) * share) / 1000);
        file += Buffer.from(chunk.bytes.subarray(chunk.at, to)).toString('latin1');
        chunk.at = to;
        if (to < chunk.bytes.length) return;
        entries.written(file.length);
        while (waiting.length > 0 && made - waiting.length < (entries.ends.at(-1)?.last ?? 0))
          waiting.shift();
      };
      begin();
      for (const step of all) {
        if (step.do === 'text' || step.do === 'long') {
          const text = `${++made}:${('char' in step ? step.char : '_').repeat(step.size)}\n`;
          waiting.push(text);
          const bytes = Buffer.from(text);
          const halves = () => [bytes.subarray(0, 2), bytes.subarray(2)];
          const content = step.do === 'text' ? text : halves;
          entries.push({ content, size: bytes.length, first: made, last: made });
        } else if (step.do === 'write') {
          if (entries.length > 0) write(step.share);
        } else {
          entries.settle(file.length);
          const last = entries.ends.at(-1)?.last ?? 0;
          while (waiting.length > 0 && made - waiting.length < last) waiting.shift();
          if (step.do === 'new file') begin();
        }
        // What waits is what the file lacks, and can be read from here instead.
        const held = [...entries].filter(({ first, last }) => first <= last);
        const texts = held.map(({ parts }) => Buffer.concat([...parts()]).toString());
        expect(texts).toEqual(waiting);
      }
      while (entries.length > 0) write(1000);
      expect(entries.waiting).toBe(0);
      expect(file.split('\n', 1)[0]).toBe(`opening ${kept}`);
      const numbers = [...file.matchAll(/^(\d+):/gm)].map(([, number]) => Number(number));
      expect(numbers).toEqual(Array.from({ length: made - kept }, (_, i) => kept + i + 1));
      expect(entries.ends.at(-1)).toMatchObject({ size: file.length, last: made });
    }),
    { numRuns: 300 },
  );
});
