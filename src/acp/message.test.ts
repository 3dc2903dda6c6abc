import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { idKey, membersOf, eachMessage, parseMessage } from './message.ts';

const parsed = (text: string) => parseMessage(text) as unknown as Record<string, unknown>;
const token = (id: string) => parsed(`{"jsonrpc":"2.0","id":${id},"result":1}`)['id'];
const why = (text: string) => parsed(text)['why'];

describe('the four kinds', () => {
  test('a request', () => {
    expect(parseMessage('{"jsonrpc":"2.0","id":0,"method":"a","params":{"x":[1]}}')).toEqual({
      kind: 'request',
      id: { type: 'number', token: '0' },
      method: 'a',
      params: { x: [1] },
    });
  });
  test('a notification, with no params key where none was sent', () => {
    expect(parseMessage('{"jsonrpc":"2.0","method":"a"}')).toStrictEqual({
      kind: 'notification',
      method: 'a',
    });
  });
  test('an answer with a null result is a success', () => {
    expect(parseMessage('{"jsonrpc":"2.0","id":"a","result":null}')).toEqual({
      kind: 'success',
      id: { type: 'string', token: '"a"' },
      result: null,
    });
  });
  test('an error, with a null id where the request could not be read', () => {
    const line = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no","data":[]}}';
    expect(parseMessage(line)).toEqual({
      kind: 'failure',
      id: { type: 'null', token: 'null' },
      error: { code: -32700, message: 'no', data: [] },
    });
  });
  test('a byte order mark before and a CR after are no fault (R-02, R-04)', () => {
    expect(parsed('\ufeff{"jsonrpc":"2.0","method":"a"}\r')['kind']).toBe('notification');
  });
});

