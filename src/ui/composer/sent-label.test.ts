import { expect, test } from 'vitest';
import { connectionId } from '../../trace/event.ts';
import { sentLabel } from './sent-label.ts';

test('what was sent is told by its method, or by how it begins', () => {
  const label = (text: string) =>
    sentLabel({ at: 0, connection: connectionId('c'), text }).slice(11);
  expect(label('{"id":1,"method":"session/new"}')).toBe('session/new · 31 chars');
  expect(label('not json')).toBe('not json');
  expect(label('x'.repeat(100))).toBe(`${'x'.repeat(64)}…`);
});
