import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';
import { bundledPackages } from './src/cli/bundled.ts';

/** The addresses of all scripts and styles, the worker's too: `assets.json`, which `main.ts` reads. */
function assetList(): Plugin {
  return {
    name: 'asset-list',
    writeBundle({ dir = 'dist' }) {
      const names = readdirSync(join(dir, 'assets')).filter((name) => /\.(js|css)$/.test(name));
      const paths = names.map((name) => `/assets/${name}`);
      writeFileSync(join(dir, 'assets.json'), JSON.stringify(paths));
    },
  };
}

const bundled = bundledPackages();

// The page. Inline scripts and data: assets would break `script-src 'self'`, so both are off.
export default defineConfig({
  plugins: [svelte({ compilerOptions: { discloseVersion: false } }), assetList(), bundled.all],
  worker: {
    format: 'es',
    plugins: () => [bundled.inWorker()],
    rolldownOptions: {
      output: {
        // WebKit runs the script a worker was started with once more when another imports it, and two
        // engines fight for one database: what is shared stands in a file of its own.
        codeSplitting: {
          groups: [
            {
              name: 'engine',
              tags: ['$initial'],
              test: (id) => !/worker\.ts$/.test(id),
              priority: 2,
            },
            // What opens a stored trace, and all of its parts: in many small files, it waits for each.
            {
              name: 'opening',
              test: /engine\/(traces\/stored-trace|timeline\/(api-timeline|look))\.ts$/,
              priority: 1,
            },
          ],
        },
      },
    },
  },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        // One file of what the page begins with: smaller than twenty, and there at once. So too the first
        // view, and that of a trace with all beside it: each file is asked for on the main thread.
        codeSplitting: {
          groups: [
            { name: 'page', tags: ['$initial'], priority: 3 },
            {
              name: 'start',
              test: /ui\/connections\/(View|HowToRead|TapEditor)\.svelte$/,
              priority: 2,
            },
            {
              name: 'trace',
              test: /ui\/(timeline\/View|detail\/Detail|shell\/(Drawer|Announcer)|connections\/RailTree)\.svelte$/,
              priority: 1,
            },
          ],
        },
        // Each view is a View.svelte; a list of what was loaded should say which.
        chunkFileNames: ({ facadeModuleId, name }) => {
          const [, view] = /([^/\\]+)[/\\]View\.svelte$/.exec(facadeModuleId ?? '') ?? [];
          return `assets/${view ?? name}-[hash].js`;
        },
      },
    },
  },
});
