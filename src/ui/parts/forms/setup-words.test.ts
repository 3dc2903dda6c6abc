import { expect, test } from 'vitest';
import { serversWords, whenWords } from './setup-words.ts';

test('the last use of a session is said shortly', () => {
  const now = new Date('2026-11-21T15:00:00');
  const at = (time: string) => whenWords(time, now);
  expect(at('2026-11-21T14:59:40')).toBe('now');
  expect(at('2026-11-21T14:58:00')).toBe('2 min');
  expect(at('2026-11-21T12:00:00')).toBe('3 h');
  expect(at('2026-11-21T01:00:00')).toBe('today');
  expect(at('2026-11-20T12:00:00')).toBe('yesterday');
  expect(at('2026-11-18T12:00:00')).toBe('18 Nov');
  expect(at('2025-11-18T12:00:00')).toBe('18 Nov 2025');
  expect(at('lately')).toBe('lately');
});

test('MCP servers are named, and what is no array is said', () => {
  expect(serversWords('')).toEqual({ ok: true, words: 'omitted' });
  expect(serversWords('', true)).toEqual({ ok: false, words: 'omitted: −32602' });
  expect(serversWords('[]')).toEqual({ ok: true, words: 'none' });
  expect(serversWords('[{"type":"stdio","name":"db"},{"name":"web"}]')).toEqual({
    ok: true,
    words: 'db, web',
  });
  expect(serversWords('{}')).toEqual({ ok: false, words: 'expected an array' });
  expect(serversWords('[').ok).toBe(false);
});
