import { expect, test } from 'vitest';
import type { Millis } from '../../lib/time.ts';
import type { TerminalView, ToolItem, ToolPart } from '../../model/sessions/conversation-view.ts';
import { seq } from '../../trace/event.ts';
import { bodyOf, saysPath } from './tool-body.ts';

const tool = (kind: string, ...parts: ToolPart[]): ToolItem => ({
  key: 't:1',
  first: seq(1),
  last: seq(1),
  frames: 1,
  at: 0 as Millis,
  replay: false,
  late: false,
  type: 'tool',
  toolCallId: '1',
  title: 'x',
  kind,
  status: 'completed',
  parts,
  locations: [],
});
const text = (said: string): ToolPart => ({ type: 'content', part: { type: 'text', text: said } });
const terminal: TerminalView = {
  terminalId: 'term',
  command: 'npm test',
  exit: 'exit 1',
  output: new TextEncoder().encode('failed\n'),
  last: seq(2),
};

test('a diff counts its lines, other output its characters', () => {
  const diff: ToolPart = { type: 'diff', path: '/a', oldText: 'a\nb', newText: 'a\nc\nd' };
  expect(bodyOf(tool('edit', diff), [])).toMatchObject({ added: 2, removed: 1, lines: 4 });
  expect(bodyOf(tool('read', text('hello')), [])).toMatchObject({ figure: '5 chars', lines: 1 });
});

test('output of tools that read or run is shown as it is, prose and fences as Markdown', () => {
  const kind = (of: string, said: string) => bodyOf(tool(of, text(said)), []).parts[0]?.type;
  expect(kind('read', '  indented')).toBe('text');
  expect(kind('read', '```\ncode\n```')).toBe('content');
  expect(kind('think', '**so**')).toBe('content');
});

test('a terminal shows its command, output and exit; one not known yet is empty', () => {
  const part: ToolPart = { type: 'terminal', terminalId: 'term' };
  const body = bodyOf(tool('execute', part), [terminal]);
  expect(body.figure).toBe('exit 1');
  expect(body.parts).toEqual([{ type: 'output', name: 'npm test', text: 'failed\n', cut: false }]);
  expect(bodyOf(tool('execute', part), []).parts).toMatchObject([{ name: 'term', text: '' }]);
});

test('a title that says the path needs no other line for it', () => {
  expect(saysPath('Edit src/cart.ts', '/w/src/cart.ts')).toBe(true);
  expect(saysPath('Write out.txt', '/w/out.txt')).toBe(true);
  expect(saysPath('Edit a file', '/w/out.txt')).toBe(false);
});
