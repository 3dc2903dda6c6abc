import { expect, test } from 'vitest';
import { askedFor, cursorFor, restoreLine, SHAPES, type ShapeId } from './restore-shapes.ts';

const parts = (shape: ShapeId, cursor = '') =>
  restoreLine({ shape, id: '7', sessionId: 's1', cwd: '/w', mcpServers: '[]', cursor });

test('each shape makes the line it promises', () => {
  const head =
    '{"jsonrpc":"2.0","id":7,"method":"session/resume","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]';
  expect(parts('omitted')).toBe(`${head}}}`);
  expect(parts('resume')).toBe(parts('omitted'));
  expect(parts('null')).toBe(`${head},"replayFrom":null}}`);
  expect(parts('start')).toBe(`${head},"replayFrom":{"type":"start"}}}`);
  expect(parts('load')).toBe(parts('omitted').replace('session/resume', 'session/load'));
});

test('a cursor typed by hand is sent token by token', () => {
  expect(parts('custom', '{"type":"_x",\n  "at": 9007199254740993}')).toContain(
    '"replayFrom":{"type":"_x", "at": 9007199254740993}}}',
  );
  expect(parts('malformed', '"start"')).toContain('"replayFrom":"start"}}');
});

test('no line of any shape holds a line break', () => {
  for (const { id } of SHAPES) expect(parts(id, '{\n}\r\n')).not.toMatch(/[\r\n]/);
});

test('blank MCP servers are left out', () => {
  const line = restoreLine({
    shape: 'omitted',
    id: '1',
    sessionId: 's',
    cwd: '/',
    mcpServers: ' ',
    cursor: '',
  });
  expect(line).not.toContain('mcpServers');
});

test('a candidate becomes a custom cursor that names it', () => {
  expect(cursorFor({ field: 'messageId', value: 'm1' })).toBe(
    '{"type":"_message","messageId":"m1"}',
  );
  expect(cursorFor({ field: '_meta._scope_seq', value: 31 })).toBe(
    '{"type":"_scope_seq","_scope_seq":31}',
  );
});

test('lines ask for the same where only their ids differ', () => {
  const line = (id: number, cwd: string) => `{"id":${id},"method":"m","params":{"cwd":"${cwd}"}}`;
  expect(askedFor(line(1, '/w'))).toBe(askedFor(line(2, '/w')));
  expect(askedFor(line(1, '/w'))).not.toBe(askedFor(line(1, '/v')));
  expect(askedFor('{')).toBe('{');
});
