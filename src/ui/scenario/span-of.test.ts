import { jsonLanguage } from '@codemirror/lang-json';
import { expect, test } from 'vitest';
import { treeSpan } from './span-of.ts';

const TEXT = '{"steps": [{"wait": 5}, {"exspect": "type:err"}], "a/b": [1, "two"';

test.each([
  ['/steps/1/exspect', '"exspect": "type:err"'],
  ['/steps/0', '{"wait": 5}'],
  ['/steps/0/wait', '"wait": 5'],
  ['/a~1b/1', '"two"'],
  ['', undefined],
  ['/steps/7', undefined],
  ['/nothing/at/all', undefined],
])('%s is %s', (pointer, part) => {
  const span = treeSpan(jsonLanguage.parser.parse(TEXT), TEXT, pointer);
  expect(span && TEXT.slice(span.from, span.to)).toBe(part);
});
