// The bin as a user has it, built once for a test file, with a page beside it.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** Its path. */
export async function buildBin(): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'acp-scope-bin-'));
  const bin = join(root, 'bin');
  mkdirSync(join(root, 'dist'));
  writeFileSync(join(root, 'dist', 'index.html'), '<!doctype html><title>page</title>');
  await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    ssr: { noExternal: true },
    build: {
      target: 'node20',
      ssr: fileURLToPath(new URL('../../cli/acp-scope.ts', import.meta.url)),
      outDir: bin,
      rolldownOptions: { output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' } },
    },
  });
  writeFileSync(join(bin, 'package.json'), '{"type":"module"}');
  return join(bin, 'acp-scope.js');
}
