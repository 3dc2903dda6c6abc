import fc from 'fast-check';
import { expect, test } from 'vitest';
import { visibleWords } from '../lib/visible-text.ts';
import { obeyedIn } from '../test/ci-log.ts';
import type { Block, ReportItem, ReportDocument } from './document.ts';
import { htmlReport } from './html.ts';
import { junitReport, DOCUMENT_FORMATS, rendered } from './render.ts';
import { markdownReport } from './markdown.ts';
import { textReport } from './text.ts';
import { code, detail, lines, section, toned } from './words.ts';

function report(blocks: readonly Block[], more: Partial<ReportDocument> = {}): ReportDocument {
  return { name: 'acp-scope test', title: 'A report', blocks, suites: [], ...more };
}

const ITEMS: readonly ReportItem[] = [
  {
    word: 'error',
    tone: 'bad',
    title: ['agent  ', code('frame/not-json')],
    details: [detail('seen', 'not JSON'), detail('due', 'a message'), 'and 2 more like it'],
  },
  { word: 'hint', tone: 'info', title: 'little', details: [] },
];

test('in text, words stand under words and labels under labels', () => {
  const text = textReport(report([section('a.ndjson', { kind: 'items', items: ITEMS })]));
  expect(text).toBe(`A report

a.ndjson
  error  agent  frame/not-json
         seen  not JSON
         due   a message
         and 2 more like it
  hint   little`);
});

test('a table is aligned, figures to the right, and its last cell may run on', () => {
  const table: Block = {
    kind: 'table',
    heads: [{ name: 'what', most: 6 }, { name: 'count', right: true }, { name: 'why' }],
    rows: [
      { group: 'All' },
      ['some', '1,200', 'x'],
      ['much too long', '3', ''],
      ['none', 'was never asked'],
    ],
  };
  expect(textReport(report([table], { untitled: true }))).toBe(`what    count  why
All
some    1,200  x
much …      3
none    was never asked`);
  expect(markdownReport(report([table]))).toContain(
    '| what | count | why |\n| --- | ---: | --- |\n| **All** |  |  |\n| some | 1,200 | x |',
  );
  expect(htmlReport(report([table]))).toMatch(/colspan="2">\s*was never asked/);
});

test('JUnit counts what failed, could not be tried and went wrong', () => {
  const xml = junitReport(
    report([], {
      suites: [
        {
          name: 'a <suite>',
          cases: [
            { name: 'good', outcome: 'pass' },
            { name: 'bad', outcome: 'fail', type: 'error', message: 'why', body: 'a\nb' },
            { name: 'left', outcome: 'skip', message: 'not asked' },
            { name: 'broken', outcome: 'error', type: 'ended', message: 'gone' },
            { name: 'warned', outcome: 'told', body: 'so' },
          ],
          output: 'traces',
        },
      ],
    }),
  );
  expect(xml).toContain('name="a &lt;suite&gt;" tests="5" failures="1" errors="1" skipped="1"');
  expect(xml).toContain('<failure type="error" message="why">a&#10;b</failure>');
  expect(xml).toContain('<error type="ended" message="gone"/>');
  expect(xml).toContain('<system-out>so</system-out></testcase>');
});

test('in Markdown a name is a code span, whatever it holds, and prose is no markup', () => {
  const words = lines([code('a`b|c'), ' says *so* <b> [x](y) __init__ in session_update']);
  expect(markdownReport(report([words]))).toContain(
    '``a`b|c`` says \\*so\\* \\<b\\> \\[x\\](y) \\_\\_init\\_\\_ in session_update',
  );
});

test('a link leads to addresses and to items of the page alone', () => {
  const words = lines([
    { text: 'one', link: 'javascript:alert(1)' },
    { text: 'two', link: 'https://example.org/x' },
    { text: 'three', link: '#load stop=kill' },
  ]);
  const item: ReportItem = {
    word: 'fail',
    tone: 'bad',
    title: 'x',
    details: [],
    anchor: 'load stop=kill',
  };
  const page = htmlReport(report([words, { kind: 'items', items: [item] }]));
  expect(page).not.toContain('javascript:');
  expect(page).toContain('href="https://example.org/x"');
  const [, anchor] = /href="#([^"]+)"/.exec(page) ?? [];
  expect(page).toContain(`id="${anchor}"`);
});

const anyText = fc.string({ unit: 'binary', maxLength: 40 });
const evil = fc.oneof(
  anyText,
  fc.constantFrom(
    '\u001b[31m',
    '\u009b2J',
    '\u202e',
    '<script>',
    ']]>',
    '|',
    '\n# x',
    '`',
    '\u3164',
  ),
  fc.constantFrom(
    '#',
    '##',
    '[error]x',
    'vso[a.b]c',
    '::error ::x',
    ':',
    '--- x',
    'travis_fold:start:a',
  ),
);

test('S-10, S-11, S-19: no format holds a sign that a terminal or a CI obeys or that hides, whoever wrote it', () => {
  fc.assert(
    fc.property(evil, evil, (a, b) => {
      const told = report(
        [
          lines(a, [toned('bad', b), code(a)]),
          section(a, {
            kind: 'items',
            items: [{ word: a, tone: 'bad', title: b, details: [detail(b, a)] }],
          }),
          {
            kind: 'table',
            heads: [{ name: 'x' }, { name: 'y' }],
            rows: [[a, [code(b)]], { group: b }],
          },
          { kind: 'strip', columns: [a], rows: [{ name: a, cells: b }], legend: 'x' },
          { kind: 'frames', title: a, frames: [{ seq: 1, from: 'agent', text: b }] },
        ],
        {
          title: a,
          suites: [
            { name: a, cases: [{ name: b, outcome: 'fail', type: a, message: b, body: a }] },
          ],
        },
      );
      for (const format of DOCUMENT_FORMATS) {
        const text = rendered(told, format);
        expect([format, visibleWords(text) === text, obeyedIn(text)]).toEqual([format, true, []]);
      }
      expect(htmlReport(told)).not.toContain('<script');
    }),
  );
});

test('I-08: no cell of a Markdown table ends its cell or its row', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(evil, evil)), (rows) => {
      const table: Block = {
        kind: 'table',
        heads: [{ name: 'a' }, { name: 'b' }],
        rows: rows.map(([a, b]) => [a, [code(b)]]),
      };
      const [, ...shown] = markdownReport(report([table]))
        .trimEnd()
        .split('\n\n')
        .join('\n')
        .split('\n');
      expect(shown).toHaveLength(rows.length + 2);
      for (const line of shown)
        expect(line.replaceAll(/\\[\\|]/g, '').match(/\|/g)).toHaveLength(3);
    }),
  );
});

test('no words of a peer become a line of their own', () => {
  fc.assert(
    fc.property(fc.string(), (words) => {
      const text = textReport(report([lines(`x ${words}\nNo rule failed.`)], { untitled: true }));
      expect(text.split('\n')).toHaveLength(1);
    }),
  );
});
