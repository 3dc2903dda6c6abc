import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHIPS, type ChipId } from '../../model/query/chips.ts';
import { parseQuery } from '../../model/query/parse.ts';
import { clickedChip, pressedChips } from './chip-terms.ts';

const IDS = CHIPS.map(({ id }) => id);
const termOf = (id: ChipId) => CHIPS.find((chip) => chip.id === id)?.term ?? '';
const pressed = (query: string) => {
  const { on, off } = pressedChips(query);
  return [...on, ...[...off].map((id) => `-${id}`)];
};

describe('a chip is found however its term is written', () => {
  test.each([
    ['type:std', ['stderr']],
    ['type:bad,err|status:failed', ['errors']],
    ['status:failed | type:err | type:bad', ['errors']],
    ['(type:std|is:late)', ['late', 'stderr']],
    ['word type:std', ['stderr']],
    ['is:late,cut', ['late']],
    ['-type:std', ['-stderr']],
    ['-(type:err,bad|status:failed)', ['-errors']],
    ['-type:err -type:bad -status:failed', ['-errors']],
    ['type:err', []],
    ['"type:std"', []],
    ['text:/type:std/', []],
    ['', []],
  ])('%s', (query, chips) => expect(pressed(query)).toEqual(chips));
});

test('a click shows one chip, a second click takes it away, and other terms stay', () => {
  const one = clickedChip('word', 'tools', 'only');
  expect(one).toBe('word update:tool_call*');
  expect(clickedChip(one, 'late', 'only')).toBe('word is:late');
  expect(clickedChip(one, 'tools', 'only')).toBe('word');
  expect(clickedChip('a|is:late type:std', 'late', 'only')).toBe('a is:late');
});

test('Shift adds to what is shown, Alt hides', () => {
  const two = clickedChip('is:late', 'errors', 'also');
  expect(two).toBe('is:late|type:err,bad|status:failed');
  expect(clickedChip(two, 'late', 'also')).toBe('type:err,bad|status:failed');
  expect(clickedChip('', 'errors', 'without')).toBe('-(type:err,bad|status:failed)');
  expect(clickedChip('-type:std', 'stderr', 'only')).toBe('type:std');
  expect(clickedChip('type:std', 'stderr', 'without')).toBe('-type:std');
});

const clicks = fc.array(
  fc.tuple(fc.constantFrom(...IDS), fc.constantFrom('only', 'also', 'without')),
  { maxLength: 12 },
);
const others = fc.constantFrom('', 'word', 'a|b', 'session:S1', '$.id>3', '"is:late"', '-x');

test('after any clicks the query is sound, keeps the other terms, and says which chips were clicked last', () => {
  fc.assert(
    fc.property(others, clicks, (other, steps) => {
      let query: string = other;
      for (const [id, how] of steps) {
        const before = pressedChips(query);
        query = clickedChip(query, id, how);
        const { on, off } = pressedChips(query);
        expect(parseQuery(query).ok).toBe(true);
        expect(query.startsWith(other)).toBe(true);
        if (how === 'without') expect(off.has(id)).toBe(!before.off.has(id));
        if (how === 'also') expect(on.has(id)).toBe(!before.on.has(id));
        if (how === 'only')
          expect([...on]).toEqual(before.on.has(id) && before.on.size === 1 ? [] : [id]);
        expect([...on].some((one) => off.has(one))).toBe(false);
      }
    }),
  );
});

test('chips that are added one by one are read back, in any order', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([...IDS]), (ids) => {
      const query = ids.reduce((now, id) => clickedChip(now, id, 'also'), '');
      expect(pressedChips(query).on).toEqual(new Set(ids));
      const back = ids.reduce((now, id) => clickedChip(now, id, 'also'), query);
      expect(back).toBe('');
    }),
  );
});

test('every chip is on by its own term', () => {
  for (const id of IDS) expect(pressed(termOf(id))).toEqual([id]);
});
