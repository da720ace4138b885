import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const outDir = fileURLToPath(new URL('dist/page', import.meta.url));

/** What every view needs, and `ahead.ts` does not. */
const everyView =
  /node_modules\/(react|react-dom|scheduler)\/|page\/(main\.tsx|app\.tsx|shell\/(.*\.tsx|(doors|settings|theme|use-route)\.ts))$/;

export default defineConfig({
  root: fileURLToPath(new URL('page', import.meta.url)),
  plugins: [react(), namedAhead(), compressed()],
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
          // What every view needs is one file: each further one costs a slow network more than its bytes.
          groups: [{ name: 'main', test: everyView }],
        },
      },
    },
  },
});

/** Has the page itself name the files of `main.tsx`, so that they are asked for beside the small one that imports them. */
function namedAhead(): Plugin {
  return {
    name: 'named-ahead',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const main = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'main');
        if (main?.type !== 'chunk') throw new Error('The page has no chunk of its own for main.tsx.');
        const styles = [...(main.viteMetadata?.importedCss ?? [])];
        return [
          ...styles.map((file) => tag({ rel: 'stylesheet', href: `/${file}` })),
          ...[main.fileName, ...main.imports].map((file) => tag({ rel: 'modulepreload', href: `/${file}` })),
        ];
      },
    },
  };
}

function tag(attrs: Record<string, string>) {
  return { tag: 'link', attrs: { crossorigin: true, ...attrs }, injectTo: 'head' as const };
}

/** Puts a .br and a .gz beside each text, so that the server compresses nothing. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    closeBundle() {
      for (const entry of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(html|js|css|svg)$/.test(entry)) continue;
        const file = join(outDir, entry);
        const text = readFileSync(file);
        writeFileSync(`${file}.br`, brotliCompressSync(text));
        writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }));
      }
    },
  };
}
