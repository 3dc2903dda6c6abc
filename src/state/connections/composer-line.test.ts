import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asKind, editable, kindOf, missingIn, outgoing, withId } from './composer-line.ts';

test('JSON formatted for editing goes out as one compact line', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const line = JSON.stringify(value);
      const out = outgoing('request', editable(line));
      expect(out).toMatchObject({ ok: true, line, bytes: new TextEncoder().encode(line).length });
    }),
  );
});

test('a raw line goes out exactly as typed, also if it is not JSON', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      fc.pre(!text.includes('\n'));
      expect(outgoing('raw', text)).toMatchObject({ ok: true, line: text });
    }),
  );
});

test('JSON that does not parse names the place and offers the raw line', () => {
  const out = outgoing('request', '{"jsonrpc":"2.0","id"');
  expect(out).toEqual({
    ok: false,
    problem: 'JSON does not parse: expected a colon, the text ends at line 1 column 22.',
    rawLine: '{"jsonrpc":"2.0","id"',
  });
  expect(outgoing('request', '{\n  "a": x\n}')).toMatchObject({
    problem: 'JSON does not parse: expected a value, found x at line 2 column 8.',
  });
});

test('a raw line with a line break is not sent in two', () => {
  expect(outgoing('raw', '{}\n{}')).toMatchObject({ ok: false });
});

test('R-11: big ids and odd numbers survive formatting, kinds and sending', () => {
  const line = '{"jsonrpc":"2.0","id":9007199254740993,"method":"x","params":{"a":1.0,"a":-0}}';
  expect(outgoing('request', editable(line))).toMatchObject({ line });
  const note = outgoing('notification', asKind('notification', line, '1'));
  expect(note).toMatchObject({ line: '{"jsonrpc":"2.0","method":"x","params":{"a":1.0,"a":-0}}' });
});

test('a request becomes a notification and a request again, with the next id', () => {
  const request = '{"jsonrpc":"2.0","id":4,"method":"session/cancel","params":{"sessionId":"s"}}';
  const note = asKind('notification', request, '5');
  expect(kindOf(note)).toBe('notification');
  expect(JSON.parse(asKind('request', note, '5'))).toEqual({ ...JSON.parse(request), id: 5 });
});

test('a response takes the exact id of the open request', () => {
  expect(JSON.parse(asKind('response', '', '"0"'))).toEqual({
    jsonrpc: '2.0',
    id: '0',
    result: {},
  });
  expect(JSON.parse(asKind('response', '{"method":"x","id":1}', '7'))).toMatchObject({
    id: 7,
    result: {},
  });
});

test('kinds are told by method and id', () => {
  expect(
    ['{"id":1,"method":"a"}', '{"method":"a"}', '{"id":1,"result":1}', '{}', '[]', 'x'].map(kindOf),
  ).toEqual(['request', 'notification', 'response', 'raw', 'raw', 'raw']);
});

test('what a message of a kind lacks beside its words is told', () => {
  const words = '{"method":"session/list"}';
  expect(missingIn('request', words)).toEqual(['jsonrpc', 'id']);
  expect(missingIn('notification', words)).toEqual(['jsonrpc']);
  expect(missingIn('response', '{"jsonrpc":"2.0","result":{}}')).toEqual(['id']);
  expect(missingIn('request', '{"jsonrpc":"2.0","id":null,"method":"a"}')).toEqual([]);
  for (const text of ['', '{"a":', '[]']) expect(missingIn('request', text)).toEqual([]);
  expect(missingIn('raw', words)).toEqual([]);
});

test('only the id at the root changes', () => {
  expect(withId('{"a":{"id":1},"id": 1}', '2')).toBe('{"a":{"id":1},"id": 2}');
  expect(withId('[1]', '2')).toBe('[1]');
});
