import { z } from 'zod';
import { isoTime } from '../common/iso-time.js';
import { sendLimits } from './send.js';
import { sessionIdPattern } from './sessions.js';

/** The body of an upload is the file's bytes; its metadata is in the query. */
export const attachmentUploadQuery = z.object({
  sessionId: z.string().regex(sessionIdPattern).describe('the session it is for, and goes with'),
  filename: z
    .string()
    .min(1)
    .max(sendLimits.filenameChars)
    .regex(/^[^\p{Cc}]+$/u, 'must not contain control characters'),
});

/** The limits of uploads. */
export const attachmentLimits = z
  .object({
    maxBytes: z.int().min(0).describe('of one file'),
    kinds: z
      .array(z.enum(['text', 'image', 'pdf', 'audio']))
      .describe('kinds of files that are read, detected by their bytes'),
  })
  .describe('What can be uploaded');
export type AttachmentLimits = z.infer<typeof attachmentLimits>;

export const attachmentPath = z.object({ attachmentId: z.string().min(1).max(128) });

export const uploadedAttachment = z
  .object({
    attachmentId: z.string().describe('names the file among the `attachments` of a message of its session'),
    filename: z.string(),
    mimetype: z.string().describe('detected by the bytes of the file, not by its name'),
    size: z.int().describe('bytes'),
    createdAt: isoTime,
    expiresAt: isoTime.describe('when it is deleted, unless its session is deleted before'),
  })
  .describe('A file that the user has uploaded for a session');
export type UploadedAttachment = z.infer<typeof uploadedAttachment>;

export const attachmentDeleted = z.object({ message: z.literal('Attachment deleted successfully') });
