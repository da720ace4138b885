import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The page that the gateway serves at `/simulator`. Its files have plain names, listed by the gateway and revalidated by browsers. */
export default defineConfig({
  root: fileURLToPath(new URL('page', import.meta.url)),
  base: '/simulator/',
  plugins: [react()],
  build: {
    outDir: fileURLToPath(new URL('dist/page', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { entryFileNames: 'simulator.js', assetFileNames: 'simulator[extname]' } },
  },
});
