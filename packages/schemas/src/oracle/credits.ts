import { z } from 'zod';
import { withoutNul } from '../common/without-nul.js';

const tokens = z.int().min(0);

export const creditAccount = z
  .object({
    did: z.string().describe('the account; a top-up names it'),
    balance: tokens.optional(),
    held: tokens.optional().describe('set aside for answers under way'),
    turnTokens: tokens.optional().describe('the most that one answer may take'),
    owed: tokens.describe('what open claims will take'),
    claims: z.array(z.string()).describe('ids of open claims, oldest first, at most 20'),
  })
  .describe('How a user stands, in tokens');

export const creditTopUp = z.object({
  topUpId: z
    .string()
    .min(1)
    .max(128)
    .refine(...withoutNul)
    .describe('id of the payment; reporting it again has no effect'),
  did: z
    .string()
    .max(2_048)
    .regex(/^did:[a-z0-9]+:\S+$/, 'must be a DID')
    .refine(...withoutNul),
  tokens: z.int().min(1).max(1_000_000_000_000),
});

export const creditTopUpReply = z.object({ balance: tokens });

export const claimsProcessed = z.object({ settled: z.int().min(0) });

const claimId = z.string().min(1).max(256);

/** Reply of a subscription API about a user. */
export const subscriptionStanding = z.object({
  active: z.boolean().describe('whether the user is answered'),
  claims: z.array(claimId).max(1_000).default([]).describe('claims that the user has to pay first'),
  remaining: tokens.optional().describe('remaining credits, less the accepted claims; without it usage is not counted'),
});

/** Usage report to a subscription API. */
export const claimsSubmission = z.object({
  claims: z
    .array(
      z.object({
        claimId: claimId.describe('the same claim has the same id each time'),
        did: z.string(),
        tokens: tokens.describe('0 for the claim that a user without credits has to pay first'),
        openedAt: z.iso.datetime(),
      }),
    )
    .min(1)
    .max(100),
});
export type SubmittedClaim = z.infer<typeof claimsSubmission>['claims'][number];

/** Of the reported claims: those that are stored now, or were before. */
export const claimsAccepted = z.object({ accepted: z.array(claimId).max(1_000) });
