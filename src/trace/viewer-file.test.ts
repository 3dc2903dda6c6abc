import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { viewerFile } from './viewer-file.ts';

const PAGE = '<body><!--trace--><script>page</script></body>';

test('S-02: whatever a trace and its name hold, they end no element and begin none', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.string({ unit: 'binary' }), (bytes, text) => {
      const name = `${text}"></script><script>`;
      const file = viewerFile(PAGE, { packed: gzipSync(bytes), name, frame: 3 }) ?? '';
      expect(file.match(/<\/?\w+/g)).toEqual([
        ...['<body', '<script', '</script', '<script', '</script', '</body'],
      ]);
      const [, base64 = ''] = /id="trace"[^>]*>([^<]*)</.exec(file) ?? [];
      expect(gunzipSync(Buffer.from(base64, 'base64'))).toEqual(Buffer.from(bytes));
    }),
  );
});

test('a page without a place for a trace is none', () => {
  expect(viewerFile('<body>', { packed: new Uint8Array(), name: 'a' })).toBeUndefined();
});
