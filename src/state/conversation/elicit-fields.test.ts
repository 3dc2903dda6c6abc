import { expect, test } from 'vitest';
import { elicitContent, elicitFields } from './elicit-fields.ts';

const fields = elicitFields({
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', title: 'Name' },
    count: { type: 'integer', default: 3 },
    sure: { type: 'boolean' },
    level: { type: 'string', oneOf: [{ const: 'a', title: 'Much' }] },
    more: { type: 'array' },
  },
});

test('each property is a field of its type, with its label, default and choices', () => {
  expect(fields.map(({ key, type, label, initial }) => [key, type, label, initial])).toEqual([
    ['name', 'text', 'Name', ''],
    ['count', 'number', 'count', '3'],
    ['sure', 'boolean', 'sure', ''],
    ['level', 'choice', 'level', ''],
    ['more', 'json', 'more', ''],
  ]);
  expect(fields[3]?.choices).toEqual([{ value: 'a', label: 'Much' }]);
});

test('what was filled in becomes typed content; empty optional fields are left out', () => {
  expect(elicitContent(fields, { name: 'x', sure: 'true', more: '[1]' })).toEqual({
    ok: true,
    content: { name: 'x', count: 3, sure: true, more: [1] },
  });
});

test.each([
  [{}, 'Name is required. Fill it in, or decline.'],
  [{ name: 'x', count: 'many' }, 'count is not a number: many'],
  [{ name: 'x', more: '[' }, 'more is not JSON: ['],
])('what is missing or wrong is named: %j', (texts, message) => {
  expect(elicitContent(fields, texts)).toEqual({ ok: false, message });
});
