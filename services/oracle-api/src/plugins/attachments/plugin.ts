import { definePlugin } from '../../plugin-kit/define-plugin.js';
import type { PluginBoot } from '../../plugin-kit/plugin.js';
import { HeldBytes } from './held-bytes.js';
import { readTools } from './read-tool.js';
import { attachmentSettings } from './settings.js';
import { type AttachmentsContext, TurnFiles } from './turn-files.js';

/** What files of all turns of an oracle may take in memory. */
const heldBytes = 256 * 1024 * 1024;

interface Reading {
  readonly outbound: PluginBoot['outbound'];
  readonly held: HeldBytes;
}

/** Of each oracle of this process, by its settings: a plugin is shared among oracles. */
const readingBy = new WeakMap<object, Reading>();
const filesOf = new WeakMap<object, TurnFiles>();

/** Files that users send along, read from their Matrix homeserver with their own session. */
export const attachments = definePlugin({
  name: 'attachments',
  version: '1.0.0',
  manifest: {
    title: 'Attachments',
    summary: 'Reads files that the user sends along; they stand with the message.',
    whenToUse: 'a file of an earlier message, or more of a long one, is needed.',
    visibility: 'always',
  },
  receives: ['matrix'],
  configSchema: attachmentSettings,
  getTools: ({ config, outbound, logger }) => {
    for (const homeserver of config.MATRIX_HOMESERVERS) {
      const problem = outbound.problemOf(new URL(homeserver));
      // Names that lead to private networks show when they are called.
      if (problem !== undefined) logger.warn({ homeserver, problem }, 'homeserver is not called: see PRIVATE_HOSTS');
    }
    readingBy.set(config, { outbound, held: new HeldBytes(heldBytes) });
    return [];
  },
  getRequestTools: (context) => {
    const files = turnFiles(context);
    return files === undefined ? [] : readTools(context, files);
  },
  getFiles: (context) => (context.message.attachments.length === 0 ? [] : (turnFiles(context)?.ofMessage() ?? [])),
});

function turnFiles(context: AttachmentsContext): TurnFiles | undefined {
  const reading = readingBy.get(context.config);
  if (reading === undefined) return undefined;
  const files = filesOf.get(context) ?? new TurnFiles(context, reading.outbound, reading.held);
  filesOf.set(context, files);
  return files;
}
