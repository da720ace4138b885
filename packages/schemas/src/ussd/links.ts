import { z } from 'zod';

export const linkService = z.object({ did: z.string().describe('DID of the audience of invocations') });

export const linkCodeBody = z.object({
  code: z.string().min(1).max(40).describe('The displayed code, in any letter case, with or without the dash'),
});

export const linkCodeMade = z.object({ code: z.string(), minutes: z.int().describe('Validity in minutes') });

export const linkedPhone = z
  .object({
    did: z.string().describe('DID of the phone at the oracle'),
    delegation: z.string().describe('Base64 of a UCAN for the caller: `oracle/converse` on that DID'),
  })
  .describe('A phone for which the caller may converse');