describe('R-11 R-12: ids keep their exact token', () => {
  test.each([
    '1',
    '"1"',
    '1.0',
    '1e400',
    '-0',
    '9007199254740993',
    '9007199254740992',
    '"a b"',
    String.raw`"\"id\":7"`,
    String.raw`"\u00e9"`,
    String.raw`"\ud800"`,
    '""',
  ])('%s', (id) => expect(token(id)).toHaveProperty('token', id));

  test.each([
    ['the last of several', '{"jsonrpc":"2.0","id":1,"id":1.0,"method":"a"}', '1.0'],
    ['an escaped key', String.raw`{"jsonrpc":"2.0","\u0069d":2.50,"method":"a"}`, '2.50'],
    [
      'an escaped key after a plain one',
      String.raw`{"id":1,"jsonrpc":"2.0","i\u0064":2,"method":"a"}`,
      '2',
    ],
    [
      'not one inside the params',
      '{"jsonrpc":"2.0","method":"a","params":{"id":9,"x":[{"id":8}]},"id":7}',
      '7',
    ],
    [
      'not one inside a string',
      String.raw`{"jsonrpc":"2.0","method":"\"id\":3,","params":{"id":[]},"id":7}`,
      '7',
    ],
    ['with space all around', '{ "jsonrpc" : "2.0" ,\t"id" :\r "x" , "method" : "id" }', '"x"'],
    [
      'after a value that ends in backslashes',
      String.raw`{"jsonrpc":"2.0","method":"a\\\\","x":"id","id":4}`,
      '4',
    ],
  ])('the root id: %s', (_, line, expected) => {
    expect(parsed(line)['id']).toHaveProperty('token', expected);
  });

  test('keys tell number, string, fraction and big number apart', () => {
    const ids = ['1', '"1"', '1.0', '9007199254740992', '9007199254740993', 'null', '"null"'];
    const keys = ids.map((id) => idKey({ type: 'number', ...(token(id) as object) } as never));
    expect(new Set(keys).size).toBe(ids.length);
  });
  test('a string id answered with other escapes is the same id', () => {
    const key = (id: string) => idKey(token(id) as never);
    expect(key(String.raw`"\u00e9\/"`)).toBe(key('"é/"'));
    expect(key(String.raw`"\ud800"`)).not.toBe(key(String.raw`"\ud801"`));
  });
  test('any id at any place comes back as it was written', () => {
    const id = fc.oneof(
      fc.string().map((text) => JSON.stringify(text)),
      fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
      fc.bigInt().map(String),
      fc.tuple(fc.integer(), fc.nat()).map(([whole, part]) => `${whole}.${part}e-1`),
    );
    const rest = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 });
    fc.assert(
      fc.property(id, rest, rest, fc.boolean(), (id, before, after, deep) => {
        const inner = (part: object) =>
          Object.entries(deep ? { ...part, params: { id: [part] } } : part)
            .filter(([key]) => !['id', 'jsonrpc', 'method', 'result', 'error'].includes(key))
            .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)},`)
            .join('');
        const line = `{${inner(before)}"id":${id},${inner(after)}"jsonrpc":"2.0","method":"id"}`;
        expect(parsed(line)['id']).toHaveProperty('token', id);
      }),
    );
  });
});

describe('R-13: JSON that is no message says why', () => {
  test.each([
    ['42', 'a number, not an object'],
    ['"x"', 'a string, not an object'],
    ['null', 'null, not an object'],
    ['{}', 'no "jsonrpc":"2.0"'],
    ['{"jsonrpc":"1.0","method":"a"}', '"jsonrpc" is "1.0", not "2.0"'],
    ['{"jsonrpc":2,"method":"a"}', '"jsonrpc" is a number, not "2.0"'],
    ['{"jsonrpc":"2.0"}', 'no "method", "result" or "error"'],
    ['{"jsonrpc":"2.0","id":1}', 'no "method", "result" or "error"'],
    ['{"jsonrpc":"2.0","method":7}', '"method" is a number, not a string'],
    [
      '{"jsonrpc":"2.0","id":[1],"method":"a"}',
      'the id is an array; it must be a string or a number',
    ],
    ['{"jsonrpc":"2.0","id":1,"method":"a","result":1}', 'both "method" and "result"'],
    ['{"jsonrpc":"2.0","id":1,"result":1,"error":{}}', 'both "result" and "error"'],
    ['{"jsonrpc":"2.0","result":1}', 'a result without an id'],
    ['{"jsonrpc":"2.0","error":{"code":1,"message":""}}', 'an error without an id'],
    ['{"jsonrpc":"2.0","id":1,"error":"no"}', '"error" is a string, not an object'],
    ['{"jsonrpc":"2.0","id":1,"error":{}}', "the error's code is missing, not an integer"],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":1.5}}', "the error's code is 1.5, not an integer"],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":1}}', "the error's message is missing, not a string"],
  ])('%s', (line, expected) => {
    expect(parsed(line)).toMatchObject({
      kind: 'invalid',
      reason: 'not-a-message',
      why: expected,
      value: JSON.parse(line) as unknown,
    });
  });

  test.each(['[]', '[1]', '[{"jsonrpc":"2.0","method":"a"},{}]'])('R-10: a batch %s', (line) => {
    expect(parsed(line)).toMatchObject({ reason: 'batch', value: JSON.parse(line) as unknown });
  });
  test.each(['', '\r', ' \t', '\ufeff'])('a blank line %j', (line) => {
    expect(parsed(line)).toEqual({ kind: 'invalid', reason: 'blank', why: 'a blank line' });
  });
});

describe('what is not JSON says what it is and where it breaks', () => {
  test.each([
    ['nope', 'not JSON: expected a value, found n at 0'],
    ['{"partial":', 'not JSON: expected a value, the text ends at 11'],
    [
      'INFO ok{"jsonrpc":"2.0"}',
      'not JSON: expected a value, found I at 0; a message seems to begin at 7',
    ],
    ['Content-Length: 20', /Language Server Protocol/],
    ['{\0"\0', /UTF-16/],
    ['\u001b[31m', 'not JSON: expected a value, found U+001B at 0'],
  ])('R-05 R-06 R-09 R-15: %j', (line, expected) => expect(why(line)).toMatch(expected));
});

describe('hostile input', () => {
  test('any text at all gives a value', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc.stringMatching(/^[{}[\]",:0-9a-z\\.\s-]*$/),
    );
    fc.assert(
      fc.property(text, (line) => {
        expect(parsed(line)['kind']).toBeTypeOf('string');
      }),
    );
  });
  test('any object with the keys of a message gives a value', () => {
    const part = fc.option(fc.jsonValue(), { nil: undefined });
    const message = fc.record({
      jsonrpc: fc.constantFrom('2.0', 2, undefined),
      id: part,
      method: fc.oneof(fc.string(), part),
      params: part,
      result: part,
      error: fc.oneof(part, fc.record({ code: part, message: part })),
    });
    fc.assert(
      fc.property(message, (value) => {
        const found = parsed(JSON.stringify(value));
        if (found['kind'] === 'invalid') expect(found['why']).toMatch(/./);
      }),
    );
  });
  test('R-14: 200,000 levels and a million keys are read without an exception', () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    const keys = `{"jsonrpc":"2.0",${'"id":1,'.repeat(1_000_000)}"id":2,"method":"a"}`;
    expect(parsed(`{"jsonrpc":"2.0","method":"id","params":${deep},"id":3}`)['kind']).toBe(
      'request',
    );
    expect(parsed('['.repeat(200_000))['why']).toContain('the text ends');
    expect(parsed(keys)['id']).toEqual({ type: 'number', token: '2' });
  });
  test('S-06: keys of Object.prototype stay data', () => {
    parseMessage(
      '{"jsonrpc":"2.0","method":"a","__proto__":{"polluted":1},"params":{"__proto__":{}}}',
    );
    expect('polluted' in {}).toBe(false);
    expect(why('{"__proto__":{"jsonrpc":"2.0","method":"a"}}')).toBe('no "jsonrpc":"2.0"');
  });
});

describe('an array of messages', () => {
  const texts = (line: string) => [...membersOf(line)].map(({ text }) => text);

  test('R-11: gives each element by its exact text, as a message of its own', () => {
    const [ask, answer] = [
      '{"jsonrpc":"2.0","id":1.0,"method":"a","params":{"b":["]",{}]}}',
      '{"jsonrpc":"2.0","id":9007199254740993,"result":[1,[2]]}',
    ];
    const line = `\ufeff [ ${ask} ,\t${answer},[${ask}],"x",null ] \r`;
    expect(parsed(line)['reason']).toBe('batch');
    expect(texts(line)).toEqual([ask, answer, `[${ask}]`, '"x"', 'null']);
    const messages = [...eachMessage(parseMessage(line), () => line)];
    expect(messages).toEqual([parseMessage(ask), parseMessage(answer)]);
    expect(texts('[]')).toEqual([]);
  });

  test('I-06: any array is read, and its elements are those that JSON.parse finds', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom('', ' ', '\t'), (values, space) => {
        const line = `${space}${JSON.stringify(values, undefined, space)}`;
        if (parsed(line)['reason'] === 'batch')
          expect(texts(line).map((text) => JSON.parse(text) as unknown)).toEqual(
            JSON.parse(line) as unknown,
          );
      }),
    );
  });

  test('I-06: nesting without end is not opened', () => {
    const line = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    expect([...eachMessage(parseMessage(line), () => line)].length).toBeLessThanOrEqual(1);
  });
});
