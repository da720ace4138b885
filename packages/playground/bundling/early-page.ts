import { fileURLToPath } from 'node:url';
import { build, type HtmlTagDescriptor, type Plugin } from 'vite';
import type { RoomName } from '../page/shell/room-of.js';
import { type Bundle, chunkNamed, filesOf } from './bundle.js';

/** The chunk of each room. */
const rooms: Readonly<Record<RoomName, string>> = {
  home: 'home',
  phone: 'phone-door',
  link: 'link-view',
  chat: 'chat',
  chain: 'chain-door',
  account: 'account-door',
  lost: 'not-found',
};

/**
 * Has the page itself bring what is needed at once: its styles, and a script that names the files of the room which the address leads to. The page
 * names those of every room, so that nothing is asked for only when something else has come.
 */
export function earlyPage(): Plugin {
  return {
    name: 'early-page',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle = {} }) {
        const everywhere = filesOf(bundle, chunkNamed(bundle, 'main'));
        const roomFiles = Object.fromEntries(
          Object.entries(rooms).map(([room, chunk]) => [
            room,
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
            { tag: 'script', children: await earlyScript(roomFiles), injectTo: 'body-prepend' },
          ],
        };
      },
    },
  };
}

/** The page with the styles in it that it linked to. */
function withStyles(html: string, bundle: Bundle): string {
  return html.replace(/<link rel="stylesheet"[^>]* href="\/([^"]+)">/g, (_link, file: string) => {
    const style = bundle[file];
    if (style?.type !== 'asset') throw new Error(`The page has no styles ${file}.`);
    delete bundle[file];
    return `<style>${String(style.source).trim()}</style>`;
  });
}

/** @param roomFiles what is to be asked for, by room */
async function earlyScript(roomFiles: Readonly<Record<string, readonly string[]>>): Promise<string> {
  const entry = fileURLToPath(new URL('../page/early/early.ts', import.meta.url));
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    define: { ROOM_FILES: JSON.stringify(roomFiles) },
    build: { write: false, target: 'es2022', lib: { entry, formats: ['iife'], name: 'early', fileName: 'early' } },
  });
  const [output] = [built].flat();
  const [script] = output !== undefined && 'output' in output ? output.output : [];
  if (script === undefined) throw new Error('The early script was not built.');
  return script.code.trim();
}
