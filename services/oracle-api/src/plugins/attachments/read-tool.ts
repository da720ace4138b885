import { z } from 'zod';
import { cutToTokens } from '../../models/usage.js';
import type { StoredAttachment } from '../../store/sessions.js';
import { defineTool, type PluginTool, ToolError } from '../api/plugin-tool.js';
import { inWords, ReadError } from './read/read-problem.js';
import type { AttachmentsContext, TurnFiles } from './turn-files.js';

/** Tokens of a text per call. */
const callTokens = 2_000;

/** Tools to continue a file, or to read a file of an earlier message again. Empty for a conversation without files. */
export function readTools({ message, history }: AttachmentsContext, files: TurnFiles): PluginTool[] {
  const attachments = [...history.attachments, ...message.attachments];
  if (attachments.length === 0) return [];
  return [
    defineTool({
      name: 'read_attachment',
      description:
        'Reads text of a file that the user sent in this conversation: one of an earlier message, or more of a long one.',
      theirWords: `Files: ${[...new Set(attachments.map(({ filename }) => filename))].slice(-20).join(', ').slice(0, 1_000)}.`,
      effects: 'none',
      inputSchema: z.object({
        filename: z.string().describe('as the user sent it'),
        offset: z.number().int().min(0).default(0).describe('characters to skip'),
      }),
      execute: async ({ filename, offset }) => {
        const text = await textOf(newest(attachments, filename), files);
        const shown = cutToTokens(text.slice(offset), callTokens);
        const next = offset + shown.length;
        return { filename, text: shown, totalChars: text.length, ...(next < text.length ? { nextOffset: next } : {}) };
      },
    }),
  ];
}

function newest(attachments: readonly StoredAttachment[], filename: string): StoredAttachment {
  const wanted = filename.trim().toLowerCase();
  const found = attachments.findLast((attachment) => attachment.filename.toLowerCase() === wanted);
  if (found === undefined) throw new ToolError(`There is no file "${filename}" in this conversation.`);
  return found;
}

async function textOf(attachment: StoredAttachment, files: TurnFiles): Promise<string> {
  const file = await files.readText(attachment).catch((error: unknown) => {
    throw error instanceof ReadError ? new ToolError(`It could not be read: ${inWords(error.problem)}.`) : error;
  });
  if (file.kind === 'text') return file.text;
  if (file.kind === 'audio') throw new ToolError('It is a recording, which was played with its message.');
  throw new ToolError('It is an image. The user has to send it again for it to be looked at.');
}
