import { z } from 'zod';
import { isoTime } from '../common/iso-time.js';
import { sendMessageBody } from './send.js';
import { sessionPath } from './sessions.js';

export const messagePath = sessionPath.extend({ messageId: z.string().describe('Id of a message or of its answer') });

/** Like a message, without its text. */
export const regenerateBody = sendMessageBody
  .omit({ message: true, attachments: true, edits: true })
  .describe('Like a message, without its text');

export const branchList = z.object({
  branches: z
    .array(
      z
        .object({
          messageId: z.string().describe('Id of the last user message on the branch; selects the branch'),
          content: z.string().describe('Beginning of that message'),
          createdAt: isoTime,
          isSelected: z.boolean(),
        })
        .describe('A branch of the conversation'),
    )
    .describe('Newest first; one branch if no message was edited or regenerated'),
});

export const selectBranchBody = z.object({
  messageId: z
    .string()
    .min(1)
    .max(256)
    .describe('Id of any message: selects the branch with the newest message among the branches that contain it'),
});
