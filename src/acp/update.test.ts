import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseMessage } from './message.ts';
import { chunkText, isChunk, sessionOf, updateOf } from './update.ts';

test('an update is read with its session and variant', () => {
  const update = { sessionUpdate: 'plan', entries: [] };
  expect(updateOf({ sessionId: 's', update })).toEqual({ sessionId: 's', variant: 'plan', update });
  expect(updateOf({ update })).toStrictEqual({ variant: 'plan', update });
});
test.each([undefined, null, 1, [], {}, { update: [] }, { update: { sessionUpdate: 1 } }])(
  'no update in %j',
  (params) => expect(updateOf(params)).toBeUndefined(),
);
test('chunks append, everything else sets', () => {
  expect(isChunk('agent_message_chunk')).toBe(true);
  expect(isChunk('plan_update')).toBe(false);
  expect(isChunk('constructor')).toBe(false);
});
test('the text of a chunk', () => {
  expect(chunkText({ content: { type: 'text', text: 'hi' } })).toBe('hi');
  expect(chunkText({ content: { type: 'image' } })).toBeUndefined();
});
test.each([
  ['{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"a"}}', 'a'],
  ['{"jsonrpc":"2.0","id":1,"result":{"sessionId":"b"}}', 'b'],
  ['{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"","data":{"sessionId":"c"}}}', 'c'],
  ['{"id":1,"params":{"sessionId":"d"}}', 'd'],
  ['{"jsonrpc":"2.0","id":1,"result":null}', undefined],
  ['{"jsonrpc":"2.0","id":1,"method":"x","params":{"sessionId":5}}', undefined],
  ['nonsense', undefined],
])('the session of %s', (line, expected) => {
  expect(sessionOf(parseMessage(line))).toBe(expected);
});
test('any JSON is read without an exception', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (tag, value) => {
      expect(updateOf({ update: value } as never)).toBeUndefined();
      const update = updateOf({ update: { sessionUpdate: tag, value } } as never);
      expect(update?.variant).toBe(typeof tag === 'string' ? tag : undefined);
    }),
  );
});
