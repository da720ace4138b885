import { z } from 'zod';

export const linkService = z.object({ did: z.string().describe('the DID that invocations are addressed to') });

export const linkCodeBody = z.object({
  code: z.string().min(1).max(40).describe('the displayed code, in any case, with or without the dash'),
});

export const linkCodeMade = z.object({ code: z.string(), minutes: z.int().describe('how long it lasts') });

export const linkedPhone = z
  .object({
    did: z.string().describe("the phone's DID at the oracle"),
    delegation: z.string().describe('base64 of a UCAN: `oracle/converse` on that DID, for the caller'),
  })
  .describe('A phone that the caller may converse for');
