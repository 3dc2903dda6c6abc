import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../acp/message.ts';
import { answerLine, textAt, withKey, withoutKey, withValue } from './line-edit.ts';

test('a value is replaced and nothing else moves', () => {
  const line = ' {"a" : 1.0 ,"b":{"c":[ 1 ],"c":"é"}}';
  expect(withValue(line, ['b', 'c'], '2')).toBe(' {"a" : 1.0 ,"b":{"c":[ 1 ],"c":2}}');
  expect(withValue(line, ['b', 'x'], '2')).toBe(line);
  expect(textAt(line, ['a'])).toBe('1.0');
});

test('a key is put first into what is there, also into nothing', () => {
  expect(withKey('{"a":{ }}', ['a'], 'k', 'true')).toBe('{"a":{"k":true }}');
  expect(withKey('{"a":{"x":1}}', ['a'], 'k', 'true')).toBe('{"a":{"k":true,"x":1}}');
  expect(withKey('{"a":5}', ['a'], 'k', 'true')).toBe('{"a":5}');
});

test('whatever stands around it, an edit says what it should', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (object, value) => {
      const before = { ...object } as JsonObject;
      const line = JSON.stringify({ params: before });
      const set = withKey(line, ['params'], 'k', JSON.stringify(value));
      const read = (text: string) => (JSON.parse(text) as { params: JsonObject }).params;
      // As JSON.parse reads it: an own key, whatever its name.
      const parsed = read(line);
      expect(read(set)).toEqual({ ...parsed, k: JSON.parse(JSON.stringify(value)) as Json });
      const { k: _, ...rest } = parsed;
      expect(read(withoutKey(set, ['params'], 'k'))).toEqual(rest);
    }),
  );
});

test('an answer keeps its result or error to the letter', () => {
  expect(answerLine('"7"', '{"result":{"n":1.0},"id":3,"jsonrpc":"2.0"}')).toBe(
    '{"jsonrpc":"2.0","id":"7","result":{"n":1.0}}',
  );
  expect(answerLine('1e3', '{"id":3,"error":{"code":-1 }}')).toBe(
    '{"jsonrpc":"2.0","id":1e3,"error":{"code":-1 }}',
  );
});
