import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { componentOf, packagesOf } from './bundled.ts';

test('S-18: a package is known by its modules, wherever it lies and however they are called', () => {
  expect(
    packagesOf([
      '/w/src/cli/acp-scope.ts',
      '/w/node_modules/ws/lib/sender.js',
      '/w/node_modules/ws/wrapper.mjs',
      '\0/w/node_modules/@a/b/index.js?commonjs-module',
      '/w/node_modules/c/node_modules/d/d.js',
      'C:\\w\\node_modules\\e\\e.js',
      '\0virtual:helper',
    ]),
  ).toEqual([
    '/w/node_modules/@a/b',
    '/w/node_modules/c/node_modules/d',
    '/w/node_modules/ws',
    'C:\\w\\node_modules\\e',
  ]);
  fc.assert(
    fc.property(fc.array(fc.string()), (ids) => {
      for (const folder of packagesOf(ids)) expect(folder).toMatch(/node_modules/);
    }),
    { examples: [[['/node_modules/a/b']]] },
  );
});

test('S-18: a component says its version and its licence, with the text', () => {
  const folder = fileURLToPath(new URL('../../node_modules/ws', import.meta.url));
  const { name, purl, licenses } = componentOf(folder);
  expect([name, purl]).toEqual(['ws', expect.stringMatching(/^pkg:npm\/ws@\d/)]);
  expect(licenses).toEqual([
    { license: { id: 'MIT', text: { content: expect.stringContaining('Permission is hereby') } } },
  ]);
});
