import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** A page of this folder as a bundler makes it for a browser: one script. */
export async function bundledPage(file: string): Promise<string> {
  const output = await build({
    root: fileURLToPath(new URL('.', import.meta.url)),
    configFile: false,
    logLevel: 'silent',
    oxc: { jsx: { runtime: 'automatic', development: false } },
    resolve: { conditions: ['@mlango/source', 'module', 'browser', 'import', 'default'] },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      lib: { entry: fileURLToPath(new URL(file, import.meta.url)), formats: ['iife'], name: 'page' },
    },
  });
  const [result] = [output].flat();
  const code = result && 'output' in result ? result.output.map((part) => ('code' in part ? part.code : '')) : [];
  return code.join('\n');
}
