import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

const root = fileURLToPath(new URL('../..', import.meta.url));

const tests = ['src', 'bench'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`),
);

/**
 * Needs modules that no other file has loaded, to put another in the place of one; or starts many
 * programs, which takes a process longer the more it holds.
 */
const isAlone = (path: string) =>
  /^src\/(relay|cli)\//.test(path) || /\bvi\.mock\(/.test(readFileSync(join(root, path), 'utf8'));

function project(
  name: string,
  isolate: boolean,
  include: string[],
): TestProjectInlineConfiguration {
  return {
    root,
    plugins: [svelte()],
    test: {
      name,
      isolate,
      include,
      // A test that held nothing against anything, as of a list that was empty, proves nothing.
      expect: { requireAssertions: true },
      setupFiles: fileURLToPath(new URL('left-behind.ts', import.meta.url)),
      // One for each core: left alone, it keeps one free, which is half of a small machine.
      maxWorkers: availableParallelism(),
      // Ends what hangs, and nothing that a busy machine does slowly.
      testTimeout: 180_000,
      hookTimeout: 180_000,
    },
  };
}

export default defineConfig({
  root,
  test: {
    globalSetup: fileURLToPath(new URL('scratch.ts', import.meta.url)),
    projects: [
      project('alone', true, tests.filter(isAlone)),
      // To load the modules anew for each file is a quarter of the time of all tests.
      project(
        'together',
        false,
        tests.filter((path) => !isAlone(path)),
      ),
    ],
  },
});
