import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../command.ts';
import { framePlaces } from './frame-places.ts';

describe('frames named in a command line', () => {
  test.each([
    ['a.ndjson#12', 'a.ndjson', [{ from: 12, to: 12 }]],
    ['a.ndjson#12..20', 'a.ndjson', [{ from: 12, to: 20 }]],
    [
      'a.ndjson#1,4..5',
      'a.ndjson',
      [
        { from: 1, to: 1 },
        { from: 4, to: 5 },
      ],
    ],
    ['a#1.ndjson#12', 'a#1.ndjson', [{ from: 12, to: 12 }]],
    ['C:\\traces\\a b.ndjson#12', 'C:\\traces\\a b.ndjson', [{ from: 12, to: 12 }]],
    ['../x/a.ndjson#12', '../x/a.ndjson', [{ from: 12, to: 12 }]],
  ])('%s', async (word, file, spans) => {
    expect(await framePlaces([word])).toEqual({
      files: [file],
      places: [{ source: word, file, spans }],
    });
  });

  test('c2#12 is a frame of the second file, and #12 one of the first', async () => {
    const { files, places } = await framePlaces(['a.ndjson', 'b.ndjson', 'c2#12', '#3']);
    expect(files).toEqual(['a.ndjson', 'b.ndjson']);
    expect(places.map(({ file }) => file)).toEqual(['b.ndjson', 'a.ndjson']);
  });

  test('a file that is named twice is one, by its first name, and so is its frame', async () => {
    const [file, again] = ['package.json', './src/../package.json'];
    expect(await framePlaces([file, `${again}#3`])).toEqual({
      files: [file],
      places: [{ source: `${again}#3`, file, spans: [{ from: 3, to: 3 }] }],
    });
  });

  test.each([
    [['c2#1'], /frame of file 2, and no file is named beside it/],
    [['a', 'c3#1'], /frame of file 3, and 1 is named beside it/],
    [['a#0'], /numbered from 1/],
    [['a#5..2'], /5\.\.2 ends before it begins/],
    [['a#c2#12'], /a file holds one connection, so its frames need no c2: a#SEQ/],
  ])('%j is a sentence', async (words, sentence) => {
    await expect(framePlaces(words)).rejects.toThrow(sentence);
  });

  test('whatever is written, it is read, or is told as a mistake', async () => {
    const word = fc.array(fc.constantFrom('a', '#', '1', '..', ',', 'c2', '/', ' ', '\n'));
    await fc.assert(
      fc.asyncProperty(fc.array(word.map((all) => all.join(''))), async (words) => {
        try {
          const { files, places } = await framePlaces(words);
          for (const { file, spans } of places) {
            expect(files).toContain(file);
            for (const { from, to } of spans) expect(from).toBeLessThanOrEqual(to);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
        }
      }),
    );
  });
});
