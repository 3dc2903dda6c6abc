import { expect, test } from 'vitest';
import { draw, drawRecorder } from './draw.ts';

const texts = (picture: string) =>
  draw(picture).map((event) =>
    event.type === 'frame' && 'text' in event.line ? event.line.text : '',
  );

test('a drawing becomes events with seq from 1 and a millisecond between them', () => {
  const events = draw(`
    start agent --acp
    client  →0 initialize {"protocolVersion":1}
    // the agent thinks
    +250ms
    agent   ←0 result {"protocolVersion":1}
    stderr  some words
    exit SIGKILL
  `);
  expect(events.map(({ seq, at, type }) => [seq, at, type])).toEqual([
    [1, 0, 'start'],
    [2, 1, 'frame'],
    [3, 251, 'frame'],
    [4, 252, 'stderr'],
    [5, 253, 'exit'],
  ]);
  expect(events[0]).toMatchObject({ argv: ['agent', '--acp'] });
  expect(events[3]).toMatchObject({ line: { text: 'some words' } });
  expect(events[4]).toMatchObject({ signal: 'SIGKILL' });
});

test('ids and JSON stand in the line exactly as drawn', () => {
  expect(texts('client →1.0 session/load {"a": 1.50}')).toEqual([
    '{"jsonrpc":"2.0","id":1.0,"method":"session/load","params":{"a": 1.50}}',
  ]);
  expect(texts('agent ←"x" error -32602 Invalid params {"a":1}')).toEqual([
    '{"jsonrpc":"2.0","id":"x","error":{"code":-32602,"message":"Invalid params","data":{"a":1}}}',
  ]);
});

test('prompts, chunks and repeats have a short form', () => {
  expect(texts('client →2 session/prompt s1 "Hi"')).toEqual([
    '{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s1","prompt":[{"type":"text","text":"Hi"}]}}',
  ]);
  const chunks = texts('agent update s1 agent_message_chunk m1 "a" "b" ×2').map(
    (text) => JSON.parse(text).params,
  );
  expect(chunks.map(({ update }) => update.content.text)).toEqual(['a', 'b', 'a', 'b']);
  expect(chunks[0]).toEqual({
    sessionId: 's1',
    update: {
      sessionUpdate: 'agent_message_chunk',
      messageId: 'm1',
      content: { type: 'text', text: 'a' },
    },
  });
  expect(texts('client session/cancel s1')).toEqual([
    '{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s1"}}',
  ]);
});

test('broken lines, foreign bytes, gaps and marks can be drawn', () => {
  const events = draw(`
    client(composer) raw {not  json ×2
    agent bytes ff fe
    agent cut {"jsonrpc"
    gap 3 the disk was full
    mark 2 look here
    exit problem Not found.
  `);
  expect(events).toMatchObject([
    { from: 'client', origin: 'composer', line: { text: '{not  json ×2' } },
    { from: 'agent', origin: 'peer', line: { base64: '//4=' } },
    { cut: true, line: { text: '{"jsonrpc"' } },
    { type: 'gap', count: 3, reason: 'the disk was full' },
    { type: 'mark', target: 2, label: 'look here' },
    { type: 'exit', problem: 'Not found.' },
  ]);
});

test('a line that means nothing is an error of the test', () => {
  expect(() => draw('agnet update s1')).toThrow('begins with no word');
  expect(() => draw('agent ←1 reslut {}')).toThrow('neither a result nor an error');
});

test('the recorder format is read with its times', () => {
  const events = drawRecorder(
    '{"t":0,"dir":"client-to-agent","raw":"{}"}\n{"t":7,"dir":"stderr","raw":"oh"}\n',
  );
  expect(events).toMatchObject([
    { seq: 1, at: 0, type: 'frame', from: 'client', line: { text: '{}' } },
    { seq: 2, at: 7, type: 'stderr', line: { text: 'oh' } },
  ]);
});
