import { expect, test } from 'vitest';
import { indexed } from '../../test/traces/indexed.ts';

const CALL = (status: string) =>
  `agent update s1 tool_call_update {"toolCallId":"t","title":"Read","status":"${status}"}`;
const REPLAY = (status: string) => `
  client →2 session/load s1
  ${CALL(status)}
  agent  ←2 result {}`;
const failedAt = (trace: string, at: number) => indexed(trace).frame(at).failedAt;

test('a replayed tool call names the live failure that it hides', () => {
  expect(failedAt(`${CALL('in_progress')}\n${CALL('failed')}${REPLAY('completed')}`, 4)).toBe(2);
  expect(failedAt(`${CALL('failed')}${REPLAY('failed')}`, 3)).toBeUndefined();
});

test('a tool call that completed live after a failure hides none, and neither does the live frame', () => {
  const again = `${CALL('failed')}\n${CALL('completed')}`;
  expect(failedAt(`${again}${REPLAY('completed')}`, 4)).toBeUndefined();
  expect(failedAt(again, 2)).toBeUndefined();
});
