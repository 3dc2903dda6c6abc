// Runs a benchmark written in TypeScript: bundles it as the product is built, and starts Node on it.
//   node bench/run.mjs model
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const [name] = process.argv.slice(2);
if (!name) {
  console.error('Which benchmark? For example: node bench/run.mjs model');
  process.exit(2);
}
const outDir = mkdtempSync(join(tmpdir(), 'acp-scope-bench-'));
try {
  await build({
    root: fileURLToPath(new URL('..', import.meta.url)),
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: { ssr: `bench/${name}.ts`, outDir, emptyOutDir: false, target: 'node20' },
  });
  const { status } = spawnSync(
    process.execPath,
    ['--expose-gc', '--max-old-space-size=4096', join(outDir, `${name}.js`)],
    { stdio: 'inherit' },
  );
  process.exitCode = status ?? 1;
} finally {
  rmSync(outDir, { recursive: true, force: true });
}
