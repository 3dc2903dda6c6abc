import { expect, test } from 'vitest';
import { viaWords } from './via-words.ts';

test('a frame says by which stream it came, and which read of it brought it', () => {
  expect(viaWords({ stream: 'socket' })).toEqual({
    word: 'WebSocket',
    title: 'crossed by WebSocket',
  });
  expect(viaWords({ stream: 'socket', binary: true }).word).toBe('WebSocket, binary');
  expect(viaWords({ stream: 'session', session: 's1', id: 'e2', event: 'm', read: 3 })).toEqual({
    word: 'session stream',
    title: 'crossed by session stream of s1 · event id e2 · event m · read 3 of the stream',
  });
});

test('a stream that a later version writes is shown by its own name', () => {
  const later = JSON.parse('{"stream":"quic"}') as Parameters<typeof viaWords>[0];
  expect(viaWords(later).word).toBe('quic');
});
