import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cursorField, cursorFieldsIn } from './cursor-fields.ts';

test('a chunk offers the id of its message first, then what stands in _meta', () => {
  const line = JSON.stringify({
    method: 'session/update',
    params: {
      sessionId: 's',
      update: {
        sessionUpdate: 'agent_message_chunk',
        _meta: { seq: 31, deep: { at: 'x' } },
        toolCallId: 't1',
        messageId: 'm1',
        content: { type: 'text', text: 'hi' },
      },
    },
  });
  expect(cursorFieldsIn(line)).toEqual([
    { field: 'messageId', value: 'm1' },
    { field: 'toolCallId', value: 't1' },
    { field: '_meta.seq', value: 31 },
    { field: '_meta.deep.at', value: 'x' },
  ]);
});

test('a prompt answer offers its messageId; sessions, lists and cursors offer nothing', () => {
  expect(cursorFieldsIn('{"id":1,"result":{"messageId":"m"}}')).toEqual([
    { field: 'messageId', value: 'm' },
  ]);
  expect(cursorFieldsIn('{"id":1,"result":{"sessionId":"s","nextCursor":"c"}}')).toEqual([]);
  expect(
    cursorFieldsIn('{"id":1,"method":"x","params":{"replayFrom":{"messageId":"m"},"myId":"x"}}'),
  ).toEqual([]);
});

test('ids are found wherever in a request they stand, as in a permission of v1 and of v2', () => {
  const found = [{ field: 'toolCallId', value: 't1' }];
  const ask = (params: object) =>
    cursorFieldsIn(JSON.stringify({ id: 4, method: 'session/request_permission', params }));
  const toolCall = { toolCallId: 't1', rawInput: { messageId: 'm' } };
  const options = [{ optionId: 'yes', name: 'Yes' }];
  expect(ask({ sessionId: 's', toolCall, options })).toEqual(found);
  expect(ask({ sessionId: 's', subject: { type: 'tool_call', toolCall }, options })).toEqual(found);
});

test('what tools were given, lists of modes and models, and other ids offer nothing', () => {
  expect(cursorField(['params', 'update', 'rawInput', 'messageId'])).toBeUndefined();
  expect(cursorField(['result', 'modes', 'availableModes', 0, 'id'])).toBeUndefined();
  expect(cursorField(['params', 'update', 'currentModeId'])).toBeUndefined();
  expect(cursorField(['params', 'update', 'content', 0, 'terminalId'])).toBe('terminalId');
  expect(cursorField(['params', 'update', 'eventId'])).toBe('eventId');
});

test('any line is read, and one that is no message offers nothing', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
      expect(cursorFieldsIn(line)).toEqual([]);
    }),
  );
});
