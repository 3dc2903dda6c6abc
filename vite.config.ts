import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// The page. Inline scripts and data: assets would break `script-src 'self'`, so both are off.
export default defineConfig({
  plugins: [svelte()],
  worker: { format: 'es' },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        // Each view is a View.svelte; a list of what was loaded should say which.
        chunkFileNames: ({ facadeModuleId, name }) => {
          const [, view] = /([^/\\]+)[/\\]View\.svelte$/.exec(facadeModuleId ?? '') ?? [];
          return `assets/${view ?? name}-[hash].js`;
        },
      },
    },
  },
});
