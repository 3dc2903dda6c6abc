import { expect, test } from 'vitest';
import { cwdChoices, spellingOf } from './cwd-spellings.ts';

const spelled = (cwd: string) => cwdChoices(cwd).map((choice) => choice.cwd);

test('a folder has five spellings, on both kinds of systems', () => {
  expect(spelled('/home/m/parcel')).toEqual([
    '/home/m/parcel',
    '/home/m/parcel/',
    'parcel',
    '/home/m',
    '/home/m/parcel-deleted',
  ]);
  expect(spelled('C:\\a\\b')).toEqual(['C:\\a\\b', 'C:\\a\\b\\', 'b', 'C:\\a', 'C:\\a\\b-deleted']);
});

test('one that ends in a slash is also spelled without it', () => {
  expect(spelled('/w/')).toEqual(['/w/', '/w', 'w', '/', '/w-deleted']);
});

test('the root has spellings too, and all of them differ from it', () => {
  const [own, ...others] = spelled('/');
  expect(own).toBe('/');
  expect(others).not.toContain('/nothing');
  expect(new Set(spelled('/w')).size).toBe(5);
});

test('what is not absolute has none', () => {
  expect(cwdChoices('w')).toEqual([]);
  expect(cwdChoices(undefined)).toEqual([]);
});

test('a cwd is recognised by its spelling', () => {
  expect(spellingOf('/w/', '/w')?.id).toBe('slash');
  expect(spellingOf('/elsewhere', '/w')).toBeUndefined();
});
