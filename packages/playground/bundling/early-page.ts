import { fileURLToPath } from 'node:url';
import { build, type HtmlTagDescriptor, type Plugin } from 'vite';
import type { PageName } from '../page/shell/route.js';
import { type Bundle, chunkNamed, filesOf } from './bundle.js';

/** The chunk of each page. */
const pageChunks: Readonly<Record<PageName, string>> = {
  home: 'home',
  phone: 'phone-page',
  link: 'link-page',
  chat: 'chat',
  chain: 'chain-page',
  account: 'account-page',
  notFound: 'not-found',
};

/**
 * Puts into index.html the styles and a script that preloads the files of the page in the address. Files that every page needs
 * are preloaded by links, so that no file waits for another one.
 */
export function earlyPage(): Plugin {
  return {
    name: 'early-page',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle = {} }) {
        const everywhere = filesOf(bundle, chunkNamed(bundle, 'main'));
        const pageFiles = Object.fromEntries(
          Object.entries(pageChunks).map(([page, chunk]) => [
            page,
            filesOf(bundle, chunkNamed(bundle, chunk)).flatMap((file) =>
              everywhere.includes(file) ? [] : [`/${file}`],
            ),
          ]),
        );
        const named = (file: string): HtmlTagDescriptor => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
          injectTo: 'head',
        });
        const unnamed = everywhere.filter((file) => !html.includes(file));
        return {
          html: withStyles(html, bundle),
          tags: [
            ...unnamed.map(named),
            { tag: 'script', children: await earlyScript(pageFiles), injectTo: 'body-prepend' },
          ],
        };
      },
    },
  };
}

/** Inlines the linked styles. */
function withStyles(html: string, bundle: Bundle): string {
  return html.replace(/<link rel="stylesheet"[^>]* href="\/([^"]+)">/g, (_link, file: string) => {
    const style = bundle[file];
    if (style?.type !== 'asset') throw new Error(`The page has no styles ${file}.`);
    delete bundle[file];
    return `<style>${String(style.source).trim()}</style>`;
  });
}

/** @param pageFiles files to preload, by page */
async function earlyScript(pageFiles: Readonly<Record<string, readonly string[]>>): Promise<string> {
  const entry = fileURLToPath(new URL('../page/early/early.ts', import.meta.url));
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    define: { PAGE_FILES: JSON.stringify(pageFiles) },
    build: { write: false, target: 'es2022', lib: { entry, formats: ['iife'], name: 'early', fileName: 'early' } },
  });
  const [output] = [built].flat();
  const [script] = output !== undefined && 'output' in output ? output.output : [];
  if (script === undefined) throw new Error('The early script was not built.');
  return script.code.trim();
}
