import { z } from 'zod';
import { isoTime } from '../common/iso-time.js';
import { sendMessageBody } from './send.js';
import { sessionPath } from './sessions.js';

export const messagePath = sessionPath.extend({ messageId: z.string().describe('of a message, or of its answer') });

/** Like a message, without its text. */
export const regenerateBody = sendMessageBody
  .omit({ message: true, attachments: true, edits: true })
  .describe('Like a message, without its text');

export const branchList = z.object({
  branches: z
    .array(
      z
        .object({
          messageId: z.string().describe('id of the last user message on the branch; selects the branch'),
          content: z.string().describe('the beginning of that message'),
          createdAt: isoTime,
          isSelected: z.boolean(),
        })
        .describe('A way that the conversation has taken'),
    )
    .describe('the newest first; one where no message was edited and none answered again'),
});

export const selectBranchBody = z.object({
  messageId: z
    .string()
    .min(1)
    .max(256)
    .describe('any message: of the branches that it is on, that is selected which has the newest message'),
});
