import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  plugins: [svelte()],
  test: {
    include: ['src/**/*.test.ts', 'bench/**/*.test.ts'],
    globalSetup: fileURLToPath(new URL('scratch.ts', import.meta.url)),
    // One for each core: left alone, it keeps one free, which is half of a small machine.
    maxWorkers: availableParallelism(),
    // Ends what hangs, and nothing that a busy machine does slowly.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
