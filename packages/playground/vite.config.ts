import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chunks } from './bundling/chunks.js';
import { compressed } from './bundling/compressed.js';
import { earlyPage } from './bundling/early-page.js';
import { preactForReact } from './bundling/preact-for-react.js';

const outDir = fileURLToPath(new URL('dist/page', import.meta.url));

export default defineConfig({
  root: fileURLToPath(new URL('page', import.meta.url)),
  plugins: [react(), earlyPage(), compressed(outDir)],
  resolve: { alias: preactForReact },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: false,
    // A file turned into a data: URL could not be cached, and the policy of the page would refuse some.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { includeDependenciesRecursively: false, groups: chunks } } },
  },
});
