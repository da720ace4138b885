import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressed } from './bundling/compressed.js';
import { earlyPage } from './bundling/early-page.js';

const outDir = fileURLToPath(new URL('dist/page', import.meta.url));

/** What runs while React is on its way, in one file: each further one costs a slow network more than its bytes. */
const ahead =
  /page\/(ahead|shell\/(rooms|room-of|route|asked-settings)|chain\/(open-views|asking\/(ahead|ask-chain)|here\/(paths|page-path|views)|entities\/entity-columns|parts\/words)|early\/early-list)\.ts$|vite\/preload-helper|rolldown\/runtime/;

/** What every view needs besides. */
const everyView =
  /node_modules\/(react|react-dom|scheduler)\/|page\/(main\.tsx|app\.tsx|shell\/(.*\.tsx|(doors|settings|theme|use-route)\.ts))$/;

export default defineConfig({
  root: fileURLToPath(new URL('page', import.meta.url)),
  plugins: [react(), earlyPage(), compressed(outDir)],
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: false,
    // A file turned into a data: URL could not be cached, and the policy of the page would refuse some.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'ahead', test: ahead, priority: 2 },
            { name: 'main', test: everyView, priority: 1 },
          ],
        },
      },
    },
  },
});
