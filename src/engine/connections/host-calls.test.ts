import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../acp/message.ts';
import { hostCall } from './host-calls.ts';

test('what the agent asks becomes a call of the relay', () => {
  expect(
    hostCall('fs/read_text_file', { sessionId: 's', path: '/a', line: 2, limit: null }),
  ).toEqual({ call: { op: 'fs/read_text_file', path: '/a', line: 2 } });
  expect(
    hostCall('terminal/create', {
      sessionId: 's',
      command: 'ls',
      args: ['-l'],
      env: [{ name: 'A', value: 'b' }],
      cwd: '/w',
      outputByteLimit: 10,
    }),
  ).toEqual({
    call: {
      op: 'terminal/create',
      command: 'ls',
      args: ['-l'],
      env: { A: 'b' },
      cwd: '/w',
      outputByteLimit: 10,
    },
  });
  expect(hostCall('terminal/kill', { terminalId: 't' })).toEqual({
    call: { op: 'terminal/kill', terminalId: 't' },
  });
});

test.each<[string, Json, string]>([
  ['fs/read_text_file', {}, 'path'],
  ['fs/write_text_file', { path: '/a' }, 'content'],
  ['terminal/create', { command: 'a', args: [1] }, 'args'],
  ['terminal/create', { command: 'a', env: [{ name: 'A' }] }, 'env'],
  ['terminal/create', { command: 'a', cwd: 5 }, 'cwd'],
  ['terminal/output', { terminalId: 7 }, 'terminalId'],
])('%s with %j is invalid params, and names %s', (method, params, field) => {
  expect(hostCall(method, params)).toEqual({
    code: -32602,
    message: `Invalid params: ${field} is missing or wrong`,
  });
});

test('any params of any method give a call or an error, never an exception', () => {
  const method = fc.constantFrom(
    'fs/read_text_file',
    'fs/write_text_file',
    'terminal/create',
    'terminal/release',
    'other',
  );
  fc.assert(
    fc.property(method, fc.jsonValue(), (name, params) => {
      const asked = hostCall(name, params as Json);
      expect('call' in asked ? asked.call.op : asked.code).toBeTruthy();
    }),
  );
});
