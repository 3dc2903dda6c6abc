import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AgentItem } from '../history.ts';
import { itemsFrom, readCursor } from './cursor.ts';

test('any value is read as a cursor, or refused in a sentence', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const cursor = readCursor(value);
      if ('problem' in cursor) expect(cursor.problem).toMatch(/^replayFrom/);
      else expect(['nowhere', 'start', 'message']).toContain(cursor.from);
    }),
  );
});

test('fields that a cursor does not know are left alone', () => {
  expect(readCursor({ type: 'start', limit: 3 })).toEqual({ from: 'start' });
});

test('a message cursor keeps what it names and all that follows', () => {
  const item = fc.record({
    kind: fc.constantFrom('user', 'agent', 'thought', 'tool', 'plan'),
    id: fc.string(),
  }) as unknown as fc.Arbitrary<AgentItem>;
  const items = fc.uniqueArray(item, { selector: ({ id }) => id });
  fc.assert(
    fc.property(items, fc.nat(), (all, at) => {
      const named = all[at % Math.max(1, all.length)];
      if (!named) return;
      const cursor = { from: 'message', messageId: named.id } as const;
      const isMessage = ['user', 'agent', 'thought'].includes(named.kind);
      const index = all.indexOf(named);
      expect(itemsFrom(cursor, all, false)).toEqual(isMessage ? all.slice(index) : undefined);
      expect(itemsFrom(cursor, all, true)).toEqual(isMessage ? all.slice(index + 1) : undefined);
    }),
  );
});
