import { expect, test } from 'vitest';
import { ariaKeys, isKey, keyLabel } from './keys.ts';

const press = (key: string, more: Partial<KeyboardEvent> = {}) => ({
  key,
  code: '',
  metaKey: false,
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
});

test('one spelling is printed as each system expects', () => {
  expect(keyLabel('⌘⇧↵', true)).toBe('⌘⇧↵');
  expect(keyLabel('⌘⇧↵', false)).toBe('Ctrl+Shift+↵');
  expect(keyLabel('PgUp', false)).toBe('PgUp');
  expect(ariaKeys('⌘K', false)).toBe('Control+K');
  expect(ariaKeys('⌥←', true)).toBe('Alt+ArrowLeft');
});

test('⌘ is Meta on Apple systems and Control elsewhere, never both', () => {
  expect(isKey(press('k', { metaKey: true }), '⌘K', true)).toBe(true);
  expect(isKey(press('k', { ctrlKey: true }), '⌘K', true)).toBe(false);
  expect(isKey(press('k', { ctrlKey: true }), '⌘K', false)).toBe(true);
  expect(isKey(press('k', { ctrlKey: true, metaKey: true }), '⌘K', false)).toBe(false);
});

test('letters do not care for case, but for Shift they do', () => {
  expect(isKey(press('J'), 'J', false)).toBe(true);
  expect(isKey(press('j'), 'J', false)).toBe(true);
  expect(isKey(press('N', { shiftKey: true }), 'N', false)).toBe(false);
  expect(isKey(press('N', { shiftKey: true }), '⇧N', false)).toBe(true);
});

test('signs typed with Shift are compared as typed', () => {
  expect(isKey(press('?', { shiftKey: true }), '?', false)).toBe(true);
  expect(isKey(press('[', { altKey: true }), '[', false)).toBe(false);
});

test('⌥ with a letter goes by the place of the key', () => {
  const event = press('∫', { code: 'KeyB', metaKey: true, altKey: true });
  expect(isKey(event, '⌘⌥B', true)).toBe(true);
});

test('named keys', () => {
  expect(isKey(press('ArrowLeft', { altKey: true }), '⌥←', true)).toBe(true);
  expect(isKey(press('F10', { shiftKey: true }), '⇧F10', false)).toBe(true);
  expect(isKey(press('F10'), '⇧F10', false)).toBe(false);
  expect(isKey(press(' '), 'Space', false)).toBe(true);
});
