import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DiffLines, MARKS, type LineLooks, type LooksOf } from './diff-lines.ts';

const SIGNS = '=≠−+⇅';
/** `==== ≠2 +`: a section a word, a sign a row, behind it how many of its fields differ. */
function looks(picture: string, told: readonly number[] = []): LooksOf {
  const rows = picture.split(' ').flatMap((word, section) =>
    [...word.matchAll(/([=≠−+⇅])(\d*)/g)].map(([, sign = '=', fields = '']) => ({
      mark: SIGNS.indexOf(sign),
      section,
      fields: Number(fields),
    })),
  );
  return {
    marks: Uint8Array.from(rows, ({ mark }) => mark),
    rowSections: Uint32Array.from(rows, ({ section }) => section),
    fields: Uint16Array.from(rows, ({ fields }) => fields),
    told: Uint8Array.from(rows, (_, row) => (told.includes(row) ? 1 : 0)),
  };
}
const PLAIN: LineLooks = { hidden: [], opened: [], toggled: [], whole: [] };
function drawn(of: LooksOf, how: Partial<LineLooks> = {}): string[] {
  const lines = new DiffLines(of, { ...PLAIN, ...how });
  return Array.from({ length: lines.length }, (_, at) => {
    const line = lines.line(at);
    if (!line) return 'none';
    if (line.type === 'head') return `head ${line.section} ${line.equal}/${line.rows}`;
    if (line.type === 'fold') return `fold ${line.row} ${line.rows}`;
    if (line.type === 'field') return `field ${line.row}.${line.nth}`;
    return line.type === 'more' ? `more ${line.fields}` : `row ${line.row}`;
  });
}

test('three equal rows are one line, two are not; each section has its head and its figures', () => {
  expect(drawn(looks('===≠ ==−'))).toEqual([
    ...['head 0 3/4', 'fold 0 3', 'row 3'],
    ...['head 1 2/3', 'row 4', 'row 5', 'row 6'],
  ]);
  expect(drawn(looks('===≠'), { opened: [0] })).toEqual([
    ...['head 0 3/4', 'fold 0 3', 'row 0', 'row 1', 'row 2', 'row 3'],
  ]);
});

test('a few fields stand below their row; many, and those that its words tell, when it is opened', () => {
  expect(drawn(looks('≠2'))).toEqual(['head 0 0/1', 'row 0', 'field 0.0', 'field 0.1']);
  expect(drawn(looks('≠2'), { toggled: [0] })).toEqual(['head 0 0/1', 'row 0']);
  expect(drawn(looks('≠1', [0]))).toEqual(['head 0 0/1', 'row 0']);
  expect(drawn(looks('≠20'))).toEqual(['head 0 0/1', 'row 0']);
  expect(drawn(looks('≠20'), { toggled: [0] })).toHaveLength(2 + 12 + 1);
  expect(drawn(looks('≠20'), { toggled: [0] }).at(-1)).toBe('more 8');
  expect(drawn(looks('≠20'), { toggled: [0], whole: [0] })).toHaveLength(2 + 20);
});

test('only differences: what is equal is gone, with sections that have nothing else', () => {
  expect(drawn(looks('==== =≠ ='), { hidden: ['equal'] })).toEqual(['head 1 1/2', 'row 5']);
  expect(drawn(looks('≠−'), { hidden: ['changed', 'missing'] })).toEqual([]);
});

test('every row is found by its line, its fold, or what stands before it', () => {
  const picture = fc
    .array(fc.array(fc.constantFrom('=', '≠', '≠3', '−', '+', '⇅'), { minLength: 1 }), {
      minLength: 1,
    })
    .map((sections) => sections.map((rows) => rows.join('')).join(' '));
  fc.assert(
    fc.property(picture, fc.subarray([...MARKS]), (text, hidden) => {
      const of = looks(text);
      const lines = new DiffLines(of, { ...PLAIN, hidden });
      for (let at = 0; at < lines.length; at++) {
        const line = lines.line(at);
        if (line?.type === 'row' || line?.type === 'fold') expect(lines.lineOf(line.row)).toBe(at);
        if (line?.type === 'fold') expect(lines.lineOf(line.row + line.rows - 1)).toBe(at);
      }
      const shown = of.marks.filter(
        (mark) => mark !== 0 && !hidden.includes(MARKS[mark] ?? 'equal'),
      );
      expect(lines.differing).toHaveLength(shown.length);
      expect(lines.heads.every((at) => lines.line(at)?.type === 'head')).toBe(true);
    }),
  );
});
