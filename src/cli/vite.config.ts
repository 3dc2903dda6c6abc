import { defineConfig } from 'vite';
import { bundledPackages } from './bundled.ts';

// The bin, one file a chunk, with ws and the SDK bundled: an installed package needs no
// dependencies of its own.
export default defineConfig({
  publicDir: false,
  plugins: [bundledPackages().all],
  ssr: { noExternal: true },
  build: {
    target: 'node20',
    ssr: 'src/cli/acp-scope.ts',
    outDir: 'dist-node',
    emptyOutDir: true,
    minify: true,
    rolldownOptions: {
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});
