// What benchmarks share: folders of their own, and the product's modules, bundled as it is built.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

const endings = [];
process.once('exit', () => {
  for (const end of endings) end();
});

/** Runs when this program ends, the last one first. */
export function atEnd(end) {
  endings.unshift(end);
}

/** A folder of this run, gone at its end. */
export function scratch() {
  const folder = mkdtempSync(join(tmpdir(), 'acp-scope-bench-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** One file of all that these modules of `src` export, for Node or a browser: its path. */
export async function bundle(platform, ...modules) {
  const { build } = await import('vite');
  const folder = scratch();
  const entry = join(folder, 'entry.js');
  const lines = modules.map((name) => `export * from ${JSON.stringify(join(ROOT, 'src', name))};`);
  writeFileSync(entry, lines.join('\n'));
  const outDir = join(folder, 'out');
  await build({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ...(platform === 'node' ? { ssr: entry } : { lib: { entry, formats: ['es'] } }),
      outDir,
      emptyOutDir: true,
      target: platform === 'node' ? 'node20' : 'es2023',
      rolldownOptions: { output: { entryFileNames: 'entry.mjs' } },
    },
  });
  return join(outDir, 'entry.mjs');
}

/** What these modules of `src` export. */
export async function load(...modules) {
  return import(pathToFileURL(await bundle('node', ...modules)).href);
}
