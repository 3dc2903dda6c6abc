import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CompareLines, type CompareRows, type LineLooks } from './compare-lines.ts';
import { CompareList } from './compare-list.svelte.ts';

const SIGNS = '=≠·−+⇅';
interface How extends Partial<LineLooks> {
  readonly hidden?: string;
  /** Rows whose fields are shut until somebody opens them. */
  readonly shut?: readonly number[];
  readonly near?: number;
  readonly folded?: number;
  readonly heads?: false;
}
/** `==== ≠2 +`: a section a word, a sign a row, behind it how many of its fields differ. */
function looks(
  picture: string,
  { hidden = '', shut = [], near = 0, folded = 3, heads }: How = {},
): CompareRows {
  const rows = picture.split(' ').flatMap((word, section) =>
    [...word.matchAll(/([=≠·−+⇅])(\d*)/g)].map(([, sign = '=', fields = '']) => ({
      sign,
      section,
      fields: Number(fields),
    })),
  );
  return {
    count: rows.length,
    ...(heads !== false && { sections: rows.map(({ section }) => section) }),
    stateOf: (row) =>
      rows[row]?.sign === '=' ? 'quiet' : rows[row]?.sign === '·' ? 'noted' : 'fault',
    isHidden: (row) => hidden.includes(rows[row]?.sign ?? ''),
    fieldsOf: (row) => rows[row]?.fields ?? 0,
    opensItself: (row) => !shut.includes(row),
    ...{ folded, near },
  };
}
const linesOf = (picture: string, how: How = {}) =>
  new CompareLines(looks(picture, how), { opened: [], toggled: [], whole: [], ...how });
function drawn(picture: string, how: How = {}): string[] {
  const lines = linesOf(picture, how);
  return Array.from({ length: lines.length }, (_, at) => {
    const line = lines.line(at);
    if (!line) return 'none';
    if (line.type === 'head') return `head ${line.section} ${line.quiet}/${line.rows}`;
    if (line.type === 'fold') return `fold ${line.row} ${line.rows}`;
    if (line.type === 'field') return `field ${line.row}.${line.nth}`;
    return line.type === 'more' ? `more ${line.fields}` : `row ${line.row}`;
  });
}

test('three equal rows are one line, two are not; each section has its head and its figures', () => {
  expect(drawn('===≠ ==−')).toEqual([
    ...['head 0 3/4', 'fold 0 3', 'row 3'],
    ...['head 1 2/3', 'row 4', 'row 5', 'row 6'],
  ]);
  expect(drawn('===≠', { opened: [0] })).toEqual([
    ...['head 0 3/4', 'fold 0 3', 'row 0', 'row 1', 'row 2', 'row 3'],
  ]);
});

test('fields stand below their row until it is closed, and where they are shut when it is opened', () => {
  expect(drawn('≠2')).toEqual(['head 0 0/1', 'row 0', 'field 0.0', 'field 0.1']);
  expect(drawn('≠2', { toggled: [0] })).toEqual(['head 0 0/1', 'row 0']);
  expect(drawn('≠1', { shut: [0] })).toEqual(['head 0 0/1', 'row 0']);
  expect(drawn('≠1', { shut: [0], toggled: [0] })).toHaveLength(3);
  expect(drawn('≠20')).toHaveLength(2 + 12 + 1);
  expect(drawn('≠20').at(-1)).toBe('more 8');
  expect(drawn('≠20', { whole: [0] })).toHaveLength(2 + 20);
});

test('only differences: what is equal is gone, with sections that have nothing else', () => {
  expect(drawn('==== =≠ =', { hidden: '=' })).toEqual(['head 1 1/2', 'row 5']);
  expect(drawn('≠−', { hidden: '≠−' })).toEqual([]);
});

test('what is noted stays in sight; what is hidden keeps no two stretches apart', () => {
  expect(drawn('==·==')).not.toContain('fold 0 2');
  expect(drawn('==≠==', { hidden: '≠' })).toEqual(['head 0 4/5', 'fold 0 4']);
});

test('a long stretch of the same folds, and what is near a difference stays', () => {
  const how = { folded: 8, near: 2, heads: false } as const;
  const long = '='.repeat(20);
  expect(drawn(`${long}≠${long}`, how)).toEqual([
    ...['fold 0 18', 'row 18', 'row 19', 'row 20', 'row 21', 'row 22', 'fold 23 18'],
  ]);
  expect(drawn('=====+======', how)).toHaveLength(12);
  expect(drawn(`${long}−${long}`, { ...how, opened: [0, 23] })).toHaveLength(41 + 2);
});

test('every row is found by its line, its fold, or what stands before it', () => {
  const picture = fc
    .array(fc.array(fc.constantFrom('=', '≠', '≠3', '·', '−', '+', '⇅'), { minLength: 1 }), {
      minLength: 1,
    })
    .map((sections) => sections.map((rows) => rows.join('')).join(' '));
  const some = fc.subarray([...SIGNS]).map((signs) => signs.join(''));
  fc.assert(
    fc.property(picture, some, fc.nat(2), (text, hidden, near) => {
      const lines = linesOf(text, { hidden, near });
      const rows: number[] = [];
      for (let at = 0; at < lines.length; at++) {
        const line = lines.line(at);
        if (line?.type === 'row' || line?.type === 'fold') expect(lines.lineOf(line.row)).toBe(at);
        if (line?.type === 'fold') expect(lines.lineOf(line.end - 1)).toBe(at);
        if (line?.type === 'row') rows.push(line.row);
        if (line?.type === 'fold') rows.push(...Array.from({ length: line.rows }, () => -1));
      }
      const shown = [...text.replace(/[ \d]/g, '')].filter((sign) => !hidden.includes(sign));
      expect(rows).toHaveLength(shown.length);
      expect(lines.faults).toHaveLength(shown.filter((sign) => !'=·'.includes(sign)).length);
      expect(lines.heads.every((at) => lines.line(at)?.type === 'head')).toBe(true);
    }),
  );
});

test('what stands from line to line is known by its rows, all of a fold and of an opened row among them', () => {
  const lines = linesOf('==== ≠2=====');
  expect(lines.span(0, lines.length - 1)).toEqual([0, 10]);
  // Its head, its fold; then a head, a row and its first field.
  expect(lines.span(0, 1)).toEqual([0, 4]);
  expect(lines.span(1, 4)).toEqual([0, 5]);
});

test('the head of a section stays the line looked at while its comparison is told anew', () => {
  const list = new CompareList(() => looks('≠≠ ≠≠'));
  list.select(3);
  list.keepRow(() => undefined);
  expect(list.at).toBe(3);
});
