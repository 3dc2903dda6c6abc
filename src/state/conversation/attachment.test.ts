import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeUtf8, toBase64 } from '../../lib/utf8.ts';
import { attachmentBlock, attachWays, fileUri, type Attachment } from './attachment.ts';

const file: Attachment = {
  name: 'notes.md',
  mimeType: 'text/markdown',
  size: 5,
  as: 'resource',
  uri: 'file:///work/notes.md',
  data: toBase64(encodeUtf8('# Tea')),
};
const kinds = (mimeType: string, said: Parameters<typeof attachWays>[2], version: 1 | 2 = 1) =>
  attachWays({ mimeType, data: '' }, version, said).map(({ as, missing = 'taken' }) => [
    as,
    missing,
  ]);

test('what a file can become is what it is, an embedded resource and a link, the fullest first', () => {
  expect(kinds('image/png', { promptCapabilities: { image: true } })).toEqual([
    ['image', 'taken'],
    ['resource', 'promptCapabilities.embeddedContext'],
    ['resource_link', 'taken'],
  ]);
  expect(kinds('', { session: { prompt: { embeddedContext: {} } } }, 2)).toEqual([
    ['resource', 'taken'],
    ['resource_link', 'taken'],
  ]);
  expect(kinds('audio/wav', {}, 2)[0]).toEqual(['audio', 'session.prompt.audio']);
});

test('a file that was too large to be read can only be linked', () => {
  expect(attachWays({ mimeType: 'image/png' }, 1, {}).map(({ as }) => as)).toEqual([
    'resource_link',
  ]);
});

test('text is embedded as text, other bytes as base64', () => {
  expect(attachmentBlock(file)).toEqual({
    type: 'resource',
    resource: { uri: 'file:///work/notes.md', mimeType: 'text/markdown', text: '# Tea' },
  });
  expect(attachmentBlock({ ...file, mimeType: '', data: toBase64(Uint8Array.of(0xff)) })).toEqual({
    type: 'resource',
    resource: { uri: 'file:///work/notes.md', blob: '/w==' },
  });
});

test('an image goes with its bytes, a link with its place, name and size', () => {
  expect(attachmentBlock({ ...file, as: 'image', mimeType: 'image/png', data: 'AAA=' })).toEqual({
    type: 'image',
    mimeType: 'image/png',
    data: 'AAA=',
  });
  expect(attachmentBlock({ ...file, as: 'resource_link' })).toEqual({
    type: 'resource_link',
    uri: 'file:///work/notes.md',
    name: 'notes.md',
    mimeType: 'text/markdown',
    size: 5,
  });
});

test('the URI of a file stands in the folder of the session, on any system', () => {
  expect(fileUri('/work/a b/', 'x#1.txt')).toBe('file:///work/a%20b/x%231.txt');
  expect(fileUri('C:\\work', 'ä.txt')).toBe('file:///C:/work/%C3%A4.txt');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (name) => {
      fc.pre(!/[/\\]/.test(name) && name.isWellFormed() && !['.', '..'].includes(name));
      const { pathname, hash, search } = new URL(fileUri('/work', name));
      expect([decodeURIComponent(pathname), hash, search]).toEqual([`/work/${name}`, '', '']);
    }),
  );
});
