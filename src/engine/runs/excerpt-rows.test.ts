// Frames of a kept report read like rows of the trace.
import { expect, test } from 'vitest';
import { seq } from '../../trace/event.ts';
import { excerptViews } from './excerpt-rows.ts';

test('an answer bears the name of its request, an update that of its variant, a cut line stays a line', () => {
  const update = {
    ...{ jsonrpc: '2.0', method: 'session/update' },
    params: {
      sessionId: 's',
      update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Hello' } },
    },
  };
  const lines = [
    ['client', '{"jsonrpc":"2.0","id":1,"method":"session/load","params":{"sessionId":"s"}}'],
    ['agent', JSON.stringify(update)],
    ['agent', '{"jsonrpc":"2.0","id":1,"result":{}}'],
    ['agent', '{"jsonrpc":"2.0","id":9,"error":{"code":-32602,"message":"no"}}'],
    ['agent', '{"jsonrpc":"2.0","method":"session/upd…'],
    [
      'agent',
      '{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"plan","e…',
    ],
  ] as const;
  const frames = lines.map(([from, text], i) => ({ seq: seq(i + 1), from, text }));
  const [view] = excerptViews([{ trace: 'after', title: 't', frames, left: undefined }], 1);
  expect(view?.frames.map(({ name }) => name)).toEqual([
    ...['session/load', 'agent_message_chunk', 'session/load', 'error', 'line', 'plan'],
  ]);
  expect(view?.frames[3]?.words).toBe('{"code":-32602,"message":"no"}');
  expect(view?.frames[1]?.words).toBe('“Hello”');
  expect(view?.frames[4]?.words).toBe(lines[4][1]);
});
