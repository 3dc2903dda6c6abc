import { expect, test } from 'vitest';
import { capabilityGrid } from './capability-grid.ts';

test('both versions stand in one grid: what a version lacks, was not asked, or is unknown to us', () => {
  const rows = capabilityGrid('agent', { 2: { session: { delete: {}, own: {} } } });
  const of = (name: string) => rows.find((row) => row.name === name);
  expect(of('delete sessions')).toEqual({
    name: 'delete sessions',
    offers: { 1: 'unasked', 2: 'yes' },
    paths: { 1: 'sessionCapabilities.delete', 2: 'session.delete' },
  });
  expect(of('sign out')?.offers).toEqual({ 1: 'unasked', 2: 'none' });
  expect(of('audio in prompts')?.offers[2]).toBe('no');
  expect(of('session.own')?.offers).toEqual({ 1: 'none', 2: 'yes' });
  // What a version alone has stands among what is of its kind.
  const names = rows.map(({ name }) => name);
  expect(names.indexOf('sessions: new, list, resume, close, prompt')).toBe(
    names.indexOf('delete sessions') - 1,
  );
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
});
