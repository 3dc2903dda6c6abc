import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deniesSession } from './denial.ts';

const error = (
  code: number,
  message: string,
  data?: string | { readonly [key: string]: string },
) => (data === undefined ? { code, message } : { code, message, data });

test.each([
  error(-32002, 'Session not found'),
  error(-32602, 'Session not found'),
  error(-32603, 'Internal error', { details: 'Session not found' }),
  error(-32603, 'Internal error', 'no such session'),
  error(-32002, 'Resource not found: sess-1'),
  error(-32002, 'x', { sessionId: 'sess-1' }),
  error(-32602, 'Unknown session: sess-1'),
  error(-32602, 'Invalid session id'),
  error(-32603, 'session "sess-1" does not exist'),
  error(-32603, 'No session found with id sess-1'),
  error(-32603, 'Session sess-1 is not active'),
  error(-32603, 'Could not find session sess-1'),
  error(-32603, 'sess-1 not found'),
  error(-32603, 'thread not found: sess-1'),
  error(-32603, 'No conversation found for sess-1'),
  error(-32603, "Session with id 'sess-1' not found"),
])('denies the session: %j', (one) => {
  expect(deniesSession(one, 'sess-1')).toBe(true);
});

test.each([
  error(-32602, 'Unknown mode "plan" for session sess-1'),
  error(-32603, 'Unknown session mode'),
  error(-32602, 'Invalid session config option'),
  error(-32603, 'Model gpt-9 not found in session sess-1'),
  error(-32002, 'Resource not found: file:///work/a.txt'),
  error(-32002, 'Not found', { path: '/work' }),
  error(-32603, 'Your session has expired. Log in again: session not found'),
  error(-32000, 'Session not found'),
  error(-32601, 'Unknown method session/set_mode'),
  error(-32602, 'Missing session id'),
  error(-32603, 'session/set_mode: not found'),
  error(-32603, 'Session sess-1 is busy'),
  error(-32603, 'The session has no model'),
  error(-32603, 'Tool call sess-1-call-2 not found'),
])('does not deny the session: %j', (one) => {
  expect(deniesSession(one, 'sess-1')).toBe(false);
});

test('words that name no session are no denial, whatever the id', () => {
  const word = fc.constantFrom('model', 'mode', 'not found', 'unknown', 'file', 'tool', ':', '"');
  fc.assert(
    fc.property(fc.array(word), fc.integer(), fc.uuid(), (words, code, id) => {
      expect(deniesSession(error(code, words.join(' ')), id)).toBe(false);
    }),
  );
});
