import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hiddenIn } from '../../model/redact/hidden.ts';
import {
  isMore,
  pathText,
  preview,
  rowsToOpen,
  treeRows,
  valueText,
  type TreeState,
} from './tree-rows.ts';

const untouched: TreeState = { toggled: new Map(), pages: new Map() };
const ROOM = { lines: 8, columns: 60 };
const filled = (text: string, lines = ROOM.lines): TreeState => ({
  ...untouched,
  opened: rowsToOpen(text, { ...ROOM, lines }),
});
const draw = (text: string, state = filled(text)) =>
  treeRows(text, state).map((row) =>
    isMore(row)
      ? `${'  '.repeat(row.depth)}… ${row.more} more`
      : `${'  '.repeat(row.depth)}${row.key ?? row.index}: ${row.open && row.size ? 'open' : preview(text, row)}`,
  );

const UPDATE =
  '{"method":"session/update","params":{"sessionId":"s","update":{"kind":"read","content":[{"type":"text"}]}}}';

test('rows open level by level while they fit, and deeper ones say how much they contain', () => {
  expect(draw(UPDATE, filled(UPDATE, 6))).toEqual([
    'method: "session/update"',
    'params: open',
    '  sessionId: "s"',
    '  update: open',
    '    kind: "read"',
    '    content: [1]',
  ]);
});

test('I-12 a secret is hidden on its row, by where it stands or how it looks, and is opened like a long text', () => {
  const token = ['ghp', 'aB3x'.repeat(9)].join('_');
  const env = [{ name: 'A', value: 'v1-value-22' }];
  const text = JSON.stringify({ env, said: `use ${token} for it`, name: 'A' });
  const toggled = new Map([['$/env/0', true]]);
  const hidden = hiddenIn(text);
  const state = { ...untouched, toggled, hidden, opened: rowsToOpen(text, ROOM, { hidden }) };
  expect(draw(text, state)).toEqual([
    'env: open',
    '  0: open',
    '    name: "A"',
    '    value: "••••••"',
    'said: "use •••••• for it"',
    'name: "A"',
  ]);
  const openable = treeRows(text, state).flatMap((row) =>
    !isMore(row) && row.size === 0 && row.openable ? [row.key] : [],
  );
  expect(openable).toEqual(['value', 'said']);
});

test('what a person opened or closed stays so', () => {
  const toggled = new Map([
    ['$/params/update', false],
    ['$/params/update/content', true],
  ]);
  expect(draw(UPDATE, { ...filled(UPDATE), toggled })).toEqual([
    'method: "session/update"',
    'params: open',
    '  sessionId: "s"',
    '  update: {2}',
  ]);
});

test('a long text opens after all containers, and a text with a secret stays closed', () => {
  const long = 'word '.repeat(20);
  const text = JSON.stringify({ said: long, update: { kind: 'read' } });
  expect([...rowsToOpen(text, { lines: 8, columns: 60 })]).toEqual(['$/update', '$/said']);
  expect([...rowsToOpen(text, { lines: 4, columns: 60 })]).toEqual(['$/update']);
  const hidden = hiddenIn(`{"authorization":"Bearer ${'aB3x'.repeat(20)}"}`);
  expect(hidden).not.toEqual([]);
  const secret = `{"authorization":"Bearer ${'aB3x'.repeat(20)}"}`;
  expect([...rowsToOpen(secret, { lines: 40, columns: 60 }, { hidden })]).toEqual([]);
});

test('opened rows fit the room, lie in opened rows, and leave no container that would fit', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 1, max: 60 }), (value, lines) => {
      const text = JSON.stringify(value);
      const opened = rowsToOpen(text, { lines, columns: 60 });
      const rows = treeRows(text, { ...untouched, opened });
      const first = treeRows(text, untouched);
      expect(rows.length).toBeLessThanOrEqual(Math.max(lines, first.length));
      for (const id of opened) {
        const row = rows.find((one) => one.id === id);
        expect(row?.parent === '$' || opened.has(row?.parent ?? '')).toBe(true);
      }
      const strings = rows.filter((row) => opened.has(row.id) && !isMore(row) && row.size === 0);
      const closed = rows.filter((row) => !isMore(row) && row.size > 0 && !row.open);
      for (const row of closed)
        if (!isMore(row) && row.openable && strings.length === 0)
          expect(rows.length + Math.min(row.size, 101)).toBeGreaterThan(lines);
    }),
  );
});

test('a long container shows a hundred children, then a hundred more', () => {
  const text = JSON.stringify(Array.from({ length: 250 }, (_, i) => i));
  expect(draw(text)).toHaveLength(101);
  expect(draw(text).at(-1)).toBe('… 150 more');
  expect(draw(text, { ...untouched, pages: new Map([['$', 3]]) })).toHaveLength(250);
});

test('S-14: nesting past the deepest level stays closed, and nothing overflows', () => {
  const text = '['.repeat(100_000) + ']'.repeat(100_000);
  const toggled = new Map<string, boolean>();
  for (let i = 0, id = '$'; i < 600; i++) toggled.set((id += '/0'), true);
  const rows = treeRows(text, { ...untouched, toggled });
  expect(rows).toHaveLength(513);
  expect(rows.at(-1)).toMatchObject({ depth: 512, openable: false });
});

test('R-11: numbers stand as their literal token, repeated keys are two rows', () => {
  expect(draw('{"id":9007199254740993,"a":1.0,"a":1e400}')).toEqual([
    'id: 9007199254740993',
    'a: 1.0',
    'a: 1e400',
  ]);
  const ids = treeRows('{"a":1,"a":2}', untouched).map(({ id }) => id);
  expect(new Set(ids).size).toBe(2);
});

test('S-06: keys named after object members are keys like any other', () => {
  expect(draw('{"__proto__":{"x":1},"constructor":2}')).toEqual([
    '__proto__: open',
    '  x: 1',
    'constructor: 2',
  ]);
});

test('every value on screen is the value at its path', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      for (const row of treeRows(text, filled(text, 40))) {
        if (isMore(row)) continue;
        const at = row.path.reduce<unknown>((v, step) => (v as never)[step], JSON.parse(text));
        expect(JSON.parse(text.slice(row.start, row.end))).toEqual(at);
        if (typeof at === 'string')
          expect(valueText(text.slice(row.start, row.end), row.kind)).toBe(at);
      }
    }),
  );
});

test('a path reads like the query language', () => {
  expect(pathText(['params', 'update', 'content', 0, 'a b'])).toBe(
    'params.update.content[0]["a b"]',
  );
});

test('ids of rows are unique, whatever the keys are', () => {
  const key = fc.constantFrom('a', 'b', 'a/b', 'a~1', 'a~1b', 'a/', '~', '/', '0', '__proto__');
  const { value } = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constant('1'),
      fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((fields) => {
        return `{${fields.map(([name, inner]) => `${JSON.stringify(name)}:${inner}`).join(',')}}`;
      }),
    ),
  }));
  fc.assert(
    fc.property(value, (text) => {
      const ids = treeRows(text, filled(text, 40)).map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }),
  );
});
