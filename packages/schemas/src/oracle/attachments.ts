import { z } from 'zod';
import { isoTime } from '../common/iso-time.js';
import { sendLimits } from './send.js';
import { sessionIdPattern } from './sessions.js';

/** The body of an upload is the file's bytes; its metadata is in the query. */
export const attachmentUploadQuery = z.object({
  sessionId: z.string().regex(sessionIdPattern).describe('Session of the file; the file is deleted with it'),
  filename: z
    .string()
    .min(1)
    .max(sendLimits.filenameChars)
    .regex(/^[^\p{Cc}]+$/u, 'must not contain control characters'),
});

/** The limits of uploads. */
export const attachmentLimits = z
  .object({
    maxBytes: z.int().min(0).describe('Limit of one file, in bytes'),
    kinds: z
      .array(z.enum(['text', 'image', 'pdf', 'audio']))
      .describe('Accepted media types, detected from the bytes of a file'),
  })
  .describe('Limits of uploads');
export type AttachmentLimits = z.infer<typeof attachmentLimits>;

export const attachmentPath = z.object({ attachmentId: z.string().min(1).max(128) });

export const uploadedAttachment = z
  .object({
    attachmentId: z.string().describe('Refers to the file in `attachments` of a message of the same session'),
    filename: z.string(),
    mimetype: z.string().describe('Detected from the bytes of the file, not from its name'),
    size: z.int().describe('Size in bytes'),
    createdAt: isoTime,
    expiresAt: isoTime.describe('Time of its deletion, unless its session is deleted before'),
  })
  .describe('A file that the user uploaded for a session');
export type UploadedAttachment = z.infer<typeof uploadedAttachment>;

export const attachmentDeleted = z.object({ message: z.literal('Attachment deleted successfully') });
