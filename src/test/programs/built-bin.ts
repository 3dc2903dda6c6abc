// The bin as a user has it, built once for a test file, with a page beside it.
import { spawn } from 'node:child_process';
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

export interface Printed {
  readonly out: string;
  readonly err: string;
}

/** Runs the bin in a folder to its end. `more`: variables of its environment. */
export async function printedBy(
  bin: string,
  folder: string,
  args: readonly string[],
  more: NodeJS.ProcessEnv = {},
): Promise<Printed> {
  const env = { ...process.env, ACP_SCOPE_STATE: join(folder, 'state'), ...more };
  const child = spawn(process.execPath, [bin, ...args], { cwd: folder, env });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (data: Buffer) => out.push(data));
  child.stderr.on('data', (data: Buffer) => err.push(data));
  child.stdin.end();
  await new Promise((resolve) => child.once('close', resolve));
  return { out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() };
}
