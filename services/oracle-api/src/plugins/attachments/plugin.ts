import { inPages, pageRows } from '../../account/account-data.js';
import { definePlugin } from '../api/define-plugin.js';
import { openAttachmentPools } from './attachment-pools.js';
import { Intake } from './intake.js';
import { openTranscription } from './read/transcribe.js';
import { readTools } from './read-tool.js';
import { attachmentSettings } from './settings.js';
import { tables } from './tables.js';
import { type AttachmentsContext, type Reading, TurnFiles } from './turn-files.js';
import { uploadRoutes } from './upload-routes.js';
import type { Upload } from './upload-store.js';

/** By the settings of each oracle in this process, since oracles share the plugin. */
const readingBy = new WeakMap<object, Reading>();
const intakeBy = new WeakMap<object, Intake>();
const filesOf = new WeakMap<object, TurnFiles>();

/** Files of users: uploaded to this oracle, or read from their Matrix homeserver with their own session. */
export const attachments = definePlugin({
  name: 'attachments',
  version: '1.0.0',
  manifest: {
    title: 'Attachments',
    summary: 'Reads files that the user sends along; they stand with the message.',
    whenToUse: 'a file of an earlier message, or more of a long one, is needed.',
    visibility: 'always',
    // Uploads belong to sessions.
    needs: ['sessions:read'],
  },
  receives: ['matrix'],
  configSchema: attachmentSettings,
  tables,
  getTools: (boot) => {
    const { config, outbound, logger, openPool } = boot;
    for (const homeserver of config.MATRIX_HOMESERVERS) {
      const problem = outbound.problemOf(new URL(homeserver));
      // Host names that resolve to private networks are detected only at the request.
      if (problem !== undefined) logger.warn({ homeserver, problem }, 'homeserver not used: see PRIVATE_HOSTS');
    }
    const pools = openAttachmentPools(openPool, config);
    const transcribe = openTranscription(config);
    const intake = new Intake(boot, { files: pools.files, hasTranscription: transcribe !== undefined });
    intakeBy.set(config, intake);
    readingBy.set(config, { outbound, uploads: intake.uploads, pools, transcribe });
    return [];
  },
  getFileIntake: ({ config }) => {
    const intake = intakeBy.get(config);
    if (intake === undefined) throw new Error('the plugin is not started');
    return intake;
  },
  getRequestTools: (context) => {
    const files = turnFiles(context);
    return files === undefined ? [] : readTools(context, files);
  },
  async *exportUser({ own, now }, ownerDid) {
    const read = (after: Upload | undefined) => own.list(ownerDid, { limit: pageRows, after });
    for await (const { ownerDid: _owner, ...upload } of inPages(read)) {
      const bytes = (await own.find(ownerDid, upload.attachmentId, now()))?.bytes;
      if (bytes !== undefined) yield { kind: 'uploads', row: { ...upload, base64: bytes.toString('base64') } };
    }
  },
  forgetUser: async ({ own }, ownerDid) => ({ deleted: { uploads: await own.removeAll(ownerDid) } }),
  getRoutes: (boot) => [(app) => uploadRoutes(app, boot)],
  readFiles: async (context, attachments, from) => (await turnFiles(context)?.ofConversation(attachments, from)) ?? [],
  getFiles: (context) => (context.message.attachments.length === 0 ? [] : (turnFiles(context)?.ofMessage() ?? [])),
});

function turnFiles(context: AttachmentsContext): TurnFiles | undefined {
  const reading = readingBy.get(context.config);
  if (reading === undefined) return undefined;
  const files = filesOf.get(context) ?? new TurnFiles(context, reading);
  filesOf.set(context, files);
  return files;
}
