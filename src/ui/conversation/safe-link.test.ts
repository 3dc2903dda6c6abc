import { expect, test } from 'vitest';
import { hostOf, safeHref } from './safe-link.ts';

test('S-03: http, https and mailto are followed', () => {
  expect(safeHref('https://example.org/a?b#c')).toBe('https://example.org/a?b#c');
  expect(safeHref('http://example.org')).toBe('http://example.org/');
  expect(safeHref('mailto:a@b.c')).toBe('mailto:a@b.c');
  expect(safeHref('HTTPS://EXAMPLE.org')).toBe('https://example.org/');
});

const INERT = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'JAVASCRIPT:alert(1)',
  ' javascript:alert(1)',
  '\tjavascript:alert(1)',
  '\u0000javascript:alert(1)',
  '\u0001javascript:alert(1)',
  'java\nscript:alert(1)',
  'java\tscript:alert(1)',
  'java\rscript:alert(1)',
  'javascript\n:alert(1)',
  'javascript:\nalert(1)',
  'javascript&colon;alert(1)',
  'java&#10;script:alert(1)',
  'javascript&#x3A;alert(1)',
  'javascript%3Aalert(1)',
  '\u00a0javascript:alert(1)',
  '\ufeffjavascript:alert(1)',
  'javascript\u200b:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD4=',
  'DATA:image/svg+xml,<svg onload=alert(1)>',
  'vbscript:msgbox(1)',
  'VBScript:msgbox(1)',
  'file:///etc/passwd',
  'vscode://file/etc/passwd',
  'zed://x',
  'blob:https://a.b/c',
  'filesystem:http://a/b',
  'about:blank',
  'view-source:https://a.b',
  'ws://a.b',
  'ftp://a.b',
  'chrome://settings',
  'intent://x',
  '//evil.example',
  '\\\\evil.example',
  '/relative',
  '#here',
  '?q',
  '',
  'mailto',
  'https',
  'https:',
  'https://',
  'x',
];

test.each(INERT)('S-03: %j is inert', (href) => {
  expect(safeHref(href)).toBeUndefined();
});

test('S-04: an image that is not loaded names its host', () => {
  expect(hostOf('https://evil.example/?q=secret')).toBe('evil.example');
  expect(hostOf('data:image/png;base64,AA')).toBe('data');
  expect(hostOf('x.png')).toBe('no address');
});
