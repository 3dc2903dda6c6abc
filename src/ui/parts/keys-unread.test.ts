import { createRawSnippet } from 'svelte';
import { render } from 'svelte/server';
import { expect, test } from 'vitest';
import Button from './Button.svelte';
import Kbd from './Kbd.svelte';

test('a button tells its keys apart from its name', () => {
  const children = createRawSnippet(() => ({ render: () => '<span>Send</span>' }));
  const { body } = render(Button, { props: { keys: '⌘↵', children } });
  expect(body).toContain('aria-keyshortcuts="Control+Enter"');
  expect(body).toMatch(/<kbd aria-hidden="true"[^>]*>Ctrl\+↵<\/kbd>/);
});

test('keys in a text are read with it', () => {
  expect(render(Kbd, { props: { keys: 'J', spoken: true } }).body).not.toContain('aria-hidden');
});
